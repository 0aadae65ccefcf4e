// What typed gaps earn, by hand, and that the ways to farm it earn nothing.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "credit/rewards/stepgap/step_rewards.h"

using namespace harnessg::stepgap;

namespace {

using Steps = std::vector<RewardedStep>;

RewardedStep claim(Gap gap) { return {.gap = gap, .query = {}}; }
RewardedStep retract(bool changed) {
  return {.gap = Gap::kNone, .action = StepAction::kRetract, .changed = changed, .query = {}};
}
RewardedStep search(const char* query, StepAction action = StepAction::kSearch, bool changed = true) {
  return {.gap = Gap::kNone, .action = action, .changed = changed, .query = query};
}
double earned(const Steps& steps) { return step_reward(steps).value(); }

Steps random_steps(std::mt19937& random) {
  Steps steps;
  for (std::size_t count = random() % 6; count > 0; --count) {
    RewardedStep step = search(random() % 2 ? "paper mill denny" : "owner birthplace",
                               static_cast<StepAction>(random() % 4), random() % 2 == 0);
    step.gap = static_cast<Gap>(random() % 4);
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

TEST_CASE("a gap repaired, ignored, or left at the end") {
  const auto reward = [](double sum, double count) { return doctest::Approx(0.25 * sum / count); };
  CHECK(earned({}) == 0);
  CHECK(earned({claim(Gap::kNone)}) == reward(0.20, 1));
  CHECK(earned({claim(Gap::kContradictedClaim)}) == reward(0.05 - 0.10, 1));
  CHECK(earned({claim(Gap::kIrrelevantEvidence), search("a")}) == reward(-0.10 + 0.20 + 0.10, 2));
  CHECK(earned({claim(Gap::kIrrelevantEvidence), search("a", StepAction::kSearch, false)}) ==
        reward(-0.10 + 0.20 - 0.10, 2));
  CHECK(earned({claim(Gap::kMissingBridge), search("a")}) == reward(-0.05 + 0.20 - 0.10, 2));
  CHECK(earned({claim(Gap::kMissingBridge), search("a", StepAction::kBridgeSearch)}) == reward(-0.05 + 0.20 + 0.10, 2));
}

TEST_CASE("a step that was not judged leaves the reward not judged") {
  Steps steps{claim(Gap::kNone), claim(Gap::kNone)};
  steps[1].gap.reset();
  CHECK_FALSE(step_reward(steps));
}

TEST_CASE("a near-duplicate query costs, and repairs nothing") {
  const double other = earned({search("a b c d e"), claim(Gap::kIrrelevantEvidence), search("v w x y z")});
  const double same = earned({search("a b c d e"), claim(Gap::kIrrelevantEvidence), search("E, d c B")});  // 4 of 5
  CHECK(other - same == doctest::Approx(0.25 * (0.15 + 0.20) / 3));
  CHECK(earned({search("a b c d e"), search("a b c x e")}) == doctest::Approx(0.25 * 0.20));  // 4 of 6
  CHECK(token_jaccard("Paper, MILL!", "mill paper") == 1);
  CHECK(token_jaccard("a b c d e", "a b c d") == doctest::Approx(0.8));
}

TEST_CASE("50 empty steps anywhere, claims that are taken back and words of retraction are worth nothing") {
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    const Steps steps = random_steps(random);
    const double before = earned(steps);
    Steps longer = steps;
    RewardedStep empty = claim(Gap::kNone);
    empty.empty = true;
    for (int i = 0; i < 50; ++i) {
      longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(random() % (longer.size() + 1)), empty);
    }
    CHECK(earned(longer) == before);

    Steps farmed = steps;
    const Steps pair{claim(Gap::kContradictedClaim), retract(true)};
    farmed.insert(farmed.begin() + static_cast<std::ptrdiff_t>(random() % (farmed.size() + 1)), pair.begin(),
                  pair.end());
    CHECK(earned(farmed) == before);

    Steps words = steps;
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(random() % (words.size() + 1)), retract(false));
    CHECK(earned(words) == before);
  }
  CHECK(earned({claim(Gap::kContradictedClaim), retract(false)}) < 0);
}
