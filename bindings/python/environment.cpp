#include "engine/environment.h"

#include <pybind11/stl.h>

#include <utility>

#include "bindings/python/embedder.h"
#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

using EnvironmentPointer = std::shared_ptr<EnvironmentHandle>;

// Bounds on memory, which stand beside the settings of the rules; null for another name.
std::size_t* limit_of(EnvironmentOptions& options, const std::string& name) {
  if (name == "query_cache") return &options.query_cache;
  if (name == "question_cache") return &options.question_cache;
  if (name == "memory_bytes") return &options.memory_bytes;
  if (name == "entity_memory_bytes") return &options.entity_memory_bytes;
  return nullptr;
}

void set(EnvironmentOptions& options, const std::string& name, const py::handle& value) {
  std::size_t* const limit = limit_of(options, name);
  if (limit == nullptr) return unwrap(set_field(options.config, name, std::string(py::str(value))));
  try {
    *limit = value.cast<std::size_t>();
  } catch (const py::cast_error&) {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("{} = {} is not a whole number from 0 on", name, std::string(py::repr(value)))});
  }
}

EnvironmentOptions configure(const std::string& profile_name, const py::object& scoring, const py::kwargs& settings) {
  EnvironmentOptions options;
  options.config = unwrap(harnessg::profile(profile_name));
  if (!scoring.is_none()) unwrap(set_field(options.config, "scoring", std::string(py::str(scoring))));
  for (const auto& [name, value] : settings) set(options, std::string(py::str(name)), value);
  return options;
}

EnvironmentPointer make_environment(std::shared_ptr<IndexHandle> index, const std::string& profile,
                                    const py::object& scoring, const py::object& embedder, const py::kwargs& settings) {
  const std::shared_ptr<const Index> opened = index->get();
  EnvironmentOptions options = configure(profile, scoring, settings);
  auto encoder = query_embedder(*opened, options.config.scoring, embedder);
  auto handle = std::make_shared<EnvironmentHandle>();
  handle->calls_python = encoder != nullptr && PyCallable_Check(embedder.ptr()) != 0;
  handle->environment = compute([&] { return Environment::create(opened, std::move(options), std::move(encoder)); });
  handle->profile = profile;
  handle->scoring = scoring;
  handle->embedder = embedder;
  handle->settings = settings;
  std::erase_if(index->environments, [](const auto& made) { return made.expired(); });
  index->environments.push_back(handle);
  handle->index = std::move(index);
  return handle;
}

EpisodeHandle reset(const EnvironmentPointer& self, std::string question, std::vector<std::string> answers,
                    std::string id, std::uint64_t seed) {
  const auto environment = self->get();
  const Task task{std::move(question), std::move(answers), std::move(id), seed};
  return {self, compute([&] { return environment->reset(task); })};
}

void make_ready(const EnvironmentPointer& self, const py::iterable& questions) {
  const auto environment = self->get();
  std::vector<std::string> texts;
  for (const py::handle item : questions) {
    texts.push_back(py::isinstance<QuestionRecord>(item) ? item.cast<const QuestionRecord&>().question
                                                         : item.cast<std::string>());
  }
  compute([&] { return environment->make_ready(texts); });
}

EpisodeHandle restore(const EnvironmentPointer& self, const py::bytes& saved) {
  const auto environment = self->get();
  const std::string bytes = saved;
  return {self, compute([&] { return environment->restore(bytes); })};
}

py::dict config_of(const EnvironmentHandle& self) {
  py::dict config;
  for (const auto& [name, value] : fields(self.get()->config())) config[py::str(name)] = value;
  return config;
}

}  // namespace

std::shared_ptr<const Environment> EnvironmentHandle::get() const {
  index->get();
  if (!environment) raise_closed("environment");
  return environment;
}

void add_environment(py::module_& module) {
  py::class_<EnvironmentHandle, EnvironmentPointer>(module, "Environment")
      .def(py::init(&make_environment), py::arg("index"), py::arg("profile") = "default",
           py::arg("scoring") = py::none(), py::arg("embedder") = py::none())
      .def("reset", &reset, py::arg("question"), py::arg("answers") = std::vector<std::string>(), py::arg("id") = "",
           py::arg("seed") = 0)
      .def("make_ready", &make_ready, py::arg("questions"))
      .def("restore", &restore, py::arg("saved"))
      .def_readonly("index", &EnvironmentHandle::index)
      .def_readonly("profile", &EnvironmentHandle::profile)
      .def_property_readonly("recipe",
                             [](const EnvironmentHandle& self) {
                               return py::make_tuple(self.profile, self.scoring, self.embedder, self.settings);
                             })
      .def_property_readonly("config", &config_of)
      .def_property_readonly(
          "scoring", [](const EnvironmentHandle& self) { return std::string(scoring_name(self.get()->scoring())); })
      .def_property_readonly("turn_budget",
                             [](const EnvironmentHandle& self) { return self.get()->config().turn_budget; })
      .def_property_readonly("visible_bound",
                             [](const EnvironmentHandle& self) { return self.get()->config().visible_sentences; })
      .def_property_readonly("menu_bound",
                             [](const EnvironmentHandle& self) { return menu_bound(self.get()->config()); })
      .def("close", &EnvironmentHandle::close)
      .def_property_readonly(
          "closed",
          [](const EnvironmentHandle& self) { return self.environment == nullptr || self.index->index == nullptr; })
      .def("__enter__", [](const EnvironmentPointer& self) { return self; })
      .def("__exit__", [](EnvironmentHandle& self, const py::args&) { self.close(); });
  module.def("profile_names", &profile_names);
}

}  // namespace harnessg::python
