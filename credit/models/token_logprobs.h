// Tokens and their log-probabilities in the reply of a completions server, in both of the forms that servers have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/completions_server.h"

namespace harnessg {

struct TokenAlternative {
  std::optional<std::int64_t> id;  // where the server tells
  std::string text;
  double logprob = 0;
};

struct TokenLogprob {
  std::optional<std::int64_t> id;
  std::string text;               // as the server shows it: part of a character may be anything
  std::optional<double> logprob;  // none for the first token of a prompt
  std::vector<TokenAlternative> alternatives;
};

struct CompletionChoice {
  std::string text;
  std::vector<TokenLogprob> tokens;
};

// The choices of a reply, by their "index". kBadReply when there are not `expected` of them, one each, or one has no
// text or no tokens with log-probabilities: "logprobs" as lists ("tokens", "token_logprobs", "top_logprobs": OpenAI's
// completions, vLLM, llama-cpp-python), or as objects ("content": llama.cpp's server).
Scored<std::vector<CompletionChoice>> read_choices(const nlohmann::json& reply, std::size_t expected);

// (1/n) * sum of the tokens' log-probabilities. kBadReply when there is no token or one has none; kOutOfRange when one
// is greater than 0 by more than rounding.
Scored<double> mean_logprob(std::span<const TokenLogprob> tokens);

// A way to have a server score given texts. Thread-safe.
struct AnswerJob {
  std::string prompt;  // PromptTemplate::up_to_answer
  std::string answer;  // what follows it
};
class LogprobSource {
 public:
  virtual ~LogprobSource() = default;
  virtual std::size_t jobs_per_request() const = 0;
  // One mean log-probability of the answer's own tokens a job, in order; at most jobs_per_request() jobs.
  virtual std::vector<Scored<double>> mean_logprobs(std::span<const AnswerJob> jobs) const = 0;
};

}  // namespace harnessg
