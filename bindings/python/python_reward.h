// A class in Python as a reward plugin.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace harnessg::python {

// Makes `name` known to make_reward. `factory(settings as JSON)` gives (components, score): a list of (name, level,
// weight, meaning), and a callable that takes a list of {"group", "record", "trace"} and the groups' members, both as
// JSON, and gives {"episodes": [{"values", "steps", "not_judged", "output", "failed", "detail"}], "groups": [{name:
// value}], "monitors"} as JSON, values by component name. Both are called with the Python lock. What they raise is an
// error that names the reward; KeyboardInterrupt and its like pass through. False when the name is taken. The factory
// is kept to the end of the process.
bool register_python_reward(const std::string& name, pybind11::object factory);

}  // namespace harnessg::python
