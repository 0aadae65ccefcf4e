#include "credit/snc.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "credit/harvest.h"
#include "credit/provenance.h"
#include "credit/shapley.h"

namespace harnessg {
namespace {

double without_noise(double gain, double dead_zone) { return std::abs(gain) < dead_zone ? 0 : gain; }

double baseline_of(std::span<const AlternativeCredit> frontier, Baseline baseline) {
  if (frontier.empty()) return 0;
  double sum = 0;
  double greatest = frontier.front().gain;
  for (const AlternativeCredit& alternative : frontier) {
    sum += alternative.gain;
    greatest = std::max(greatest, alternative.gain);
  }
  return baseline == Baseline::kMax ? greatest : sum / static_cast<double>(frontier.size());
}

// Everything but enabling credit, bonus and total.
StepCredit frontier_credit(const TraceStep& step, const StepScores& scores, const SncOptions& options) {
  const auto gain = [&](double score) { return without_noise(score - scores.before, options.dead_zone); };
  StepCredit result;
  result.step = scores.step;
  result.score_before = scores.before;
  result.score_taken = scores.taken;
  result.gain = gain(scores.taken);
  for (std::size_t i = 0; i < step.frontier.size(); ++i) {
    const std::uint32_t position = step.frontier[i].position;
    if (position == step.position) continue;
    result.frontier.push_back({position, scores.alternatives[i], gain(scores.alternatives[i])});
  }
  result.baseline = baseline_of(result.frontier, options.baseline);
  if (step.event == Event::kLookup && !result.frontier.empty()) {
    result.r_fr = without_noise(result.gain - result.baseline, options.dead_zone);
  }
  return result;
}

Status check_scores(const Trace& trace, const Provenance& provenance, const EpisodeScores& scores) {
  bool fits = scores.steps.size() == provenance.size();
  for (std::size_t n = 0; fits && n < scores.steps.size(); ++n) {
    const std::size_t step = provenance.steps()[n];
    fits = scores.steps[n].step == step && scores.steps[n].alternatives.size() == trace.steps[step].frontier.size();
  }
  if (fits) return {};
  return fail(ErrorCode::kInvalidArgument,
              "the scores do not belong to this trace (question \"{}\"): it has {} steps with credit",
              trace.question_id, provenance.size());
}

// What was asked and done decides the draw, not the place in a batch.
std::uint64_t shuffle_seed(std::uint64_t seed, const Trace& trace) {
  std::string acts = fmt::format("{}:{}/{}", trace.question_id.size(), trace.question_id, trace.seed);
  for (const TraceStep& step : trace.steps)
    acts += step.position ? fmt::format(" {}", *step.position) : std::string(" -");
  return XXH3_64bits_withSeed(acts.data(), acts.size(), seed);
}

bool about_equal(double a, double b, double magnitude) { return std::abs(a - b) <= 1e-9 * (1 + magnitude); }

}  // namespace

Status check(const SncOptions& options) {
  const auto bad = [](const char* name, double value, const char* range) {
    return fail(ErrorCode::kInvalidArgument, "{} is {}; it must be {}", name, value, range);
  };
  if (!std::isfinite(options.alpha)) return bad("alpha", options.alpha, "a finite number");
  if (!std::isfinite(options.beta)) return bad("beta", options.beta, "a finite number");
  if (!std::isfinite(options.harvest_bonus)) return bad("harvest_bonus", options.harvest_bonus, "a finite number");
  if (!(options.gamma >= 0 && options.gamma <= 1)) return bad("gamma", options.gamma, "from 0 to 1");
  if (!(options.dead_zone >= 0 && std::isfinite(options.dead_zone))) {
    return bad("dead_zone", options.dead_zone, "a finite number from 0");
  }
  if (options.shuffle_edges && options.enabling == Enabling::kShapley) {
    return fail(ErrorCode::kInvalidArgument,
                "shuffled edges are a control of the provenance estimator and mean nothing with Shapley values");
  }
  return {};
}

std::vector<double> enabling_credit(const Provenance& provenance, std::span<const double> gains, double gamma) {
  std::vector<double> credit(provenance.size(), 0.0);
  for (const std::size_t u : provenance.backwards()) {
    const std::vector<std::size_t> predecessors = provenance.predecessors(u);
    const double share = (gains[u] + gamma * credit[u]) / static_cast<double>(predecessors.size());
    for (const std::size_t t : predecessors) credit[t] += share;
  }
  return credit;
}

Status check_conservation(const Provenance& provenance, std::span<const double> gains, std::span<const double> enabling,
                          double gamma) {
  double received = 0;
  double handed_back = 0;
  double at_sources = 0;
  double flowed_in = 0;
  double magnitude = 0;
  for (std::size_t u = 0; u < provenance.size(); ++u) {
    received += enabling[u];
    magnitude += std::abs(gains[u]) + std::abs(enabling[u]);
    if (boost::in_degree(u, provenance.graph()) == 0) {
      at_sources += enabling[u];
    } else {
      handed_back += gains[u] + gamma * enabling[u];
      flowed_in += gains[u];
    }
  }
  if (!about_equal(received, handed_back, magnitude)) {
    return fail(ErrorCode::kInternal, "steps handed back a credit of {} and received {}", handed_back, received);
  }
  if (gamma == 1 && !about_equal(at_sources, flowed_in, magnitude)) {
    return fail(ErrorCode::kInternal, "a credit of {} flowed in and {} arrived at the sources", flowed_in, at_sources);
  }
  return {};
}

Result<EpisodeCredit> snc_credit(const Trace& trace, const EpisodeScores& scores, const SncOptions& options) {
  EpisodeCredit credit;
  if (scores.not_scored) {
    credit.not_scored = scores.not_scored;
    return credit;
  }
  Provenance provenance(trace);
  if (options.shuffle_edges) provenance = provenance.shuffled(shuffle_seed(*options.shuffle_edges, trace));
  HARNESSG_RETURN_IF_ERROR(check_scores(trace, provenance, scores));
  std::vector<double> gains;
  for (const StepScores& step : scores.steps) {
    credit.steps.push_back(frontier_credit(trace.steps[step.step], step, options));
    gains.push_back(credit.steps.back().gain);
  }
  std::vector<double> enabling;
  if (options.enabling == Enabling::kShapley) {
    HARNESSG_ASSIGN(enabling, shapley(provenance.size(), scores.coalitions));
  } else {
    enabling = enabling_credit(provenance, gains, options.gamma);
    HARNESSG_RETURN_IF_ERROR(check_conservation(provenance, gains, enabling, options.gamma));
  }
  const auto harvest = options.harvest_bonus == 0 ? std::nullopt : harvesting_select(trace);
  for (std::size_t n = 0; n < credit.steps.size(); ++n) {
    StepCredit& step = credit.steps[n];
    step.r_en = enabling[n];
    step.bonus = harvest == step.step ? options.harvest_bonus : 0;
    const bool is_protected = options.protect_enabling && step.r_en > 0 && step.r_fr < 0;
    step.total = options.alpha * (is_protected ? 0 : step.r_fr) + options.beta * step.r_en + step.bonus;
  }
  for (const auto& [t, u] : provenance.edges()) credit.edges.emplace_back(provenance.steps()[t], provenance.steps()[u]);
  return credit;
}

Result<std::vector<EpisodeCredit>> snc_credit(std::span<const Trace> traces, const Scorer& scorer,
                                              const SncOptions& options) {
  HARNESSG_RETURN_IF_ERROR(check(options));
  HARNESSG_ASSIGN(const ContextBatch batch, ContextBatch::collect(traces, options.enabling == Enabling::kShapley));
  HARNESSG_ASSIGN(const std::vector<EpisodeScores> scores, score_contexts(batch, scorer));
  std::vector<EpisodeCredit> credit;
  credit.reserve(traces.size());
  for (std::size_t i = 0; i < traces.size(); ++i) {
    HARNESSG_ASSIGN(EpisodeCredit episode, snc_credit(traces[i], scores[i], options));
    credit.push_back(std::move(episode));
  }
  return credit;
}

std::vector<double> credit_per_turn(const Trace& trace, const EpisodeCredit& credit) {
  std::vector<double> result(trace.steps.size(), 0.0);
  for (const StepCredit& step : credit.steps) result[step.step] = step.total;
  return result;
}

}  // namespace harnessg
