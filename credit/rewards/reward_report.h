// A scored batch as JSON lines.
#pragma once

#include <span>
#include <string>

#include "credit/rewards/plugin.h"

namespace harnessg {

// One line: {"input", "group", "total", "advantage", "components": {name: value}, "steps": [{"step", name: value}],
// "not_judged", "detail"}; what was not judged is null. "components" are those of the episode and of its group.
std::string episode_reward_json(const RewardPlugin& plugin, std::span<const RewardInput> inputs,
                                const RewardReport& report, std::span<const RewardValue> advantages,
                                std::size_t position);

// One line: {"reward", "weights", "episodes", "groups", "means": {name: over the judged}, "monitors"}.
std::string reward_summary_json(const RewardPlugin& plugin, const RewardReport& report);

// The mean of each component over its judged values, in the order of components(); nullopt where there is none.
std::vector<RewardValue> mean_rewards(const RewardPlugin& plugin, const RewardReport& report);

}  // namespace harnessg
