// Requests of a scorer as jobs of a language model, one an alias, with a few on their way at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "credit/models/answer_text.h"
#include "credit/models/token_logprobs.h"

namespace harnessg {

// The best alias's exp(mean log-probability) a request, in order. A request one of whose aliases is not scored is not
// scored either: the one missing might have been the best. A g too small for a double is the smallest positive one.
// After max(3, concurrency) failures in a row (kUnavailable, kTimedOut) the rest is not asked and not scored for the
// same reason.
std::vector<Score> score_answers(const LogprobSource& source, const PromptTemplate& prompt_template,
                                 std::size_t concurrency, std::span<const ScoreRequest> requests);

}  // namespace harnessg
