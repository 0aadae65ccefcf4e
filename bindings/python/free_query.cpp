#include "engine/free_query.h"

#include <pybind11/stl.h>

#include <utility>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

// `harnessg.FreeQueryArm`. The engine's arm is made for each call, so that closing the environment lets it go.
struct ArmHandle {
  std::shared_ptr<EnvironmentHandle> environment;
  bool matched = false;

  FreeQueryArm get() const { return FreeQueryArm(environment->get(), {matched}); }
  const std::shared_ptr<IndexHandle>& index() const { return environment->index; }
};

// `harnessg.FreeQueryEpisode`.
struct FreeEpisodeHandle {
  ArmHandle arm;
  FreeQueryEpisode episode;
  bool stepping = false;
};

// `harnessg.QueryOutcome`.
struct QueryOutcomeHandle {
  std::shared_ptr<IndexHandle> index;
  QueryOutcome outcome;
};

FreeEpisodeHandle reset(const ArmHandle& self, std::string question, std::vector<std::string> answers, std::string id,
                        std::uint64_t seed) {
  const FreeQueryArm arm = self.get();
  const Task task{std::move(question), std::move(answers), std::move(id), seed};
  return {self, compute([&] { return arm.reset(task); })};
}

QueryOutcomeHandle step(FreeEpisodeHandle& self, const std::string& query) {
  const FreeQueryArm arm = self.arm.get();
  const Changing changing(self);
  FreeQueryEpisode next = self.episode;
  QueryOutcome outcome = compute([&] { return arm.step(next, query); });
  self.episode = std::move(next);
  return {self.arm.index(), std::move(outcome)};
}

void answer(FreeEpisodeHandle& self, std::string text) {
  const FreeQueryArm arm = self.arm.get();
  const Changing changing(self);
  unwrap(arm.answer(self.episode, std::move(text)));
}

std::string observation(const FreeEpisodeHandle& self) { return self.arm.get().observation(self.episode); }

std::string trace_json(const FreeEpisodeHandle& self) {
  const FreeQueryArm arm = self.arm.get();
  const FreeQueryEpisode episode = self.episode;
  return compute([&]() -> Result<std::string> {
    HARNESSG_ASSIGN(const Trace trace, arm.trace(episode));
    return to_json(trace);
  });
}

std::string describe(const FreeEpisodeHandle& self) {
  const FreeQueryEpisode& episode = self.episode;
  return fmt::format("FreeQueryEpisode(turn {}{}, {})", episode.turn(),
                     episode.ended()       ? ", ended"
                     : episode.truncated() ? ", truncated"
                                           : "",
                     std::string(py::repr(py::str(episode.question().text))));
}

void add_outcome_class(py::module_& module) {
  using Self = const QueryOutcomeHandle&;
  py::class_<QueryOutcomeHandle>(module, "QueryOutcome")
      .def_property_readonly("sentences", [](Self self) { return sentence_list(self.index, self.outcome.sentences); })
      .def_property_readonly("new_sentences",
                             [](Self self) { return sentence_list(self.index, self.outcome.new_sentences); })
      .def_property_readonly("lookup",
                             [](Self self) -> std::optional<EntityHandle> {
                               if (!self.outcome.lookup) return std::nullopt;
                               return EntityHandle{self.index, self.outcome.lookup->entity()};
                             })
      .def_property_readonly("truncated", [](Self self) { return self.outcome.truncated; })
      .def_property_readonly("invalid", [](Self self) { return self.outcome.invalid; })
      .def_property_readonly("invalid_reason", [](Self self) { return self.outcome.invalid_reason; })
      .def(
          "__eq__",
          [](Self self, Self other) {
            return self.outcome == other.outcome && self.index->content_hash == other.index->content_hash;
          },
          py::is_operator())
      .def("__repr__", [](Self self) {
        if (self.outcome.invalid) return fmt::format("QueryOutcome(invalid: {})", self.outcome.invalid_reason);
        return fmt::format("QueryOutcome({} sentences, {} new{})", self.outcome.sentences.size(),
                           self.outcome.new_sentences.size(), self.outcome.truncated ? ", truncated" : "");
      });
}

using Class = py::class_<FreeEpisodeHandle>;
using Self = const FreeEpisodeHandle&;

FreeEpisodeHandle clone(Self self) { return {self.arm, self.episode}; }

void add_moves(Class& type) {
  type.def("step", &step, py::arg("query"))
      .def("answer", &answer, py::arg("text"))
      .def("clone", &clone)
      .def("__copy__", &clone)
      .def("__deepcopy__", [](Self self, const py::dict&) { return clone(self); })
      .def(
          "__eq__",
          [](Self self, Self other) { return self.arm.matched == other.arm.matched && self.episode == other.episode; },
          py::is_operator())
      .def("__repr__", &describe);
}

void add_state(Class& type) {
  type.def_property_readonly("arm", [](Self self) { return self.arm; })
      .def_property_readonly("observation", &observation)
      .def_property_readonly("visible",
                             [](Self self) { return sentence_list(self.arm.index(), self.episode.visible()); })
      .def_property_readonly("seen", [](Self self) { return sentence_list(self.arm.index(), self.episode.seen()); })
      .def_property_readonly("queries", [](Self self) { return self.episode.queries(); })
      .def_property_readonly("turn", [](Self self) { return self.episode.turn(); })
      .def_property_readonly("ended", [](Self self) { return self.episode.ended(); })
      .def_property_readonly("truncated", [](Self self) { return self.episode.truncated(); })
      .def_property_readonly("over", [](Self self) { return self.episode.over(); })
      .def_property_readonly("question", [](Self self) { return self.episode.question().text; })
      .def_property_readonly("answers", [](Self self) { return self.episode.question().answers; })
      .def_property_readonly("id", [](Self self) { return self.episode.question().id; })
      .def_property_readonly("seed", [](Self self) { return self.episode.seed(); })
      .def_property_readonly("answer_text", [](Self self) { return self.episode.answer(); });
}

}  // namespace

void add_free_query(py::module_& module) {
  add_outcome_class(module);
  py::class_<ArmHandle>(module, "FreeQueryArm")
      .def(py::init([](std::shared_ptr<EnvironmentHandle> environment, bool matched) {
             environment->get();
             return ArmHandle{std::move(environment), matched};
           }),
           py::arg("environment"), py::arg("matched") = false)
      .def("reset", &reset, py::arg("question"), py::arg("answers") = std::vector<std::string>(), py::arg("id") = "",
           py::arg("seed") = 0)
      .def_readonly("environment", &ArmHandle::environment)
      .def_readonly("matched", &ArmHandle::matched);
  Class type(module, "FreeQueryEpisode");
  add_moves(type);
  add_state(type);
  module.def("free_query_trace_json", &trace_json, py::arg("episode"));
}

}  // namespace harnessg::python
