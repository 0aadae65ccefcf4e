// The engine's errors as Python exceptions.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "bindings/python/lock.h"
#include "data/result.h"

namespace harnessg::python {

namespace py = pybind11;

// Throws the exception that harnessg/errors.py gives for the code. With the Python lock held.
[[noreturn]] void raise(const Error& error);
// Of the binding itself: an object used after close(), or in a process forked after it was made.
[[noreturn]] void raise_closed(const char* what);
[[noreturn]] void raise_forked(const char* what);

template <class T>
T unwrap(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// work() without the Python lock; its result, or its error as an exception.
template <class Work>
auto compute(Work work) {
  auto result = [&] {
    const Unlocked unlocked;
    return work();
  }();
  return unwrap(std::move(result));
}

}  // namespace harnessg::python
