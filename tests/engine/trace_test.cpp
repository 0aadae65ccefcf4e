#include "engine/trace.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/environment.h"
#include "engine/snc_payload.h"
#include "tests/engine/walk.h"
#include "tests/sample.h"

using namespace harnessg;

TEST_CASE("a trace tells what the episode did, and survives JSON") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  for_each_state(*environment, sample_tasks(), 60, [&](const Episode& episode) {
    const auto trace = environment->trace(episode, /*with_frontier=*/true);
    REQUIRE_MESSAGE(trace.has_value(), trace.error().message);
    CHECK(trace->turns == episode.turn());
    CHECK(trace->steps.size() == episode.turn());
    CHECK(std::ranges::equal(trace->selected, episode.selected()));
    CHECK(std::ranges::equal(trace->seen, episode.seen()));
    CHECK(trace->steps.back().menu == episode.menu());
    const std::string json = to_json(*trace);
    const auto again = trace_from_json(json);
    REQUIRE_MESSAGE(again.has_value(), again.error().message);
    CHECK(*again == *trace);
    CHECK(to_json(*again) == json);
  });
}

TEST_CASE("a step's frontier never holds the action taken, nor two alternatives with one context") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  std::size_t frontiers = 0;
  for_each_state(*environment, sample_tasks(), 100, [&](const Episode& episode) {
    if (!episode.over()) return;
    const Trace trace = environment->trace(episode, true).value();
    for (const TraceStep& step : trace.steps) {
      CHECK(step.frontier.size() <= environment->config().frontier_alternatives);
      frontiers += step.frontier.empty() ? 0 : 1;
      for (std::size_t i = 0; i < step.frontier.size(); ++i) {
        CHECK(step.frontier[i].position != *step.position);
        CHECK(step.menu_before[step.frontier[i].position].kind == ActionKind::kLookup);
        for (std::size_t j = 0; j < i; ++j)
          CHECK(step.frontier[i].outcome.new_sentences != step.frontier[j].outcome.new_sentences);
      }
    }
  });
  CHECK(frontiers > 20);
}

TEST_CASE("INIT and blocked turns have no SNC payload, Answer has an empty one") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  Episode episode = environment->reset({"Which river flows through London?", {}, {}, 0}).value();
  REQUIRE(environment->step(episode, std::string_view("no id")).has_value());
  REQUIRE(environment->step(episode, std::size_t{0}).has_value());
  REQUIRE(environment->step(episode, episode.menu().size() - 1).value().ends);
  const Trace trace = environment->trace(episode, true).value();
  CHECK_FALSE(snc_payload(trace, 0).has_value());
  CHECK_FALSE(snc_payload(trace, 1).has_value());
  const auto answer = nlohmann::json::parse(*snc_payload(trace, 3));
  CHECK(answer["taken"]["action_type"] == "ANSWER");
  CHECK(answer["taken"]["produced_sids"].empty());
  CHECK(answer["taken"]["answer_prompt"] == answer["baseline_prompt"]);
}

TEST_CASE("a trace that is none is refused with what is wrong") {
  CHECK(trace_from_json("{").error().code == ErrorCode::kBadInput);
  CHECK(trace_from_json("[]").error().code == ErrorCode::kBadInput);
  CHECK(trace_from_json("{}").error().message.find("trace.version") != std::string::npos);
  CHECK(trace_from_json(R"({"version": 999})").error().code == ErrorCode::kUnsupportedVersion);

  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  Episode episode = environment->reset({"Which river flows through London?", {}, {}, 0}).value();
  REQUIRE(environment->step(episode, std::size_t{0}).has_value());
  auto json = nlohmann::ordered_json::parse(to_json(environment->trace(episode).value()));
  json["steps"][1]["action"] = "A999";
  CHECK(trace_from_json(json.dump()).error().message.find("trace.steps[1].action") != std::string::npos);
  json["steps"][1]["action"] = 3;
  CHECK(trace_from_json(json.dump()).error().code == ErrorCode::kBadInput);
  json["steps"][1].erase("outcome");
  CHECK(trace_from_json(json.dump()).error().code == ErrorCode::kBadInput);
}
