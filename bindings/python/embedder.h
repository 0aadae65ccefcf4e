// What encodes the queries of an environment made from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>

#include "data/embedder.h"
#include "data/index.h"

namespace harnessg::python {

// A callable: list of str -> float32 array of unit rows, one a text. It is taken at its word that it is the model the
// index was built with; only the shape and the length of its rows are checked. Called with the Python lock, by one
// thread at a time. Its exceptions come back as kUnavailable.
std::shared_ptr<const Embedder> callable_embedder(pybind11::object callable, EmbedderInfo info);

// `embedder` as Environment takes it: None, a name or a path as the command line has them, or a callable.
std::shared_ptr<const Embedder> query_embedder(const Index& index, std::optional<Scoring> scoring,
                                               const pybind11::object& embedder);

}  // namespace harnessg::python
