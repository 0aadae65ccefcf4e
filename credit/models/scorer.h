// The role "scorer": how probable a frozen answerer finds the gold answer, given a question and what has been seen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "data/result.h"

namespace harnessg {

// One context of one question. Views: whoever asks keeps the texts alive during the call.
struct ScoreRequest {
  std::string_view question;
  std::span<const std::string_view> context;  // texts of the sentences seen, in order of first sight; may be empty
  std::span<const std::string> aliases;       // accepted answers, as answer_aliases() makes them
};

enum class NotScoredReason : std::uint8_t {
  kNoAlias,      // nothing to score: the question has no gold answer
  kUnavailable,  // the model or its server could not be reached
  kTimedOut,     // it was, and took longer than its limit
  kBadReply,     // it answered something else than was asked
  kOutOfRange,   // a number outside (0, 1]
};
std::string_view reason_name(
    NotScoredReason reason);  // "no_alias", "unavailable", "timed_out", "bad_reply", "out_of_range"

// Why there is no g. The message is one sentence for a person.
struct NotScored {
  NotScoredReason reason = NotScoredReason::kNoAlias;
  std::string message;

  friend bool operator==(const NotScored&, const NotScored&) = default;
};

using Score = tl::expected<double, NotScored>;

// g(C) = max over aliases a of exp((1/|a|) * sum_j log P(a_j | prompt(q, C), a_<j)), in (0, 1] (spec 2, section 1).
// Implementations may approximate it; their name says so.
class Scorer {
 public:
  virtual ~Scorer() = default;

  virtual std::string_view name() const = 0;

  // One score a request, in order; a request without aliases is not scored, never 0. Callers send a whole batch of
  // episodes in one call and each context once (ContextBatch). An Error means that the call as a whole was wrong; what
  // went wrong with single requests is a NotScored. May be called from several threads at once.
  virtual Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const = 0;
};

// A function as a scorer.
class CallableScorer final : public Scorer {
 public:
  using Function = std::function<std::vector<Score>(std::span<const ScoreRequest>)>;

  // `function` obeys the contract of Scorer::score; what it throws becomes kUnavailable with its message.
  CallableScorer(std::string name, Function function) : name_(std::move(name)), function_(std::move(function)) {}

  std::string_view name() const override { return name_; }
  Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const override;

 private:
  std::string name_;
  Function function_;
};

// What `scorer` says to `requests`, held to its contract: a request without aliases, and a number outside (0, 1], are
// not scored. kBadInput when it gives another number of scores. Asks nothing when there are no requests.
Result<std::vector<Score>> checked_scores(const Scorer& scorer, std::span<const ScoreRequest> requests);

// Gold answers as scorers take them: without white space around, empty ones and repeats dropped, in order.
std::vector<std::string> answer_aliases(std::span<const std::string> answers);

}  // namespace harnessg
