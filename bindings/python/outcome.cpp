#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

std::string id_of(const ActionHandle& self) { return fmt::format("A{}", self.position); }

const char* kind_of(const ActionHandle& self) {
  switch (self.action.kind) {
    case ActionKind::kSelect:
      return "select";
    case ActionKind::kAnswerWith:
      return "answer_with";
    case ActionKind::kLookup:
      return "lookup";
    case ActionKind::kAnswer:
      break;
  }
  return "answer";
}

std::optional<SentenceHandle> sentence_of(const ActionHandle& self) {
  if (self.action.kind != ActionKind::kSelect && self.action.kind != ActionKind::kAnswerWith) return std::nullopt;
  return SentenceHandle{self.index, self.action.sentence()};
}

std::optional<EntityHandle> entity_of(const ActionHandle& self) {
  if (self.action.kind != ActionKind::kLookup) return std::nullopt;
  return EntityHandle{self.index, self.action.entity()};
}

std::optional<SentenceHandle> via_of(const ActionHandle& self) {
  if (self.action.via == kNoSentence) return std::nullopt;
  return SentenceHandle{self.index, self.action.via};
}

std::optional<EntityHandle> anchor_of(const ActionHandle& self) {
  if (self.action.anchor == kNoEntity) return std::nullopt;
  return EntityHandle{self.index, self.action.anchor};
}

std::string describe(const ActionHandle& self) {
  const auto index = self.index->get();
  const Graph& graph = index->graph();
  std::string target;
  if (const auto sentence = sentence_of(self)) target = graph.text(sentence->id);
  if (const auto entity = entity_of(self)) target = graph.surface(entity->id);
  if (target.empty()) return fmt::format("Action({} {})", id_of(self), kind_of(self));
  return fmt::format("Action({} {} {})", id_of(self), kind_of(self), std::string(py::repr(py::str(target))));
}

void add_action(py::module_& module) {
  py::class_<ActionHandle>(module, "Action")
      .def_property_readonly("id", &id_of)
      .def_readonly("position", &ActionHandle::position)
      .def_property_readonly("kind", &kind_of)
      .def_property_readonly("sentence", &sentence_of)
      .def_property_readonly("entity", &entity_of)
      .def_property_readonly("via", &via_of)
      .def_property_readonly("anchor", &anchor_of)
      .def_property_readonly("opens_title", [](const ActionHandle& self) { return self.action.opens_title; })
      .def(
          "__eq__",
          [](const ActionHandle& self, const ActionHandle& other) {
            return self.action == other.action && self.position == other.position &&
                   self.index->content_hash == other.index->content_hash;
          },
          py::is_operator())
      .def("__hash__",
           [](const ActionHandle& self) {
             return py::hash(py::make_tuple(static_cast<int>(self.action.kind), self.action.target, self.position));
           })
      .def("__repr__", &describe);
}

}  // namespace

void add_outcome(py::module_& module) {
  add_action(module);
  using Self = const OutcomeHandle&;
  py::class_<OutcomeHandle>(module, "Outcome")
      .def_property_readonly("sentences", [](Self self) { return sentence_list(self.index, self.outcome.sentences); })
      .def_property_readonly("new_sentences",
                             [](Self self) { return sentence_list(self.index, self.outcome.new_sentences); })
      .def_property_readonly("consumed_sentences",
                             [](Self self) { return sentence_list(self.index, self.outcome.consumed_sentences); })
      .def_property_readonly("entities", [](Self self) { return entity_list(self.index, self.outcome.entities); })
      .def_property_readonly("produced_entities",
                             [](Self self) { return entity_list(self.index, self.outcome.produced_entities); })
      .def_property_readonly("used_entities",
                             [](Self self) { return entity_list(self.index, self.outcome.used_entities); })
      .def_property_readonly("menu", [](Self self) { return action_list(self.index, self.outcome.menu); })
      .def_property_readonly("ends", [](Self self) { return self.outcome.ends; })
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
        const Outcome& outcome = self.outcome;
        if (outcome.invalid) return fmt::format("Outcome(invalid: {})", outcome.invalid_reason);
        return fmt::format("Outcome({} sentences, {} new, {} actions{}{})", outcome.sentences.size(),
                           outcome.new_sentences.size(), outcome.menu.size(), outcome.ends ? ", ends" : "",
                           outcome.truncated ? ", truncated" : "");
      });
}

}  // namespace harnessg::python
