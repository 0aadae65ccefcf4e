#include "credit/rewards/plugin.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "credit/rewards/registry.h"

using namespace harnessg;

namespace {

// A whole plugin: what docs/rewards.md shows.
class OutputLength final : public RewardPlugin {
 public:
  explicit OutputLength(std::size_t limit)
      : RewardPlugin("output_length",
                     {{"short", RewardLevel::kEpisode, 1, "1 when the output has at most `limit` bytes"}}),
        limit_(limit) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Json* output = find_value(inputs[i].record, "output");
      if (!output || !output->is_string()) {
        return fail(ErrorCode::kBadInput, "{}: \"output_length\" needs an \"output\"", place_of(inputs[i], i));
      }
      EpisodeReward episode;
      episode.output = output->get<std::string>();
      episode.values = {episode.output.size() <= limit_ ? 1.0 : 0.0};
      report.episodes.push_back(std::move(episode));
    }
    return {};
  }

 private:
  std::size_t limit_;
};

const bool kKnown = register_reward("output_length", [](const Json& settings) -> Result<std::unique_ptr<RewardPlugin>> {
  const Json* limit = settings.is_object() ? find_value(settings, "limit") : nullptr;
  return std::make_unique<OutputLength>(limit ? limit->get<std::size_t>() : 10);
});

RewardInput record(std::string group, Json object) { return {std::move(group), nullptr, std::move(object), {}}; }

// A plugin with one component a level that gives whatever `fill` says.
CallableReward three_levels(const CallableReward::Function& fill) {
  return {"three",
          {{"g", RewardLevel::kGroup, 100, ""}, {"e", RewardLevel::kEpisode, 10, ""}, {"s", RewardLevel::kStep, 1, ""}},
          fill};
}

Status fill_all(std::span<const RewardInput> inputs, RewardReport& report) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EpisodeReward episode;
    episode.values = {static_cast<double>(i)};
    episode.steps = {{0, {0.25}}, {3, {0.5}}};
    report.episodes.push_back(episode);
  }
  for (GroupReward& group : report.groups) group.values = {static_cast<double>(group.members.size())};
  return {};
}

const Json kGold = {{"text", "The army fired on a bus."},
                    {"events",
                     {{{"type", "Life.Attack"},
                       {"trigger", {{"text", "fired"}, {"start", 9}, {"end", 14}}},
                       {"arguments", {{{"role", "Target"}, {"text", "a bus"}, {"start", 18}, {"end", 23}}}}}}}};

Json rollout(const std::string& output) {
  Json object = kGold;
  object["output"] = output;
  return object;
}

Trace shown_trace() {
  Trace trace;
  trace.sentences[4] = {"p1", "Army", 0, "The army fired"};
  trace.sentences[9] = {"p2", "Bus", 2, "on a bus."};
  trace.seen = {SentenceId{4}, SentenceId{9}};
  trace.selected = {SentenceId{9}};
  trace.steps.resize(3);
  trace.steps[0].outcome.new_sentences = {SentenceId{4}};
  trace.steps[2].outcome.new_sentences = {SentenceId{9}};
  return trace;
}

}  // namespace

TEST_CASE("a registered plugin is made by name, with settings and weights") {
  REQUIRE(kKnown);
  CHECK_FALSE(register_reward("eager", {}));
  const auto plugin = make_reward("output_length", {{"limit", 3}, {"weights", {{"short", 0.5}}}});
  REQUIRE(plugin);
  const std::vector<RewardInput> inputs = {record("", {{"output", "abc"}}), record("", {{"output", "abcd"}})};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE(report);
  CHECK(report->episodes[0].total == 0.5);
  CHECK(report->episodes[1].total == 0);
}

TEST_CASE("an unknown reward, setting or weight is refused with what there is") {
  CHECK(make_reward("egaer").error().message.find(
            "answer_f1, eager, evidence_recall, graph_r1, output_length, scope_") != std::string::npos);
  CHECK(make_reward("eager", {{"bounds", 1}}).error().message.find("boundary") != std::string::npos);
  CHECK(make_reward("eager", {{"boundary", "loose"}}).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_reward("eager", {{"weights", {{"speed", 1}}}}).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_reward("eager", {{"weights", {{"format", "1"}}}}).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_reward("eager", Json::array()).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("a total is the weighted sum over an episode, its steps and its group") {
  const std::vector<RewardInput> inputs = {record("b", {}), record("a", {}), record("b", {}), record("", {}),
                                           record("", {})};
  const auto report = score_rewards(three_levels(fill_all), inputs);
  REQUIRE(report);
  REQUIRE(report->groups.size() == 4);
  CHECK(report->groups[0].group == "b");
  CHECK(report->groups[0].members == std::vector<std::size_t>{0, 2});
  CHECK(report->episodes[0].total == 200 + 0 + 0.75);
  CHECK(report->episodes[1].total == 100 + 10 + 0.75);
  CHECK(report->episodes[2].total == 200 + 20 + 0.75);
  CHECK(report->monitors["collapse"]["total"]["groups"] == 4);
  CHECK(report->monitors["collapse"]["components"]["e"]["causes"]["single"] == 3);
}

TEST_CASE("what was not judged has no total, and needs a reason") {
  const std::vector<RewardInput> inputs = {record("", {})};
  EpisodeReward silent;
  silent.values = {std::nullopt};
  const auto give = [](const EpisodeReward& episode) {
    return three_levels([episode](std::span<const RewardInput>, RewardReport& report) -> Status {
      report.episodes = {episode};
      report.groups[0].values = {0.0};
      return {};
    });
  };
  CHECK(score_rewards(give(silent), inputs).error().message.find("\"three\"") != std::string::npos);
  EpisodeReward told = silent;
  told.not_judged = "the judge was down";
  const auto report = score_rewards(give(told), inputs);
  REQUIRE(report);
  CHECK_FALSE(report->episodes[0].total.has_value());
  CHECK(report->monitors["collapse"]["total"]["groups"] == 0);
}

TEST_CASE("a plugin is held to its contract") {
  const std::vector<RewardInput> inputs = {record("", {})};
  const auto code = [&](const std::function<void(RewardReport&)>& spoil) {
    const auto report = score_rewards(three_levels([&](std::span<const RewardInput> all, RewardReport& own) -> Status {
                                        HARNESSG_RETURN_IF_ERROR(fill_all(all, own));
                                        spoil(own);
                                        return {};
                                      }),
                                      inputs);
    return report ? ErrorCode::kEnded : report.error().code;
  };
  CHECK(code([](RewardReport&) {}) == ErrorCode::kEnded);
  CHECK(code([](RewardReport& report) { report.episodes.clear(); }) == ErrorCode::kInternal);
  CHECK(code([](RewardReport& report) { report.episodes[0].values.push_back(1.0); }) == ErrorCode::kInternal);
  CHECK(code([](RewardReport& report) { report.episodes[0].values = {std::nan("")}; }) == ErrorCode::kInternal);
  CHECK(code([](RewardReport& report) { report.episodes[0].steps[1].step = 0; }) == ErrorCode::kInternal);
  CHECK(code([](RewardReport& report) { report.groups[0].values.clear(); }) == ErrorCode::kInternal);
  CHECK(code([](RewardReport&) { throw std::runtime_error("no power"); }) == ErrorCode::kUnavailable);
}

TEST_CASE("eager scores records in groups, with monitors") {
  const auto plugin = make_reward("eager");
  REQUIRE(plugin);
  const std::vector<RewardInput> inputs = {
      record("1", rollout("[Life_Attack('fired', target='a bus')]")), record("1", rollout("[Life_Attack('fired')]")),
      record("2", rollout("none")), record("2", rollout("nothing")), record("3", {{"output", "[]"}, {"gold", kGold}})};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->episodes[0].total == 6);
  CHECK(report->episodes[1].total < 6);
  CHECK(report->episodes[2].total == 0);
  CHECK(report->episodes[2].detail["failure"]["kind"] == "prose");
  CHECK(report->monitors["failures"] == Json{{"prose", 2}});
  CHECK(report->monitors["collapse"]["total"]["causes"]["all_failed"] == 1);
  CHECK(report->monitors["collapse"]["drop"] == Json{"2", "3"});
  CHECK(report->monitors["measures"]["TI"]["gold"] == 5);
  CHECK(report->monitors["boundary_inversion"]["inverted"] == 0);
}

TEST_CASE("eager's monitor reports the published boundary's inversion") {
  const auto plugin = make_reward("eager", {{"boundary", "paper"}});
  REQUIRE(plugin);
  const std::vector<RewardInput> inputs = {record("1", rollout("[Life_Attack('fired', target='a bus')]")),
                                           record("1", rollout("[Life_Attack('fired', target='on a bus')]"))};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE(report);
  CHECK(report->monitors["boundary_inversion"] == Json{{"ordered", 1}, {"inverted", 1}, {"rate", 1.0}});
}

TEST_CASE("eager takes schemas, and an episode's answer about what it saw") {
  const auto plugin = make_reward(
      "eager", {{"schemas", {{{"type", "Life.Attack"}, {"class", "Attack"}, {"roles", {{{"role", "Target"}}}}}}}});
  REQUIRE_MESSAGE(plugin.has_value(), plugin.error().message);
  Trace trace = shown_trace();
  trace.answer = "[Attack('fired', target='a bus')]";
  Json gold = kGold;
  gold.erase("text");
  const std::vector<RewardInput> inputs = {{"", &trace, gold, {}}};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->episodes[0].total == 6);
  trace.answer.reset();
  const auto running = score_rewards(**plugin, inputs);
  CHECK(running->episodes[0].not_judged == "the episode is not over");
  CHECK_FALSE(running->episodes[0].total.has_value());
  CHECK(running->monitors["outputs"] == 0);
  trace.ended = true;
  CHECK(score_rewards(**plugin, inputs)->episodes[0].not_judged == "the episode ended without the text of its answer");
  trace.ended = false;
  trace.truncated = true;
  CHECK(score_rewards(**plugin, inputs)->episodes[0].total == 0);
  CHECK(score_rewards(**plugin, inputs)->episodes[0].detail["failure"]["kind"] == "empty");
  CHECK(score_rewards(**plugin, std::vector{record("", rollout("[Bomb()]"))})->episodes[0].detail["failure"]["kind"] ==
        "unknown_class");
}

TEST_CASE("an input that lacks what a plugin needs is refused with its place") {
  const auto message = [](const std::string& name, RewardInput input) {
    input.place = {"rollouts.jsonl", 12};
    const auto report = score_rewards(*make_reward(name).value(), {&input, 1});
    return report ? std::string() : report.error().message;
  };
  CHECK(message("eager", record("", kGold)).starts_with("rollouts.jsonl:12: "));
  CHECK(message("eager", record("", {{"output", "[]"}})).starts_with("rollouts.jsonl:12: "));
  CHECK(message("evidence_recall", record("", kGold)).starts_with("rollouts.jsonl:12: "));
  CHECK(message("answer_f1", record("", {{"output", 3}})).starts_with("rollouts.jsonl:12: "));
}

TEST_CASE("answer F1 takes records and traces, and does not judge without gold") {
  const auto plugin = make_reward("answer_f1");
  REQUIRE(plugin);
  Trace trace;
  trace.answer = "the Volga river";
  trace.answers = {"Volga", "Itil"};
  const std::vector<RewardInput> inputs = {record("", {{"output", "Volga"}, {"answers", {"Volga"}}}),
                                           {"", &trace, Json(), {}},
                                           record("", {{"output", "Volga"}})};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE(report);
  CHECK(report->episodes[0].total == 1);
  CHECK(report->episodes[1].total == doctest::Approx(2.0 / 3));
  CHECK_FALSE(report->episodes[2].total.has_value());
}

TEST_CASE("evidence recall credits the steps that showed a fact first") {
  const auto plugin = make_reward("evidence_recall", {{"weights", {{"gain", 1}, {"selected", 0}}}});
  REQUIRE(plugin);
  const Trace trace = shown_trace();
  const Json facts = {
      {"supporting_facts",
       {{{"paragraph", "p1"}}, {{"title", "Bus"}, {"sentence", 2}}, {{"title", "Bus"}, {"sentence", 1}}}}};
  const std::vector<RewardInput> inputs = {{"", &trace, facts, {}}};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->episodes[0].values == std::vector<RewardValue>{1.0 / 3, 2.0 / 3});
  CHECK(report->episodes[0].steps == std::vector<StepReward>{{0, {1.0 / 3}}, {2, {1.0 / 3}}});
  CHECK(report->episodes[0].total == 2.0 / 3);
}

TEST_CASE("several rewards are one, with their weights") {
  const Json parts = {{{"reward", "answer_f1"}, {"weight", 2}},
                      {{"reward", "evidence_recall"}, {"as", "evidence"}, {"settings", {{"weights", {{"gain", 3}}}}}}};
  const auto plugin = make_reward("sum", {{"parts", parts}, {"weights", {{"evidence.seen", 10}}}});
  REQUIRE_MESSAGE(plugin.has_value(), plugin.error().message);
  Trace trace = shown_trace();
  trace.answer = "x";
  trace.answers = {"x"};
  const Json fact = {{"supporting_facts", {{{"paragraph", "p2"}}}}};
  const std::vector<RewardInput> inputs = {{"q", &trace, fact, {}}, {"q", &trace, Json::object(), {}}};
  const auto report = score_rewards(**plugin, inputs);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  CHECK(report->episodes[0].total == 2 + 1 + 10 + 3);
  CHECK(report->episodes[1].values[0] == 1);
  CHECK(report->episodes[1].not_judged.starts_with("evidence: "));
  CHECK_FALSE(report->episodes[1].total.has_value());
  CHECK(report->monitors.contains("evidence"));
  CHECK_FALSE(make_reward("sum", {{"parts", {{{"reward", "eager"}}, {{"reward", "eager"}}}}}));
  CHECK_FALSE(make_reward("sum"));
}

TEST_CASE("an input's rewards do not depend on the rest of the batch") {
  const auto plugin = make_reward("eager");
  REQUIRE(plugin);
  std::vector<RewardInput> inputs;
  for (const char* output : {"[Life_Attack('fired', target='a bus')]", "[]", "?", "[Life_Attack(), Die('bus')]"}) {
    inputs.push_back(record("g", rollout(output)));
  }
  const auto whole = score_rewards(**plugin, inputs);
  REQUIRE(whole);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = score_rewards(**plugin, {&inputs[i], 1});
    REQUIRE(alone);
    CHECK(alone->episodes[0] == whole->episodes[i]);
  }
}
