#include "bench/model_player.h"

#include <doctest/doctest.h>

#include "tests/bench/chain_world.h"
#include "tests/bench/fake_writer.h"

namespace harnessg::bench {
namespace {

PlayerSetup setup_of() {
  PlayerSetup setup;
  setup.environment = chain_environment();
  return setup;
}

std::unique_ptr<Player> player_of(const FakeWriter& server, Arm arm, const PlayerSetup& setup) {
  auto player = make_player("http:" + server.url(), arm, setup);
  REQUIRE_MESSAGE(player.has_value(), player.error().message);
  return std::move(*player);
}

Trace trace_of(const Player& player) {
  auto trace = player.play(chain_task(), chain_gold({ParagraphId{kDelta}}));
  REQUIRE_MESSAGE(trace.has_value(), trace.error().message);
  return std::move(*trace);
}

std::vector<Event> events_of(const Trace& trace) {
  std::vector<Event> events;
  for (const TraceStep& step : trace.steps) events.push_back(step.event);
  return events;
}

bool asks_for_answer(const std::string& message) { return message.find("Write <answer>") != std::string::npos; }

}  // namespace

TEST_CASE("A model plays by calls, and what is no call is blocked") {
  int turn = 0;
  FakeWriter server(
      [&](const std::string& last) -> std::string {
        if (asks_for_answer(last)) return "I think <answer> Charlie </answer>";
        ++turn;
        // The stop text is left out of a reply, as servers do.
        return turn == 2 ? "Let me look up Bravo." : turn == 1 ? "" : "<query>{\"query\": \"A1\"}";
      },
      "");
  const auto player = player_of(server, Arm::kMenu, setup_of());
  CHECK(player->name() == "http:fake");
  turn = 1;  // the connection's own request is behind us
  const Trace trace = trace_of(*player);
  const auto events = events_of(trace);
  REQUIRE(events.size() >= 3);
  CHECK(events[1] == Event::kInvalid);
  CHECK(trace.steps[1].text == "Let me look up Bravo.");
  CHECK(trace.steps[2].position == 1);
  CHECK(trace.answer == "Charlie");
}

TEST_CASE("An answer in mid-search takes ANSWER where the menu has it") {
  FakeWriter server(
      [n = 0](const std::string&) mutable -> std::string {
        ++n;
        return n <= 2 ? "<query>{\"query\": \"A0\"}</query>" : "<answer>Delta</answer>";
      },
      "");
  PlayerSetup setup = setup_of();
  setup.model.constrain = false;  // so that the connection asks once
  const auto player = player_of(server, Arm::kMenu, setup);
  const Trace trace = trace_of(*player);
  CHECK(events_of(trace) == std::vector<Event>{Event::kInit, Event::kSelect, Event::kAnswer});
  CHECK(trace.answer == "Delta");
}

TEST_CASE("Ids are constrained where the server keeps to it, each way that servers have") {
  for (const char* keeps : {"grammar", "structured_outputs", "guided_choice"}) {
    CAPTURE(keeps);
    FakeWriter server([](const std::string&) { return "free text"; }, keeps);
    const PlayerSetup setup = setup_of();
    const auto player = player_of(server, Arm::kMenu, setup);
    const Trace trace = trace_of(*player);
    for (const TraceStep& step : trace.steps) CHECK(step.event != Event::kInvalid);
    CHECK(trace.ended);
    CHECK_FALSE(trace.answer.has_value());  // no <answer> was written
  }
}

TEST_CASE("Without a constraint wanted none is asked for") {
  FakeWriter server([](const std::string&) { return "<query>{\"query\": \"A0\"}</query>"; }, "grammar");
  PlayerSetup setup = setup_of();
  setup.model.constrain = false;
  const auto player = player_of(server, Arm::kMenu, setup);
  trace_of(*player);
  for (const auto& request : server.requests()) CHECK_FALSE(request.contains("grammar"));
}

TEST_CASE("By text a model writes queries, with completions as with chat") {
  for (const bool chat : {true, false}) {
    FakeWriter server(
        [n = 0](const std::string&) mutable -> std::string {
          ++n;
          return n == 2 ? "<query>{\"query\": \"Charlie met\"}</query>" : "<answer>Delta</answer>";
        },
        "");
    PlayerSetup setup = setup_of();
    setup.model.chat = chat;
    setup.model.constrain = false;
    const auto player = player_of(server, Arm::kFree, setup);
    const Trace trace = trace_of(*player);
    CHECK(events_of(trace) == std::vector<Event>{Event::kInit, Event::kQuery, Event::kAnswer});
    CHECK(trace.steps[1].text == "Charlie met");
    CHECK(trace.answer == "Delta");
  }
}

TEST_CASE("Each turn has a seed of its own, the same when it is played again") {
  const auto seeds_of = [](std::uint64_t seed) {
    FakeWriter server([](const std::string&) { return "<query>{\"query\": \"A0\"}</query>"; }, "");
    const auto player = player_of(server, Arm::kMenu, setup_of());
    const std::size_t before = server.requests().size();
    Task task = chain_task();
    task.seed = seed;
    REQUIRE(player->play(task, chain_gold({})).has_value());
    std::vector<std::uint64_t> seeds;
    for (const auto& request : server.requests()) seeds.push_back(request["seed"]);
    seeds.erase(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(before));
    return seeds;
  };
  const auto seeds = seeds_of(1);
  REQUIRE(seeds.size() > 1);
  CHECK(seeds[0] != seeds[1]);
  CHECK(seeds_of(1) == seeds);
  CHECK(seeds_of(2) != seeds);
}

TEST_CASE("A server that is not there is an error that names it") {
  const auto player = make_player("http://127.0.0.1:9", Arm::kMenu, setup_of());
  REQUIRE_FALSE(player.has_value());
  CHECK(player.error().code == ErrorCode::kUnavailable);
  CHECK(player.error().message.find("127.0.0.1:9") != std::string::npos);
}

}  // namespace harnessg::bench
