// Several rewards as one.
#pragma once

#include <memory>

#include "credit/rewards/plugin.h"

namespace harnessg {

// Settings: {"parts": [{"reward": name, "as"?: its name here, "weight"?: 1, "settings"?: its own}, ...]}. Components
// are the parts', named "part.component", their weights times the part's; details and monitors are by part. An input
// that one part does not judge lacks only that part's values. Two parts of one name need an "as".
Result<std::unique_ptr<RewardPlugin>> make_reward_sum(const Json& settings);

}  // namespace harnessg
