#include <doctest/doctest.h>

#include <string>

#include "credit/rewards/registry.h"
#include "credit/rewards/scope/scope_scores.h"
#include "credit/rewards/scope/solver_output.h"
#include "credit/rewards/search_answer_rewards.h"

using namespace harnessg;
using namespace harnessg::scope;

namespace {

RewardReport scored(const char* name, const Json& record, const Json& settings = Json::object()) {
  const auto plugin = make_reward(name, settings);
  REQUIRE_MESSAGE(plugin.has_value(), plugin.error().message);
  const RewardInput input{"", nullptr, record, {}};
  auto report = score_rewards(**plugin, {&input, 1});
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  return std::move(*report);
}

Json rollout(int searches, const std::string& answer) {
  Json turns = Json::array();
  for (int i = 0; i < searches; ++i) {
    turns.push_back({{"role", "assistant"}, {"content", "<think>Look.</think><search>mill</search>"}});
    turns.push_back({{"role", "user"}, {"content", "<information>The mill made paper.</information>"}});
  }
  turns.push_back({{"role", "assistant"}, {"content", "<think>Done.</think><answer>" + answer + "</answer>"}});
  return {{"turns", turns}, {"rubric", {"a", "b", "c", "d"}}, {"verdicts", {1, 1, 1, 0}}};
}

std::string words(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "w ";
  return text;
}

Json challenge(const Json& gates) {
  return {{"output", "<think>Plan.</think><task>Write about it.</task>"},
          {"searches_asked", 0},
          {"gates", gates},
          {"rubric", {"a", "b", "c"}},
          {"rollouts", {{{"answered", true}, {"score", 0.4}}, {{"answered", true}, {"score", 0.6}}}}};
}

}  // namespace

TEST_CASE("SCOPE: the tent is 0, half, 1, half, 0") {
  CHECK(tent(0) == 0);
  CHECK(tent(0.25) == doctest::Approx(0.5));
  CHECK(tent(0.5) == doctest::Approx(1));
  CHECK(tent(0.75) == doctest::Approx(0.5));
  CHECK(tent(1) == 0);
}

TEST_CASE("SCOPE: the length factor falls along half a cosine to its floor and stays there") {
  CHECK(length_factor(1024) == 1);
  CHECK(length_factor(1536) == doctest::Approx(0.525));
  CHECK(length_factor(2048) == doctest::Approx(0.05));
  CHECK(length_factor(5000) == doctest::Approx(0.05));
  CHECK(length_factor(5000, {1024, 2048, 0.05, true}) == 0);
}

TEST_CASE("SCOPE: a solver's total is rubric + 0.5 format + 0.1 searches") {
  const RewardReport report = scored("scope_solver", rollout(2, "It made paper."));
  CHECK(*report.episodes[0].values[0] == doctest::Approx(0.75));
  CHECK(*report.episodes[0].values[1] == doctest::Approx(1));
  CHECK(*report.episodes[0].values[2] == doctest::Approx(2.0 / 3));
  CHECK(*report.episodes[0].total == doctest::Approx(0.75 + 0.5 + 0.2 / 3));
}

TEST_CASE("SCOPE: an answer padded to twice the length loses") {
  const double plain = *scored("scope_solver", rollout(2, words(900))).episodes[0].total;
  const double padded = *scored("scope_solver", rollout(2, words(1800))).episodes[0].total;
  CHECK(padded < plain - 0.5);
}

TEST_CASE("SCOPE: a solver that never searches loses") {
  const double searching = *scored("scope_solver", rollout(1, "It made paper.")).episodes[0].total;
  const double guessing = *scored("scope_solver", rollout(0, "It made paper.")).episodes[0].total;
  CHECK(guessing == doctest::Approx(searching - 0.5 / 3 - 0.1 / 3));
}

TEST_CASE("SCOPE: a grader that judges under half of the items leaves the rollout without a score") {
  Json record = rollout(1, "It made paper.");
  record["verdicts"] = {1, nullptr, nullptr, nullptr};
  const EpisodeReward episode = scored("scope_solver", record).episodes[0];
  CHECK_FALSE(episode.total);
  CHECK(episode.not_judged == "too few items of the rubric have a verdict");
  CHECK(scored("scope_solver", record, {{"release", true}}).episodes[0].values[0] == 0.0);
}

TEST_CASE("SCOPE: priorities weigh the rubric's items unless they are told not to") {
  Json record = rollout(1, "It made paper.");
  record["rubric"] = {{{"text", "a"}, {"priority", "critical"}}, {{"text", "b"}, {"priority", "bonus"}}};
  record["verdicts"] = {1, 0};
  CHECK(*scored("scope_solver", record).episodes[0].values[0] == doctest::Approx(0.75));
  CHECK(*scored("scope_solver", record, {{"item_weights", "equal"}}).episodes[0].values[0] == doctest::Approx(0.5));
}

TEST_CASE("SCOPE: a generic task earns its difficulty without the gates and nothing with them") {
  const Json generic = challenge({0, 1});
  CHECK(*scored("scope_challenger", generic, {{"gates", false}}).episodes[0].total == doctest::Approx(1.5));
  CHECK(*scored("scope_challenger", generic).episodes[0].total == doctest::Approx(0.5));
}

TEST_CASE("SCOPE: a gate that cannot be read leaves the task without a judgement and keeps its format") {
  const EpisodeReward episode = scored("scope_challenger", challenge({"no score", 1})).episodes[0];
  CHECK_FALSE(episode.values[0]);
  CHECK(episode.values[1] == 1.0);
  CHECK(episode.not_judged == "a gate cannot be read");
}

TEST_CASE("SCOPE: a rollout without an answer counts 0 unless as in the release") {
  const RolloutScore rollouts[] = {{true, 0.5}, {false, std::nullopt}};
  CHECK(*mean_score(rollouts) == doctest::Approx(0.25));
  ChallengerRules release;
  release.release = true;
  CHECK(*mean_score(rollouts, release) == doctest::Approx(0.5));
}

TEST_CASE("SCOPE: an answer drafted in a thought, or cut by a line \"user\", is read as it was meant") {
  CHECK_FALSE(read_solver_output({{true, "<think>draft <answer>Lyon</answer></think> done"}}).answer);
  CHECK(read_solver_output({{true, "<answer>The roles are\nuser\nadmin</answer>"}}).answer ==
        "The roles are\nuser\nadmin");
  CHECK(read_solver_output({{true, "so \\boxed{\\frac{1}{2}}"}}).answer == "\\frac{1}{2}");
}

TEST_CASE("SCOPE: two searches in one turn make up for a turn without only in the release") {
  const std::vector<Turn> turns = {
      {true, "<search>a</search><search>b</search>"}, {true, "I stop."}, {true, "<answer>x</answer>"}};
  CHECK(read_solver(turns).searches == doctest::Approx(0.5));
  SolverRules release;
  release.release = true;
  CHECK(read_solver(turns, release).searches == doctest::Approx(1));
}

TEST_CASE("SCOPE: the stand-in grader meets an item whose words the answer holds") {
  Json record = rollout(1, "The old mill at Lodz made fine paper until 1931.");
  record["rubric"] = {"States that the mill made paper.", "States that it closed in 1931.", "Names its owner Smith."};
  record["verdicts"] = Json::array();
  const Json settings{{"grader", "content_words"}};
  CHECK(*scored("scope_solver", record, settings).episodes[0].values[0] == doctest::Approx(1.0 / 3));
  CHECK_FALSE(scored("scope_solver", record).episodes[0].total);
}

TEST_CASE("Search-R1 and Graph-R1: an answer in a thought or in a retrieved text does not count") {
  const std::vector<std::string> golds = {"paper"};
  CHECK_FALSE(score_search_r1("<think>maybe <answer>paper</answer></think>", golds).answer);
  CHECK_FALSE(score_search_r1("<information>x <answer>paper</answer></information><think>a</think>stop", golds).answer);
  const std::vector<std::string> turns = {"<think>a</think>\n<query>q</query>",
                                          "<think>x <answer>paper</answer></think>\n<answer>steel</answer>"};
  CHECK(score_graph_r1(turns, golds).f1 == 0);
  CHECK(score_graph_r1(turns, golds).format == 1);
}
