#include "engine/episode.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <utility>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"
#include "engine/text_protocol.h"

namespace harnessg::python {
namespace {

template <class Chosen>
OutcomeHandle step(EpisodeHandle& self, const Chosen& action) {
  const auto environment = self.environment->get();
  const Changing changing(self);
  Episode next = self.episode;
  Outcome outcome = compute([&] { return environment->step(next, action); });
  self.episode = std::move(next);
  return {self.environment->index, std::move(outcome)};
}

OutcomeHandle step_position(EpisodeHandle& self, std::int64_t position) {
  if (position < 0) return step(self, std::string_view(fmt::format("A{}", position)));
  return step(self, static_cast<std::size_t>(position));
}

template <class Chosen>
OutcomeHandle preview(const EpisodeHandle& self, const Chosen& action) {
  const auto environment = self.environment->get();
  const Episode episode = self.episode;
  return {self.environment->index, compute([&] { return environment->preview(episode, action); })};
}

OutcomeHandle preview_position(const EpisodeHandle& self, std::int64_t position) {
  if (position < 0) raise({ErrorCode::kInvalidArgument, fmt::format("there is no action A{} on the menu", position)});
  return preview(self, static_cast<std::size_t>(position));
}

OutcomeHandle preview_text(const EpisodeHandle& self, const std::string& text) {
  const ParsedAction parsed = parse_action(text, /*initialized=*/true, self.episode.menu().size());
  if (self.episode.over() || parsed.valid()) return preview(self, std::size_t{parsed.position.value_or(0)});
  raise({ErrorCode::kInvalidArgument, parsed.invalid_reason});
}

std::vector<OutcomeHandle> preview_all(const EpisodeHandle& self) {
  const auto environment = self.environment->get();
  const Episode episode = self.episode;
  auto outcomes = compute([&] { return environment->preview_all(episode); });
  std::vector<OutcomeHandle> list;
  for (Outcome& outcome : outcomes) list.push_back({self.environment->index, std::move(outcome)});
  return list;
}

void answer(EpisodeHandle& self, std::string text) {
  const auto environment = self.environment->get();
  const Changing changing(self);
  unwrap(environment->answer(self.episode, std::move(text)));
}

std::string observation(const EpisodeHandle& self) {
  const auto environment = self.environment->get();
  const Episode episode = self.episode;
  return compute([&]() -> Result<std::string> { return environment->observation(episode); });
}

std::vector<SentenceHandle> visible(const EpisodeHandle& self) {
  std::vector<SentenceHandle> list;
  for (const VisibleSentence& shown : self.episode.visible()) list.push_back({self.environment->index, shown.sentence});
  return list;
}

// Of the question; empty where scoring is lexical.
py::array_t<float> query_vector(const EpisodeHandle& self) {
  const std::vector<float>& vector = self.episode.question().query.vector;
  return py::array_t<float>(static_cast<py::ssize_t>(vector.size()), vector.data());
}

std::string describe(const EpisodeHandle& self) {
  const Episode& episode = self.episode;
  return fmt::format("Episode(turn {}, {} actions{}, {})", episode.turn(), episode.menu().size(),
                     episode.ended()       ? ", ended"
                     : episode.truncated() ? ", truncated"
                                           : "",
                     std::string(py::repr(py::str(episode.question().text))));
}

using Class = py::class_<EpisodeHandle>;
using Self = const EpisodeHandle&;

void add_moves(Class& type) {
  type.def("step", &step<std::string_view>, py::arg("action"))
      .def(
          "step", [](EpisodeHandle& self, const ActionHandle& action) { return step(self, action.action); },
          py::arg("action"))
      .def("step", &step_position, py::arg("action"))
      .def("preview", &preview_text, py::arg("action"))
      .def(
          "preview", [](Self self, const ActionHandle& action) { return preview(self, action.action); },
          py::arg("action"))
      .def("preview", &preview_position, py::arg("action"))
      .def("preview_all", &preview_all)
      .def("answer", &answer, py::arg("text"))
      .def("clone",
           [](Self self) {
             return EpisodeHandle{self.environment, self.episode};
           })
      .def("__copy__",
           [](Self self) {
             return EpisodeHandle{self.environment, self.episode};
           })
      .def("__deepcopy__",
           [](Self self, const py::dict&) {
             return EpisodeHandle{self.environment, self.episode};
           })
      .def("save", [](Self self) { return py::bytes(self.episode.save()); });
}

void add_state(Class& type) {
  type.def_property_readonly("environment", [](Self self) { return self.environment; })
      .def_property_readonly("observation", &observation)
      .def_property_readonly("menu",
                             [](Self self) { return action_list(self.environment->index, self.episode.menu()); })
      .def_property_readonly("menu_size", [](Self self) { return self.episode.menu().size(); })
      .def_property_readonly("visible", &visible)
      .def_property_readonly("selected",
                             [](Self self) { return sentence_list(self.environment->index, self.episode.selected()); })
      .def_property_readonly("seen",
                             [](Self self) { return sentence_list(self.environment->index, self.episode.seen()); })
      .def_property_readonly("looked_up",
                             [](Self self) { return entity_list(self.environment->index, self.episode.looked_up()); })
      .def_property_readonly("turn", [](Self self) { return self.episode.turn(); })
      .def_property_readonly("ended", [](Self self) { return self.episode.ended(); })
      .def_property_readonly("truncated", [](Self self) { return self.episode.truncated(); })
      .def_property_readonly("over", [](Self self) { return self.episode.over(); })
      .def_property_readonly("question", [](Self self) { return self.episode.question().text; })
      .def_property_readonly("answers", [](Self self) { return self.episode.question().answers; })
      .def_property_readonly("id", [](Self self) { return self.episode.question().id; })
      .def_property_readonly("seed", [](Self self) { return self.episode.seed(); })
      .def_property_readonly("answer_text",
                             [](Self self) -> std::optional<std::string> {
                               if (!self.episode.answered()) return std::nullopt;
                               return self.episode.answer();
                             })
      .def_property_readonly("query_vector", &query_vector)
      .def_property_readonly("state_hash", [](Self self) { return self.episode.hash(); })
      .def(
          "__eq__", [](Self self, Self other) { return self.episode == other.episode; }, py::is_operator())
      .def("__repr__", &describe);
}

}  // namespace

void add_episode(py::module_& module) {
  Class type(module, "Episode");
  add_moves(type);
  add_state(type);
}

}  // namespace harnessg::python
