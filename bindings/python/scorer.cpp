#include <pybind11/stl.h>

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/python/credit.h"
#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "credit/models/scorer_choice.h"

namespace harnessg::python {
namespace {

NotScored not_scored_from(const py::tuple& pair) {
  constexpr std::array kReasons{NotScoredReason::kNoAlias, NotScoredReason::kUnavailable, NotScoredReason::kTimedOut,
                                NotScoredReason::kBadReply, NotScoredReason::kOutOfRange};
  const auto name = pair[0].cast<std::string>();
  for (const NotScoredReason reason : kReasons) {
    if (name == reason_name(reason)) return {reason, pair[1].cast<std::string>()};
  }
  return {NotScoredReason::kBadReply,
          fmt::format("\"{}\" is no reason; it said: {}", name, pair[1].cast<std::string>())};
}

Score score_from(const py::handle& item) {
  if (item.is_none()) return tl::unexpected(NotScored{NotScoredReason::kUnavailable, "the scorer gave None"});
  if (py::isinstance<py::tuple>(item)) return tl::unexpected(not_scored_from(item.cast<py::tuple>()));
  return item.cast<double>();
}

class PythonScorer final : public Scorer {
 public:
  explicit PythonScorer(py::object callable) : callable_(std::move(callable)) {}

  std::string_view name() const override { return "callable"; }

  Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const override {
    const Locked lock;
    try {
      std::vector<Score> scores;
      for (const py::handle item : callable_(list_of(requests))) scores.push_back(score_from(item));
      return scores;
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_Exception)) throw;
      return all_failed(requests.size(), error.what());
    } catch (const std::exception& error) {
      return all_failed(requests.size(), error.what());
    }
  }

 private:
  static py::list list_of(std::span<const ScoreRequest> requests) {
    py::list list;
    for (const ScoreRequest& request : requests) {
      py::list context;
      for (const std::string_view text : request.context) context.append(py::str(text.data(), text.size()));
      list.append(py::make_tuple(py::str(request.question.data(), request.question.size()), std::move(context),
                                 std::vector<std::string>(request.aliases.begin(), request.aliases.end())));
    }
    return list;
  }

  static std::vector<Score> all_failed(std::size_t count, const std::string& what) {
    const NotScored reason{NotScoredReason::kUnavailable, "the scorer failed: " + what.substr(0, what.find('\n'))};
    return std::vector<Score>(count, tl::unexpected(reason));
  }

  py::object callable_;
};

ScorerOptions options_from(const py::kwargs& given) {
  ScorerOptions options;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (name == "model") {
      options.model = value.cast<std::string>();
    } else if (name == "api_key_env") {
      options.api_key_env = value.cast<std::string>();
    } else if (name == "prompt_prefix") {
      options.prompt_prefix = value.cast<std::string>();
    } else if (name == "prompt_suffix") {
      options.prompt_suffix = value.cast<std::string>();
    } else if (name == "timeout") {
      options.timeout_seconds = value.cast<double>();
    } else if (name == "concurrency") {
      options.concurrency = value.cast<unsigned>();
    } else if (name == "retries") {
      options.retries = value.cast<unsigned>();
    } else if (name == "cache") {
      options.cache_folder = std::string(py::str(value));
    } else {
      raise({ErrorCode::kInvalidArgument,
             fmt::format("a scorer has no option \"{}\"; it has model, api_key_env, prompt_prefix, prompt_suffix, "
                         "timeout, concurrency, retries and cache",
                         name)});
    }
  }
  return options;
}

ScorerHandle make_scorer_handle(const py::object& what, const py::kwargs& given) {
  if (PyCallable_Check(what.ptr()) != 0) {
    if (!given.empty()) raise({ErrorCode::kInvalidArgument, "a callable scorer takes no options; leave them out"});
    return {callable_scorer(what)};
  }
  const std::string spec = py::str(what);
  const ScorerOptions options = options_from(given);
  if (spec != "lexical") use_engine();
  return {compute([&] { return make_scorer(spec, options); })};
}

using RequestTuple = std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>;
using Reply = std::pair<double, std::optional<std::pair<std::string, std::string>>>;

// One (g, None) or (0, (reason, message)) a request.
std::vector<Reply> score(const ScorerHandle& self, const std::vector<RequestTuple>& given) {
  std::vector<std::vector<std::string_view>> contexts;
  std::vector<std::vector<std::string>> aliases;
  for (const auto& [question, context, answers] : given) {
    contexts.emplace_back(context.begin(), context.end());
    aliases.push_back(answer_aliases(answers));
  }
  std::vector<ScoreRequest> requests;
  for (std::size_t i = 0; i < given.size(); ++i) requests.push_back({std::get<0>(given[i]), contexts[i], aliases[i]});
  std::vector<Reply> replies;
  for (const Score& one : compute([&] { return checked_scores(*self.scorer, requests); })) {
    if (one) {
      replies.push_back({*one, std::nullopt});
    } else {
      replies.push_back({0, std::pair{std::string(reason_name(one.error().reason)), one.error().message}});
    }
  }
  return replies;
}

}  // namespace

std::unique_ptr<const Scorer> callable_scorer(py::object callable) {
  return std::make_unique<const PythonScorer>(std::move(callable));
}

void add_scorer(py::module_& module) {
  py::class_<ScorerHandle>(module, "Scorer")
      .def(py::init(&make_scorer_handle), py::arg("scorer"))
      .def_property_readonly("name", [](const ScorerHandle& self) { return std::string(self.scorer->name()); })
      .def("score", &score, py::arg("requests"));
}

}  // namespace harnessg::python
