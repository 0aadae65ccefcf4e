// Scoring by prompt log-probabilities: the answer is part of the prompt, and the server tells what it thinks of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/next_token.h"

namespace harnessg {

// The tokens at the end of `choice` that make up job.answer, found by their texts; the token that the server was made
// to add is left out. kBadReply when the prompt is not echoed, or the texts do not add up: a token holds the end of the
// prompt too, or a part of a character.
Scored<std::span<const TokenLogprob>> answer_tokens(const CompletionChoice& choice, const AnswerJob& job);

class PromptLogprobs final : public LogprobSource {
 public:
  // Whether the server gives prompt log-probabilities, and gives each token its own: asks for two prompts that end in
  // the words of `asked`. kBadReply with what it lacks. 1 to 3 requests; `server` outlives the source.
  static Scored<std::unique_ptr<LogprobSource>> probe(const CompletionsServer& server, std::string_view model,
                                                      const NextToken& asked);

  std::size_t jobs_per_request() const override { return jobs_per_request_; }
  std::vector<Scored<double>> mean_logprobs(std::span<const AnswerJob> jobs) const override;

 private:
  PromptLogprobs(const CompletionsServer& server, std::string_view model) : server_(server), model_(model) {}

  Scored<std::vector<CompletionChoice>> echo(std::span<const AnswerJob> jobs) const;
  Scored<std::vector<CompletionChoice>> echo_any_number(std::span<const AnswerJob> jobs);
  Scored<double> mean_by_counting(const AnswerJob& job) const;
  Scored<std::vector<TokenLogprob>> prompt_tokens(const std::string& text) const;

  const CompletionsServer& server_;
  std::string model_;
  std::size_t jobs_per_request_ = 1;
};

}  // namespace harnessg
