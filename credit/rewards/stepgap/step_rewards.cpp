#include "credit/rewards/stepgap/step_rewards.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace harnessg::stepgap {
namespace {

constexpr double kNearDuplicate = 0.8;

std::set<std::string> tokens_of(std::string_view text) {
  std::set<std::string> tokens;
  std::string token;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept =
        upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) >> 7U);
    if (kept) {
      token += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!token.empty()) {
      tokens.insert(std::exchange(token, {}));
    }
  }
  if (!token.empty()) tokens.insert(token);
  return tokens;
}

bool is_search(const RewardedStep& step) {
  return step.action == StepAction::kSearch || step.action == StepAction::kBridgeSearch;
}

double base(Gap gap, const StepRewardOptions& options) {
  switch (gap) {
    case Gap::kNone:
      return options.none;
    case Gap::kContradictedClaim:
      return options.contradicted_claim;
    case Gap::kIrrelevantEvidence:
      return options.irrelevant_evidence;
    case Gap::kMissingBridge:
      return options.missing_bridge;
  }
  return 0;
}

// Retractions are not counted: one that changed something took its gap along.
bool repairs(const RewardedStep& step, Gap gap) {
  if (!step.changed) return false;
  if (gap == Gap::kIrrelevantEvidence) return is_search(step);
  return gap == Gap::kMissingBridge && step.action == StepAction::kBridgeSearch;
}

std::vector<const RewardedStep*> counted(std::span<const RewardedStep> steps) {
  std::vector<const RewardedStep*> kept;
  for (const RewardedStep& step : steps) {
    if (step.empty) continue;
    if (step.action == StepAction::kRetract) {
      if (step.changed && !kept.empty() && kept.back()->gap == Gap::kContradictedClaim) kept.pop_back();
    } else {
      kept.push_back(&step);
    }
  }
  return kept;
}

bool repeats(const std::vector<const RewardedStep*>& steps, std::size_t position) {
  return is_search(*steps[position]) &&
         std::any_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(position), [&](const auto* earlier) {
           return is_search(*earlier) && token_jaccard(earlier->query, steps[position]->query) >= kNearDuplicate;
         });
}

}  // namespace

double token_jaccard(std::string_view left, std::string_view right) {
  const auto a = tokens_of(left);
  const auto b = tokens_of(right);
  const auto shared = std::count_if(a.begin(), a.end(), [&](const std::string& token) { return b.contains(token); });
  const auto all = a.size() + b.size() - static_cast<std::size_t>(shared);
  return all == 0 ? 1.0 : static_cast<double>(shared) / static_cast<double>(all);
}

std::optional<double> step_reward(std::span<const RewardedStep> steps, const StepRewardOptions& options) {
  if (std::any_of(steps.begin(), steps.end(), [](const RewardedStep& step) { return !step.empty && !step.gap; })) {
    return std::nullopt;
  }
  const auto kept = counted(steps);
  if (kept.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    sum += base(*kept[i]->gap, options);
    if (i == 0) continue;
    const bool repeated = repeats(kept, i);
    const Gap before = *kept[i - 1]->gap;
    if (repeated) sum += options.near_duplicate;
    if (before != Gap::kNone) sum += repairs(*kept[i], before) && !repeated ? options.repaired : options.ignored;
  }
  if (*kept.back()->gap != Gap::kNone) sum += options.ignored;
  return options.lambda * sum / static_cast<double>(kept.size());
}

}  // namespace harnessg::stepgap
