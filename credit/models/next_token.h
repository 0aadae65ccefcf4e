// What a model says comes next after a text, asked in the plain way: the measure for both ways of scoring a given text.
#pragma once

#include <string>
#include <string_view>

#include "credit/models/token_logprobs.h"

namespace harnessg {

struct NextToken {
  std::string prompt;
  bool with_ids = false;
  TokenAlternative likely;    // the two of the listed alternatives that are furthest apart
  TokenAlternative unlikely;  // and begin with a space, go on with letters
};

// The completions request that all others are made of: `model` is left out when empty; temperature 0.
nlohmann::json completion_request(std::string_view model, const nlohmann::json& prompt, std::size_t max_tokens);

// One request. `prefix` stands before the text that is to be continued, as before every prompt: whether a server's
// log-probabilities are aligned may depend on a prompt's first token. kBadReply without log-probabilities, or when no
// two alternatives can be told apart.
Scored<NextToken> ask_next_token(const CompletionsServer& server, std::string_view model, std::string_view prefix);

// Whether `logprob`, found in another way, is that of `token`: nearer to it than to the other one by far. The two ways
// may differ by the rounding of a quantised model, some tenths.
bool agrees(const NextToken& asked, const TokenAlternative& token, double logprob);

}  // namespace harnessg
