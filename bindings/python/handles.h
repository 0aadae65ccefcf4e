// What the Python classes hold: the engine's values with the objects they depend on.
//
// A call that computes copies what it needs while it has the Python lock, releases the lock, computes, and stores its
// result after taking the lock again. So no Python object is touched without the lock, and no thread can see an episode
// half way through a step.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/errors.h"
#include "data/index.h"
#include "data/questions.h"
#include "engine/environment.h"
#include "engine/episode.h"

namespace harnessg::python {

namespace py = pybind11;

// Of the process that the caller runs in, for objects that a fork must not carry over.
std::int64_t process_id();

// Called before anything that may start threads. ForkedError in a child whose parent had done so before the fork: the
// libraries' threads stayed behind there, and what waits for them would wait for ever.
void use_engine();

// Lets go of what belongs to a process. In a forked child it is kept to the end instead: what would be destroyed may
// wait for threads that stayed behind.
template <class Value>
void let_go(std::shared_ptr<const Value>& held, std::int64_t process) {
  if (process == process_id()) {
    held.reset();
  } else {
    static_cast<void>(new std::shared_ptr<const Value>(std::move(held)));
  }
}

struct EnvironmentHandle;

// `harnessg.Index`. Closing it closes the environments made from it.
struct IndexHandle {
  std::shared_ptr<const Index> index;  // null once closed
  std::string path;                    // absolute
  std::string content_hash;
  std::int64_t process = process_id();
  std::vector<std::weak_ptr<EnvironmentHandle>> environments;
  std::shared_ptr<const FactResolver> resolver;  // null until it is asked for

  // ClosedError, ForkedError.
  std::shared_ptr<const Index> get() const;
  void close();
  ~IndexHandle() { let_go(index, process); }
};

// `harnessg.Environment`, with the arguments it was made from, so that it can be made again in another process.
struct EnvironmentHandle {
  std::shared_ptr<const Environment> environment;  // null once closed
  std::shared_ptr<IndexHandle> index;
  std::string profile;
  py::object scoring;
  py::object embedder;
  py::dict settings;
  bool calls_python = false;  // the embedder is a Python callable
  std::int64_t process = process_id();

  std::shared_ptr<const Environment> get() const;
  void close() { let_go(environment, process); }
  ~EnvironmentHandle() { close(); }
};

// `harnessg.Episode`.
struct EpisodeHandle {
  std::shared_ptr<EnvironmentHandle> environment;
  Episode episode;
  bool stepping = false;  // a thread is in a call that changes it
};

// Marks an episode as being changed; a second thread that tries is told so.
template <class Handle>
class Changing {
 public:
  explicit Changing(Handle& handle) : handle_(handle) {
    if (handle.stepping) {
      raise({ErrorCode::kInvalidArgument, "another thread is stepping this episode; give each thread a clone"});
    }
    handle.stepping = true;
  }
  ~Changing() { handle_.stepping = false; }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

 private:
  Handle& handle_;
};

// `harnessg.Sentence` and `harnessg.Entity`: a number in an index; texts are looked up when asked for.
struct SentenceHandle {
  std::shared_ptr<IndexHandle> index;
  SentenceId id{};
};
struct EntityHandle {
  std::shared_ptr<IndexHandle> index;
  EntityId id{};
};

// `harnessg.Action`: an entry of a menu.
struct ActionHandle {
  std::shared_ptr<IndexHandle> index;
  Action action;
  std::uint32_t position = 0;
};

// `harnessg.Outcome`.
struct OutcomeHandle {
  std::shared_ptr<IndexHandle> index;
  Outcome outcome;
};

template <class List>
std::vector<SentenceHandle> sentence_list(const std::shared_ptr<IndexHandle>& index, const List& ids) {
  std::vector<SentenceHandle> list;
  list.reserve(ids.size());
  for (const SentenceId id : ids) list.push_back({index, id});
  return list;
}

template <class List>
std::vector<EntityHandle> entity_list(const std::shared_ptr<IndexHandle>& index, const List& ids) {
  std::vector<EntityHandle> list;
  list.reserve(ids.size());
  for (const EntityId id : ids) list.push_back({index, id});
  return list;
}

inline std::vector<ActionHandle> action_list(const std::shared_ptr<IndexHandle>& index, const Menu& menu) {
  std::vector<ActionHandle> list;
  list.reserve(menu.size());
  for (const Action& action : menu) list.push_back({index, action, static_cast<std::uint32_t>(list.size())});
  return list;
}

}  // namespace harnessg::python
