#include <algorithm>

#include "bindings/cli/credit_estimator.h"
#include "bindings/cli/credit_table.h"
#include "credit/credit_report.h"
#include "credit/provenance.h"
#include "credit/shapley.h"

namespace harnessg {
namespace {

// Every sentence that a step shows, or would have shown, is in the trace's table.
bool has_all_texts(const Trace& trace) {
  const auto known = [&](const TraceOutcome& outcome) {
    return std::ranges::all_of(outcome.sentences, [&](SentenceId s) { return trace.sentences.contains(index(s)); }) &&
           std::ranges::all_of(outcome.new_sentences, [&](SentenceId s) { return trace.sentences.contains(index(s)); });
  };
  return std::ranges::all_of(trace.steps, [&](const TraceStep& step) {
    return known(step.outcome) &&
           std::ranges::all_of(step.frontier, [&](const Alternative& other) { return known(other.outcome); });
  });
}

// Why this trace alone can have no credit, so that it does not hold up its batch.
std::optional<Uncredited> why_not(const CreditItem& item, Enabling enabling) {
  const Trace& trace = item.trace;
  const std::string name = fmt::format("{}: the trace (question \"{}\")", item.place, trace.question_id);
  if (!trace.with_frontier) {
    return Uncredited{"no_frontier", name + " was recorded without its frontiers; record it by play --json --frontier"};
  }
  if (!has_all_texts(trace)) {
    return Uncredited{"no_text", name + " names a sentence that its own table lacks; record it again"};
  }
  if (enabling != Enabling::kShapley) return std::nullopt;
  const std::size_t players = Provenance(trace).size();
  if (players <= kMaxShapleyPlayers) return std::nullopt;
  return Uncredited{"too_many_steps",
                    fmt::format("{} has {} steps, and exact Shapley values take at most {}; use --estimator snc", name,
                                players, kMaxShapleyPlayers)};
}

}  // namespace

Result<std::vector<CreditText>> SncEstimator::credit(std::span<CreditItem> items) {
  std::vector<std::size_t> numbers;
  std::vector<Trace> traces;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].uncredited) items[i].uncredited = why_not(items[i], options_.enabling);
    if (items[i].uncredited) continue;
    numbers.push_back(i);
    traces.push_back(std::move(items[i].trace));
  }
  HARNESSG_ASSIGN(const ContextBatch batch, ContextBatch::collect(traces, options_.enabling == Enabling::kShapley));
  asked_ += batch.requests().size();
  naive_ += batch.naive_requests();
  HARNESSG_ASSIGN(const std::vector<EpisodeScores> scores, score_contexts(batch, scorer_));
  std::vector<CreditText> texts(items.size());
  for (std::size_t n = 0; n < traces.size(); ++n) {
    CreditItem& item = items[numbers[n]];
    HARNESSG_ASSIGN(const EpisodeCredit credit, snc_credit(traces[n], scores[n], options_));
    if (credit.not_scored) {
      item.uncredited = Uncredited{std::string(reason_name(credit.not_scored->reason)),
                                   fmt::format("{}: not scored: {}", item.place, credit.not_scored->message)};
    } else {
      texts[numbers[n]] = {credit_json(traces[n], credit), snc_table(traces[n], credit),
                           explain_credit(traces[n], credit)};
    }
    item.trace = std::move(traces[n]);
  }
  return texts;
}

std::string SncEstimator::effort() const {
  return fmt::format("scorer {}: {} contexts scored, {} without taking equal ones together", scorer_.name(), asked_,
                     naive_);
}

}  // namespace harnessg
