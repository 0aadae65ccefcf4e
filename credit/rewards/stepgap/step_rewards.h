// What typed gaps earn: a base for the type of each step, and a shape for what the next step does about it. The values
// are not published; these are ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/rewards/stepgap/routing.h"

namespace harnessg::stepgap {

enum class StepAction : std::uint8_t { kOther, kRetract, kSearch, kBridgeSearch };

struct RewardedStep {
  std::optional<Gap> gap;  // nullopt: not judged
  StepAction action = StepAction::kOther;
  bool changed = false;  // a retraction took something back; a search brought something new
  bool empty = false;    // neither a claim nor an action
  std::string query;     // of a search
};

struct StepRewardOptions {
  double none = 0.20;  // base, by type
  double irrelevant_evidence = -0.10;
  double contradicted_claim = 0.05;
  double missing_bridge = -0.05;
  double repaired = 0.10;         // shape: the step after a gap repairs it: CC retract, IE search, MB bridge search
  double ignored = -0.10;         // it does not, or there is none
  double near_duplicate = -0.15;  // a query with token Jaccard of 0.8 or more to an earlier one
  double lambda = 0.25;
};

// lambda * mean over the counted steps of [base + shape]; 0 when none is counted, nullopt when a step that is not empty
// was not judged. The first step has no shape but that of a gap left at the end. Three guards: an empty step is not
// counted, so length earns nothing; a retraction is not counted either, and one that changed something takes the
// contradicted claim before it along, so that claiming and retracting is worth exactly not claiming, and words of
// retraction exactly nothing; a search that brought nothing new, or repeats a query, repairs nothing.
std::optional<double> step_reward(std::span<const RewardedStep> steps, const StepRewardOptions& options = {});

// Shared tokens over all tokens, as sets; tokens are runs of letters and digits, ASCII in lower case. 1 for two empty
// texts.
double token_jaccard(std::string_view left, std::string_view right);

}  // namespace harnessg::stepgap
