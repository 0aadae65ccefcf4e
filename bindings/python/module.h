// Each adds one subject to the module `harnessg._native`.
#pragma once

#include <pybind11/pybind11.h>

namespace harnessg::python {

void add_index(pybind11::module_& module);
void add_questions(pybind11::module_& module);
void add_environment(pybind11::module_& module);
void add_episode(pybind11::module_& module);
void add_outcome(pybind11::module_& module);
void add_free_query(pybind11::module_& module);
void add_trace(pybind11::module_& module);
void add_transcript(pybind11::module_& module);
void add_pool(pybind11::module_& module);
void add_build(pybind11::module_& module);
void add_credit(pybind11::module_& module);
void add_eager(pybind11::module_& module);
void add_rewards(pybind11::module_& module);
void add_advantages(pybind11::module_& module);

}  // namespace harnessg::python
