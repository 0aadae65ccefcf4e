// Scoring by forced decoding: a grammar of token ids leaves the model one token at each place, and the server tells how
// probable it was without the grammar (llama.cpp's own server).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "credit/models/next_token.h"

namespace harnessg {

class ForcedDecoding final : public LogprobSource {
 public:
  // Whether the server has /tokenize, obeys such a grammar, and leaves the log-probabilities as they are without it:
  // forces the two words of `asked`. kBadReply with what it lacks. 3 requests; `server` outlives the source.
  static Scored<std::unique_ptr<LogprobSource>> probe(const CompletionsServer& server, std::string_view model,
                                                      const NextToken& asked);

  std::size_t jobs_per_request() const override { return 1; }
  std::vector<Scored<double>> mean_logprobs(std::span<const AnswerJob> jobs) const override;

 private:
  struct Token {
    std::int64_t id = 0;
    bool whole = true;  // false: it holds a part of a character
  };
  using Tokens = std::vector<Token>;

  ForcedDecoding(const CompletionsServer& server, std::string_view model) : server_(server), model_(model) {}

  Scored<Tokens> tokenize(std::string_view text, bool begins_prompt) const;
  Scored<Tokens> answer_tokens(const std::string& answer) const;
  // `prompt` is a text or a list of ids.
  Scored<std::vector<TokenLogprob>> force(const nlohmann::json& prompt, std::span<const Token> tokens) const;
  Scored<std::vector<TokenLogprob>> force_one_by_one(const std::string& prompt, const Tokens& tokens) const;
  Scored<TokenLogprob> look_up(const nlohmann::json& prompt, const Token& token) const;
  Scored<CompletionChoice> complete(const nlohmann::json& prompt, std::span<const Token> tokens,
                                    std::size_t alternatives) const;
  Scored<double> mean_logprob_of(const AnswerJob& job) const;

  const CompletionsServer& server_;
  std::string model_;
  Tokens opening_;  // of kAnswerOpening
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Tokens> answers_;  // an answer's tokens are the same after every prompt
};

}  // namespace harnessg
