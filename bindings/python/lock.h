// The Python lock: given away while the engine computes, taken for a call into Python.
#pragma once

#include <pybind11/pybind11.h>

namespace harnessg::python {

// A daemon thread may be computing when the interpreter ends. CPython ends such a thread where it asks for the lock,
// which C++ frames do not survive; the guards below stop it for good instead. Called once, when the module is loaded:
// from then on the end of the interpreter waits for the threads that are about to take the lock.
void guard_exit();

// The caller has the lock and gets it back at the end of the scope.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// The caller may or may not have the lock.
class Locked {
 public:
  Locked();
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace harnessg::python
