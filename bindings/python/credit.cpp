#include "bindings/python/credit.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"
#include "credit/credit_report.h"
#include "credit/known_questions.h"
#include "credit/rollout_report.h"
#include "credit/snc.h"

namespace harnessg::python {
namespace {

// A trace as JSON, or an episode to be recorded.
struct Recording {
  std::shared_ptr<const Environment> environment;
  Episode episode;
};
using TraceSource = std::variant<std::string, Recording>;

std::vector<TraceSource> sources_of(const py::iterable& traces) {
  std::vector<TraceSource> sources;
  for (const py::handle item : traces) {
    if (py::isinstance<EpisodeHandle>(item)) {
      const auto& handle = item.cast<const EpisodeHandle&>();
      sources.emplace_back(Recording{handle.environment->get(), handle.episode});
    } else {
      sources.emplace_back(item.cast<std::string>());
    }
  }
  return sources;
}

Result<Trace> trace_of(const TraceSource& source, std::size_t number) {
  if (const auto* const json = std::get_if<std::string>(&source)) {
    Result<Trace> trace = trace_from_json(*json);
    if (trace) return trace;
    return fail(trace.error().code, "trace {}: {}", number, trace.error().message);
  }
  const auto& [environment, episode] = std::get<Recording>(source);
  return environment->trace(episode, /*with_frontier=*/true);
}

Result<std::vector<Trace>> read(std::span<const TraceSource> sources) {
  std::vector<Trace> traces;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    HARNESSG_ASSIGN(Trace trace, trace_of(sources[i], i));
    traces.push_back(std::move(trace));
  }
  return traces;
}

// Why a trace could not be given its question's answers, by trace.
using Missing = std::vector<std::optional<std::string>>;

Missing join(const std::optional<KnownQuestions>& known, std::vector<Trace>& traces) {
  Missing missing(traces.size());
  for (std::size_t i = 0; known && i < traces.size(); ++i) {
    const Status joined = known->join(traces[i]);
    if (!joined) missing[i] = joined.error().message;
  }
  return missing;
}

SncOptions options_from(double alpha, double beta, double gamma, double dead_zone, const std::string& baseline,
                        const std::string& estimator, bool protect_enabling, std::optional<std::uint64_t> shuffle_edges,
                        double harvest_bonus) {
  const auto choose = [](const char* name, const std::string& word, const char* first, const char* second) {
    if (word == first || word == second) return word == second;
    raise({ErrorCode::kInvalidArgument, fmt::format("{} is \"{}\" or \"{}\", not \"{}\"", name, first, second, word)});
  };
  SncOptions options{alpha, beta, gamma, dead_zone};
  options.baseline = choose("baseline", baseline, "mean", "max") ? Baseline::kMax : Baseline::kMean;
  options.enabling = choose("estimator", estimator, "snc", "shapley") ? Enabling::kShapley : Enabling::kProvenance;
  options.protect_enabling = protect_enabling;
  options.shuffle_edges = shuffle_edges;
  options.harvest_bonus = harvest_bonus;
  return options;
}

// (credit as JSON, credit of each turn, explanation or "") of each trace.
using CreditTuple = std::tuple<std::string, std::vector<double>, std::string>;

std::vector<CreditTuple> snc(const py::iterable& traces, const ScorerHandle& scorer,
                             std::optional<std::vector<QuestionRecord>> questions, bool explain, double alpha,
                             double beta, double gamma, double dead_zone, const std::string& baseline,
                             const std::string& estimator, bool protect_enabling,
                             std::optional<std::uint64_t> shuffle_edges, double harvest_bonus) {
  const std::vector<TraceSource> sources = sources_of(traces);
  const SncOptions options =
      options_from(alpha, beta, gamma, dead_zone, baseline, estimator, protect_enabling, shuffle_edges, harvest_bonus);
  std::optional<KnownQuestions> known;
  if (questions) known.emplace(std::move(*questions));
  return compute([&]() -> Result<std::vector<CreditTuple>> {
    HARNESSG_ASSIGN(std::vector<Trace> read_traces, read(sources));
    const Missing missing = join(known, read_traces);
    HARNESSG_ASSIGN(std::vector<EpisodeCredit> credit, snc_credit(read_traces, *scorer.scorer, options));
    std::vector<CreditTuple> result;
    for (std::size_t i = 0; i < credit.size(); ++i) {
      if (credit[i].not_scored && missing[i]) credit[i].not_scored->message = *missing[i];
      result.emplace_back(credit_json(read_traces[i], credit[i]), credit_per_turn(read_traces[i], credit[i]),
                          explain ? explain_credit(read_traces[i], credit[i]) : std::string());
    }
    return result;
  });
}

Result<FinalValue> value_of(const std::string& name, std::span<const Trace> traces, const Graph& graph,
                            const Scorer& scorer, const std::vector<std::vector<std::uint32_t>>& gold) {
  if (name == "answer") {
    std::vector<GoldQuestion> questions;
    for (const Trace& trace : traces) questions.push_back({trace.question, trace.answers});
    return answer_value(std::move(questions), graph, scorer);
  }
  if (name != "seen" && name != "selected") {
    return fail(ErrorCode::kInvalidArgument, "value is \"answer\", \"seen\" or \"selected\", not \"{}\"", name);
  }
  if (gold.size() != traces.size()) {
    return fail(ErrorCode::kInvalidArgument, "value=\"{}\" needs gold: one list of sentences for each of {} traces",
                name, traces.size());
  }
  std::vector<std::vector<SentenceId>> sentences;
  for (const auto& list : gold) {
    auto& one = sentences.emplace_back();
    for (const std::uint32_t id : list) one.push_back(SentenceId{id});
  }
  return evidence_recall_value(std::move(sentences), name == "seen" ? EvidenceSet::kSeen : EvidenceSet::kSelected);
}

std::vector<double> per_turn(const Trace& trace, const EpisodeRollout& credit) {
  std::vector<double> turns(trace.steps.size(), 0.0);
  for (const StepRollout& step : credit.steps) turns[step.step] = step.credit;
  return turns;
}

std::vector<CreditTuple> rollout(const py::iterable& traces, const std::shared_ptr<EnvironmentHandle>& handle,
                                 const ScorerHandle& scorer, const std::string& value,
                                 const std::vector<std::vector<std::uint32_t>>& gold, const std::string& alternatives,
                                 std::uint32_t rollouts, std::uint64_t seed, unsigned threads) {
  const auto environment = handle->get();
  const std::vector<TraceSource> sources = sources_of(traces);
  if (alternatives != "menu" && alternatives != "frontier") {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("alternatives is \"menu\" or \"frontier\", not \"{}\"", alternatives)});
  }
  RolloutOptions options;
  options.rollouts = rollouts;
  options.seed = seed;
  options.threads = handle->calls_python ? 1 : threads;  // a Python embedder runs in the calling thread only
  if (alternatives == "frontier") options.alternatives = RolloutAlternatives::kFrontier;
  return compute([&]() -> Result<std::vector<CreditTuple>> {
    HARNESSG_ASSIGN(const std::vector<Trace> read_traces, read(sources));
    std::vector<ReplayedTrace> replayed;
    for (const Trace& trace : read_traces) {
      HARNESSG_ASSIGN(std::vector<StateBefore> states, states_before(*environment, trace));
      replayed.push_back({&trace, std::move(states)});
    }
    HARNESSG_ASSIGN(const FinalValue ends,
                    value_of(value, read_traces, environment->index().graph(), *scorer.scorer, gold));
    HARNESSG_ASSIGN(const std::vector<EpisodeRollout> credit, rollout_credit(*environment, replayed, ends, options));
    std::vector<CreditTuple> result;
    for (std::size_t i = 0; i < credit.size(); ++i) {
      result.emplace_back(rollout_json(read_traces[i], credit[i]), per_turn(read_traces[i], credit[i]), std::string());
    }
    return result;
  });
}

}  // namespace

void add_credit(py::module_& module) {
  add_scorer(module);
  module.def("snc", &snc, py::arg("traces"), py::arg("scorer"), py::arg("questions"), py::arg("explain"),
             py::arg("alpha"), py::arg("beta"), py::arg("gamma"), py::arg("dead_zone"), py::arg("baseline"),
             py::arg("estimator"), py::arg("protect_enabling"), py::arg("shuffle_edges"), py::arg("harvest_bonus"));
  module.def("rollout", &rollout, py::arg("traces"), py::arg("environment"), py::arg("scorer"), py::arg("value"),
             py::arg("gold"), py::arg("alternatives"), py::arg("rollouts"), py::arg("seed"), py::arg("threads"));
  add_advantages(module);
}

}  // namespace harnessg::python
