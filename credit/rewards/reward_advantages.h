// Advantages of a scored batch.
#pragma once

#include <vector>

#include "credit/rewards/group_advantages.h"
#include "credit/rewards/plugin.h"

namespace harnessg {

// decoupled_advantages of the episode components, weighted as the plugin weighs them (`options.weights` is replaced);
// one an episode, nullopt for the episodes of a group in which a component with a weight was not judged. Steps' and
// groups' components have no part in it. `tokens` as there.
Result<std::vector<RewardValue>> reward_advantages(const RewardPlugin& plugin, const RewardReport& report,
                                                   DecouplingOptions options = {},
                                                   std::span<const std::size_t> tokens = {});

}  // namespace harnessg
