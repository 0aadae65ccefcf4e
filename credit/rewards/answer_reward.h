// Answer F1 as a reward.
#pragma once

#include <memory>

#include "credit/rewards/plugin.h"

namespace harnessg {

// Input: a trace, or a record {"output": answer, "answers": [...]}; the trace's answers may come from a record beside
// it. Components "f1" and "em" (weight 0), HotpotQA's, of the best answer. An episode that ended without an answer has
// 0; a question without gold answers is not judged. No settings.
Result<std::unique_ptr<RewardPlugin>> make_answer_reward(const Json& settings);

}  // namespace harnessg
