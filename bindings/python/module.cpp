#include "bindings/python/module.h"

#include "bindings/python/lock.h"
#include "data/version.h"

PYBIND11_MODULE(_native, module) {
  using namespace harnessg::python;
  module.doc() = "The engine behind the package harnessg; use the package.";
  module.attr("__version__") = harnessg::kToolVersion;
  guard_exit();
  add_index(module);
  add_questions(module);
  add_outcome(module);
  add_environment(module);
  add_episode(module);
  add_free_query(module);
  add_trace(module);
  add_transcript(module);
  add_pool(module);
  add_build(module);
  add_credit(module);
  add_rewards(module);
  add_eager(module);
}
