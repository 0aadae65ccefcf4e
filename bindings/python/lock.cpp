#include "bindings/python/lock.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace harnessg::python {
namespace {

std::atomic<int> taking = 0;  // threads that are about to take the lock
std::atomic<bool> ending = false;
std::atomic<std::thread::id> ending_thread;

// Either this thread sees that the interpreter ends, or prepare_exit() sees this thread.
class Taking {
 public:
  Taking() {
    ++taking;
    if (!ending || ending_thread.load() == std::this_thread::get_id()) return;
    --taking;
    while (true) pause();
  }
  ~Taking() { --taking; }
  Taking(const Taking&) = delete;
  Taking& operator=(const Taking&) = delete;
};

// With the lock.
void prepare_exit() {
  ending_thread = std::this_thread::get_id();
  ending = true;
  PyThreadState* const state = PyEval_SaveThread();
  while (taking > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

}  // namespace

void guard_exit() {
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&prepare_exit));
  pthread_atfork(nullptr, nullptr, [] { taking = 0; });  // the child has this thread only
}

Unlocked::~Unlocked() {
  const Taking turn;
  PyEval_RestoreThread(state_);
}

Locked::Locked() {
  const Taking turn;
  state_ = PyGILState_Ensure();
}

}  // namespace harnessg::python
