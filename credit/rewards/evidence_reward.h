// Recall of supporting sentences as a reward.
#pragma once

#include <memory>

#include "credit/rewards/plugin.h"

namespace harnessg {

// Input: a trace with a record {"supporting_facts": [{"paragraph": record id or "title": title, "sentence"?: position},
// ...]}. Components: "selected" and "seen", the share of facts of which a sentence was selected or shown (a fact
// without a sentence: any of its paragraph), and of each step "gain", the share it showed first (weight 0: they sum to
// "seen"). Without facts an episode is not judged. No settings.
Result<std::unique_ptr<RewardPlugin>> make_evidence_reward(const Json& settings);

}  // namespace harnessg
