// EAGER as a reward plugin (docs/eager.md).
#pragma once

#include <memory>

#include "credit/rewards/plugin.h"

namespace harnessg::eager {

// Input: a record with "output" and gold, in any form of data_sets.h: its own keys, or an object under "gold"; or a
// trace, whose answer is the output, with such a record beside it. Gold without "text" is about what the episode saw:
// its sentences, joined by spaces.
// Settings: "schemas" (a file, or a list of schemas), "boundary" ("fixed" or "paper"), "over_nothing",
// "grant_nothing_due", "number_spacing", "width", "keep_unknown". Without schemas an output's classes and fields are
// those of its gold, and others are kept. Components: the six rewards. Detail: the failure, empty instances, counts.
// Monitors: failures by kind, empty instances, the six measures over the batch, inversions of the boundary against the
// fixed one.
Result<std::unique_ptr<RewardPlugin>> make_eager_reward(const Json& settings);

}  // namespace harnessg::eager
