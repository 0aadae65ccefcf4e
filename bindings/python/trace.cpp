#include "engine/trace.h"

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

std::string trace_json(const EpisodeHandle& self, bool frontier) {
  const auto environment = self.environment->get();
  const Episode episode = self.episode;
  return compute([&]() -> Result<std::string> {
    HARNESSG_ASSIGN(const Trace trace, environment->trace(episode, frontier));
    return to_json(trace);
  });
}

// The same bytes as they came where the trace is one; the engine's reader judges.
std::string checked_trace(const std::string& json) {
  return compute([&]() -> Result<std::string> {
    HARNESSG_ASSIGN(const Trace trace, trace_from_json(json));
    return to_json(trace);
  });
}

}  // namespace

void add_trace(py::module_& module) {
  module.def("trace_json", &trace_json, py::arg("episode"), py::arg("frontier") = false);
  module.def("checked_trace", &checked_trace, py::arg("json"));
}

}  // namespace harnessg::python
