// A language model behind an OpenAI-compatible completions server as the answerer: g from the log-probabilities that
// the model gives the gold answer's own tokens (spec 2, section 1). docs/credit.md says which servers and how to start
// them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/scorer.h"
#include "data/result.h"

namespace harnessg {

// How a server can be made to say what it thinks of a given text.
enum class ScoringMethod : std::uint8_t {
  kPromptLogprobs,  // "echo": log-probabilities of the prompt itself (vLLM, llama-cpp-python)
  kForcedDecoding,  // a grammar of token ids leaves one token at each place; the log-probabilities are those without it
                    // (llama.cpp's own server)
};
std::string_view method_name(ScoringMethod method);  // "prompt log-probabilities", "forced decoding"

struct CompletionsOptions {
  std::string model;                           // empty: the one that the server lists
  std::string api_key;                         // sent as a bearer token; empty: none
  std::string prompt_prefix;                   // of a chat template: before the prompt
  std::string prompt_suffix;                   // and after it, before "<answer>"
  std::chrono::milliseconds timeout{60'000};   // of one request, with its retries
  std::size_t concurrency = 4;                 // requests on their way at a time
  std::size_t retries = 3;                     // of one request: connection refused, 429, 5xx
  std::chrono::milliseconds first_pause{200};  // before the first retry; doubles
};

// The text is prefix, answer_prompt(question, context), suffix, a line break unless there is one, "<answer>", a line
// break, the alias. Counted are the alias's tokens alone.
class CompletionsScorer final : public Scorer {
 public:
  // Asks the server for its models and finds out which method it supports: 3 to 8 small requests. `url` is the
  // server's address, with or without the "/v1" at its end. kInvalidArgument: the URL or an option is wrong, or the
  // server has several models and none was chosen; kUnavailable: nobody answers, or the server can do neither method,
  // with what it lacks.
  static Result<std::unique_ptr<CompletionsScorer>> connect(std::string_view url, CompletionsOptions options);
  ~CompletionsScorer() override;

  std::string_view name() const override;  // "http:MODEL"
  ScoringMethod method() const;
  // What scores depend on besides the request: model, method and prompt. Not the address.
  std::string identity() const;

  // Each request takes the time limit at most. After max(3, concurrency) failures in a row
  // (unreachable, timed out), the rest of the batch is not asked, and not scored for the same reason. kBadInput for a
  // text that is not UTF-8. Thread-safe.
  Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const override;

 private:
  class Connection;
  explicit CompletionsScorer(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace harnessg
