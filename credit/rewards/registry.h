// Reward plugins by name.
//
//   HARNESSG_ASSIGN(auto plugin, make_reward("eager", {{"boundary", "paper"}, {"weights", {{"format", 0.5}}}}));
//   HARNESSG_ASSIGN(const RewardReport report, score_rewards(*plugin, inputs));
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "credit/rewards/plugin.h"

namespace harnessg {

// Makes a plugin of its settings, an object without "weights", or null. kInvalidArgument with the setting that is
// wrong.
using RewardFactory = std::function<Result<std::unique_ptr<RewardPlugin>>(const Json& settings)>;

// One line in a plugin's own file makes it known to the program that links it:
//   const bool known = register_reward("mine", make_mine);
// False, and nothing done, when the name is taken. Thread-safe.
bool register_reward(std::string name, RewardFactory factory);

// In byte order.
std::vector<std::string> reward_names();

// `settings`: the plugin's, and "weights" by component name. kInvalidArgument for an unknown name (with those there
// are) and what the factory or set_weights refuses.
Result<std::unique_ptr<RewardPlugin>> make_reward(std::string_view name, const Json& settings = Json());

}  // namespace harnessg
