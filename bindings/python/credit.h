// Scorers from Python: by name, or a Python function.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "credit/models/scorer.h"

namespace harnessg::python {

// `harnessg.credit.Scorer`. A call that uses one gets it as an argument, so that Python keeps it alive meanwhile.
struct ScorerHandle {
  std::unique_ptr<const Scorer> scorer;
};

// Of a callable: list of (question, list of texts, list of aliases) -> one item each: a number, None, or a pair of
// reason and message. Called with the Python lock, by the thread that asks. What it raises leaves the whole batch not
// scored (kUnavailable), with the exception's text; KeyboardInterrupt and SystemExit pass through.
std::unique_ptr<const Scorer> callable_scorer(pybind11::object callable);

void add_scorer(pybind11::module_& module);

}  // namespace harnessg::python
