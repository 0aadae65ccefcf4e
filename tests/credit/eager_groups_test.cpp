#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "credit/rewards/eager/prompts.h"
#include "credit/rewards/eager/rewards.h"
#include "credit/rewards/group_advantages.h"
#include "credit/rewards/group_monitor.h"
#include "data/splitmix.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

std::vector<std::vector<double>> column(const std::vector<double>& values) {
  std::vector<std::vector<double>> rows;
  for (const double value : values) rows.push_back({value});
  return rows;
}

SchemaSet types(std::size_t count) {
  std::vector<EventSchema> schemas;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "Type" + std::to_string(i);
    schemas.push_back({name, name, "How to know " + name + ".", {{"Who", "who", "Who did it."}}});
  }
  return SchemaSet::make(std::move(schemas)).value();
}

const EventRecord kRecord{"r1", "A \"text\".", {{"Type3", {"text", {}}, {}}, {"Type7", {"text", {}}, {}}}};

std::vector<std::size_t> drawn(std::size_t rollout, const PromptOptions& options, const EventRecord& record = kRecord) {
  const auto shown = draw_schemas(record, types(30), rollout, options);
  REQUIRE(shown);
  return *shown;
}

}  // namespace

TEST_CASE("RDN of 0.8, 0.3, 0.6, 0.5 is 1.39, -1.39, 0.28, -0.28") {
  const std::vector<std::size_t> groups(4, 0);
  const auto advantages = decoupled_advantages(column({0.8, 0.3, 0.6, 0.5}), groups);
  REQUIRE(advantages);
  const double deviation = std::sqrt(0.0325) + 1e-6;
  const double expected[] = {0.25 / deviation, -0.25 / deviation, 0.05 / deviation, -0.05 / deviation};
  for (std::size_t i = 0; i < 4; ++i) CHECK(advantages->at(i) == doctest::Approx(expected[i]).epsilon(1e-12));
  CHECK(advantages->at(0) == doctest::Approx(1.39).epsilon(0.003));
  CHECK(advantages->at(2) == doctest::Approx(0.28).epsilon(0.01));
}

TEST_CASE("RDN normalises each reward within its group, weights and adds") {
  const std::vector<std::vector<double>> rewards = {{1, 100}, {0, 300}, {5, 1}, {5, 2}};
  const std::vector<std::size_t> groups = {7, 7, 2, 2};
  const auto plain = decoupled_advantages(rewards, groups);
  REQUIRE(plain);
  for (const double advantage : {plain->at(0), plain->at(1)}) CHECK(std::abs(advantage) < 1e-5);  // 1 - 1
  CHECK(plain->at(3) == doctest::Approx(1).epsilon(1e-5));
  const auto weighted = decoupled_advantages(rewards, groups, {.weights = {3, 1}});
  REQUIRE(weighted);
  CHECK(weighted->at(0) == doctest::Approx(2).epsilon(1e-5));
}

TEST_CASE("equal rewards and lone rollouts give exactly nothing") {
  const std::vector<std::size_t> groups = {0, 0, 0, 1};
  for (const auto& options : {DecouplingOptions::rdn(), DecouplingOptions::gdpo()}) {
    const auto advantages = decoupled_advantages(column({0.1, 0.1, 0.1, 0.7}), groups, options);
    REQUIRE(advantages);
    for (const double advantage : *advantages) CHECK(advantage == 0);
  }
}

TEST_CASE("what cannot be normalised is refused") {
  const std::vector<std::size_t> one = {0};
  const std::vector<std::size_t> two = {0, 0};
  CHECK_FALSE(decoupled_advantages(column({1, 2}), one));
  CHECK_FALSE(decoupled_advantages(column({1, std::nan("")}), two));
  CHECK_FALSE(decoupled_advantages(column({1, HUGE_VAL}), two));
  CHECK_FALSE(decoupled_advantages(column({1, 2}), two, {.epsilon = 0}));
  CHECK_FALSE(decoupled_advantages(column({1, 2}), two, {.weights = {1, 2}}));
  CHECK_FALSE(decoupled_advantages(column({1, 2}), two, DecouplingOptions::gdpo_tokens()));
  CHECK(decoupled_advantages({}, {})->empty());
}

TEST_CASE("collapse is counted for each reward and the total, with its cause") {
  const std::vector<std::vector<double>> rewards = {{1, 0}, {0, 1}, {1, 1}, {1, 1}, {0, 0},
                                                    {0, 0}, {1, 0}, {1, 0}, {1, 1}};
  const std::vector<std::size_t> groups = {0, 0, 5, 5, 3, 3, 4, 4, 9};
  const char* const outputs[] = {"a", "b", "c", "c", "d", "e", "f", "g", "h"};
  std::vector<MonitoredRollout> rollouts;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    rollouts.push_back({groups[i], rewards[i], rewards[i][0] + rewards[i][1], outputs[i], groups[i] == 3});
  }
  const auto report = measure_collapse(rollouts);
  REQUIRE(report);
  CHECK(report->total == CollapseRate{5, 5, {1, 1, 1, 2}});
  CHECK(report->rewards.at(0) == CollapseRate{5, 4, {1, 1, 1, 1}});
  CHECK(report->rewards.at(0).rate() == 0.8);
  CHECK(report->drop == std::vector<std::size_t>{0, 5, 3, 4, 9});
}

TEST_CASE("the monitor reports the published boundary's inversion, and none of the fixed one") {
  const std::string text = "x a b c d";
  const auto instance = Instance::make({"i", text, {{"E", {"x", Span{0, 1}}, {{"r", {"a b c", Span{2, 7}}}}}}});
  REQUIRE(instance);
  std::vector<double> paper;
  std::vector<double> fixed;
  for (const std::string claimed : {"a b c", "a b c d", "a b"}) {
    const Judgement judgement = judge(*instance, parse_output("[E('x', r='" + claimed + "')]"));
    paper.push_back(judgement.boundary.paper());
    fixed.push_back(judgement.boundary.fixed(1));
  }
  const std::vector<std::size_t> groups(3, 0);
  CHECK(count_inversions(paper, fixed, groups).value() == Inversions{3, 2});
  CHECK(count_inversions(fixed, fixed, groups).value() == Inversions{3, 0});
}

TEST_CASE("inversions are those that comparing every pair finds") {
  SplitMix random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> reward;
    std::vector<double> reference;
    std::vector<std::size_t> groups;
    for (int i = 0; i < 40; ++i) {
      reward.push_back(static_cast<double>(random.next() % 5));
      reference.push_back(static_cast<double>(random.next() % 5));
      groups.push_back(random.next() % 3);
    }
    Inversions expected;
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 40; ++j) {
        if (groups[i] != groups[j] || !(reference[i] < reference[j])) continue;
        expected.ordered += 1;
        expected.inverted += reward[i] > reward[j] ? 1 : 0;
      }
    }
    CHECK(count_inversions(reward, reference, groups).value() == expected);
  }
}

TEST_CASE("a rollout is shown its gold schemas and ten others, shuffled, and always the same ones") {
  std::set<std::vector<std::size_t>> draws;
  for (std::size_t rollout = 0; rollout < 20; ++rollout) {
    const std::vector<std::size_t> shown = drawn(rollout, {.seed = 1});
    CHECK(shown == drawn(rollout, {.seed = 1}));
    CHECK(shown.size() == 12);
    CHECK(std::set<std::size_t>(shown.begin(), shown.end()).size() == 12);
    CHECK(std::count(shown.begin(), shown.end(), 3) == 1);
    CHECK(std::count(shown.begin(), shown.end(), 7) == 1);
    draws.insert(shown);
  }
  CHECK(draws.size() == 20);
  CHECK(drawn(0, {.seed = 1}) != drawn(0, {.seed = 2}));
  EventRecord other = kRecord;
  other.id = "r2";
  CHECK(drawn(0, {.seed = 1}) != drawn(0, {.seed = 1}, other));
}

TEST_CASE("every negative, and every place, is drawn about as often") {
  std::vector<std::size_t> times(30, 0);
  std::vector<std::size_t> gold_place(12, 0);
  for (std::size_t rollout = 0; rollout < 2800; ++rollout) {
    const std::vector<std::size_t> shown = drawn(rollout, {});
    for (const std::size_t schema : shown) times[schema] += 1;
    gold_place[static_cast<std::size_t>(std::find(shown.begin(), shown.end(), 3) - shown.begin())] += 1;
  }
  for (std::size_t i = 0; i < 30; ++i) {
    if (i == 3 || i == 7) continue;
    CHECK(times[i] > 850);  // 1000 expected
    CHECK(times[i] < 1150);
  }
  for (const std::size_t count : gold_place) CHECK(std::abs(static_cast<double>(count) - 2800.0 / 12) < 80);
}

TEST_CASE("the control draws once a group, evaluation shows all, and a small set gives what it has") {
  const PromptOptions control{.draw = SchemaDraw::kPerGroup, .seed = 4};
  CHECK(drawn(0, control) == drawn(17, control));
  const std::vector<std::size_t> all = drawn(3, {.draw = SchemaDraw::kAll});
  CHECK(all.size() == 30);
  CHECK(std::is_sorted(all.begin(), all.end()));
  CHECK(drawn(0, {.negatives = 100}).size() == 30);
  CHECK(drawn(0, {.negatives = 0}).size() == 2);
  CHECK_FALSE(draw_schemas(kRecord, types(5), 0));
}

TEST_CASE("a prompt holds the instruction, the guidelines and the text") {
  const auto prompt = rollout_prompt(kRecord, types(8), 0, {.negatives = 0, .instruction = "Find\nevents."});
  REQUIRE(prompt);
  const std::string type3 =
      "@dataclass\nclass Type3(Event):\n    \"How to know Type3.\"\n\n    mention: str  # the words that name the "
      "event\n"
      "    who: List[str]  # Who did it.\n\n\n";
  CHECK(prompt->starts_with("# Find\n# events.\n\n@dataclass\n"));
  CHECK(prompt->find(type3) != std::string::npos);
  CHECK(prompt->ends_with("text = \"A \\\"text\\\".\"\n\n# The events of the text\nresult = "));
}
