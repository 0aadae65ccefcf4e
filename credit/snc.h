// SNC: what each step of an episode was worth, against what else could have been done there, and for what it made
// possible (spec 2, sections 2 and 3). docs/credit.md shows how to read the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "credit/context_batch.h"
#include "credit/models/scorer.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg {

class Provenance;

enum class Baseline : std::uint8_t { kMean, kMax };
// What r_en is: credit handed back along the provenance graph, or exact Shapley values over coalitions of steps.
enum class Enabling : std::uint8_t { kProvenance, kShapley };

struct SncOptions {
  double alpha = 1;         // weight of the frontier term
  double beta = 1;          // weight of enabling credit
  double gamma = 1;         // how much of the credit it received a step hands on, 0 to 1
  double dead_zone = 1e-4;  // smaller gains count 0
  Baseline baseline = Baseline::kMean;
  Enabling enabling = Enabling::kProvenance;
  bool protect_enabling = false;                              // a negative r_fr counts 0 in the total where r_en > 0
  std::optional<std::uint64_t> shuffle_edges = std::nullopt;  // the control: a seed; only with Enabling::kProvenance
  double harvest_bonus = 0;  // for the Select that first brings the answer text into the evidence
};

// kInvalidArgument with the option that is out of range: gamma outside 0..1, a negative dead zone, a number that is not
// finite, shuffled edges together with Shapley values.
Status check(const SncOptions& options);

struct AlternativeCredit {
  std::uint32_t position = 0;  // on the menu before: action id "A<position>"
  double score = 0;            // g with its sentences added
  double gain = 0;             // dz(IG)
};

struct StepCredit {
  std::size_t step = 0;                     // position in trace.steps
  double score_before = 0;                  // g(C_{t-1})
  double score_taken = 0;                   // g(C_{t-1} + new sentences)
  double gain = 0;                          // dz(IG) of the action taken
  std::vector<AlternativeCredit> frontier;  // F_t; never the action taken
  double baseline = 0;                      // mean or max of the alternatives' gains; 0 when there are none
  double r_fr = 0;                          // dz(gain - baseline) of a Lookup with alternatives, else 0
  double r_en = 0;
  double bonus = 0;
  double total = 0;  // alpha * r_fr (0 where protected) + beta * r_en + bonus
};

struct EpisodeCredit {
  std::optional<NotScored> not_scored;  // set: this episode has no credit, and why; the lists are empty
  std::vector<StepCredit> steps;        // one a node of Provenance, in order; INIT and blocked turns have none
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // that were used, as positions in trace.steps
};

// Credit of one episode from its scores. Precondition: check(options) is ok. kInvalidArgument when `scores` does not
// belong to `trace`, or holds no coalitions and options.enabling asks for Shapley values; kInternal when the credit
// that was handed on and the credit received differ (check_conservation), which no input should bring about.
Result<EpisodeCredit> snc_credit(const Trace& trace, const EpisodeScores& scores, const SncOptions& options);

// Credit of thousands of episodes with one call of the scorer; one a trace, in order, each the same whatever batch it
// is in. Errors are those of check(), ContextBatch::collect and score_contexts.
Result<std::vector<EpisodeCredit>> snc_credit(std::span<const Trace> traces, const Scorer& scorer,
                                              const SncOptions& options = {});

// Backwards over the graph: R_u = gains[u] + gamma * r_en[u], shared equally among the predecessors of u. One value a
// node. Precondition: gains has one value a node.
std::vector<double> enabling_credit(const Provenance& provenance, std::span<const double> gains, double gamma);

// Holds for any gamma: what was received, the sum of r_en, is what was handed back, the sum of R_u over steps with
// predecessors. With gamma = 1 the r_en of the sources alone, steps without predecessors, sum to the gains of all
// others. kInternal with the two sums when they differ by more than rounding.
Status check_conservation(const Provenance& provenance, std::span<const double> gains, std::span<const double> enabling,
                          double gamma);

// One value a step of the trace: 0 for the first view, for blocked turns, and for an episode without credit.
std::vector<double> credit_per_turn(const Trace& trace, const EpisodeCredit& credit);

}  // namespace harnessg
