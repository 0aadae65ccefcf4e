// The contexts of a whole batch of episodes, each once, for one call of a scorer (spec 2, sections 1 and 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/scorer.h"
#include "engine/trace.h"

namespace harnessg {

// C_{t-1} of a step: the sentences seen before it, in order of first sight. Precondition: step < trace.steps.size().
std::vector<SentenceId> context_before(const Trace& trace, std::size_t step);

// Numbers are places in ContextBatch::requests().
struct StepContexts {
  std::size_t step = 0;                     // position in trace.steps
  std::uint32_t before = 0;                 // C_{t-1}: everything seen before, in order of first sight
  std::uint32_t taken = 0;                  // C_{t-1} and the new sentences of the action taken
  std::vector<std::uint32_t> alternatives;  // the same for trace.steps[step].frontier, in its order
};

struct EpisodeContexts {
  std::optional<NotScored> not_scored;  // set: nothing of this episode was collected
  std::vector<StepContexts> steps;      // the nodes of Provenance, in order
  // Of every coalition of steps, for Shapley values: the first view and the views of the supported members
  // (Provenance), in order of first sight. Empty unless asked for.
  std::vector<std::uint32_t> coalitions;
};

// Views into the traces: they outlive the batch. Requests with equal question, aliases and texts in order are one
// request, from whatever episode they come; equal texts share one address.
class ContextBatch {
 public:
  // A trace without gold answers becomes an episode that is not scored. kInvalidArgument for a trace recorded without
  // its frontiers, for one played by free text and, with coalitions, for one of more than kMaxShapleyPlayers steps;
  // kBadInput for a trace whose table lacks a sentence that a step names.
  static Result<ContextBatch> collect(std::span<const Trace> traces, bool with_coalitions = false);

  ContextBatch(ContextBatch&&) = default;
  ContextBatch& operator=(ContextBatch&&) = default;

  std::span<const ScoreRequest> requests() const { return requests_; }
  std::span<const EpisodeContexts> episodes() const { return episodes_; }
  // How many requests there would be without taking equal ones together: before, taken and alternatives of every step,
  // and all coalitions.
  std::size_t naive_requests() const { return naive_requests_; }

 private:
  class Builder;
  ContextBatch() = default;

  std::deque<std::vector<std::string>> aliases_;
  std::vector<std::string_view> texts_;  // of all requests, one after another
  std::vector<ScoreRequest> requests_;
  std::vector<EpisodeContexts> episodes_;
  std::size_t naive_requests_ = 0;
};

// The same, with scores in place of requests.
struct StepScores {
  std::size_t step = 0;
  double before = 0;
  double taken = 0;
  std::vector<double> alternatives;
};

struct EpisodeScores {
  std::optional<NotScored> not_scored;  // set: at least one score is missing, and the lists below are empty
  std::vector<StepScores> steps;
  std::vector<double> coalitions;
};

// One call of the scorer, results mapped back; one a trace. An episode that lacks a score has no scores, with the
// reason of the first one missing: no credit rather than a wrong one. Errors are those of checked_scores().
Result<std::vector<EpisodeScores>> score_contexts(const ContextBatch& batch, const Scorer& scorer);

}  // namespace harnessg
