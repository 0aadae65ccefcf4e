#include "engine/pool.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <utility>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

Error busy() { return {ErrorCode::kInvalidArgument, "another thread is using this pool; give each thread its own"}; }

// `harnessg.Pool`.
struct PoolHandle {
  std::shared_ptr<EnvironmentHandle> environment;
  std::unique_ptr<EpisodePool> pool;  // null once closed
  std::vector<std::string> texts;     // of the last observations, for their room
  bool working = false;               // a thread is in a call

  PoolHandle() = default;
  PoolHandle(PoolHandle&&) = default;
  ~PoolHandle() { close(); }

  EpisodePool& get() const {
    environment->get();
    if (!pool) raise_closed("pool");
    if (working) raise(busy());
    return *pool;
  }

  // Waits for what was sent, without the Python lock. In a forked child there is nothing to wait for: what the pool
  // held is left to the end of the process.
  void close() {
    if (environment && environment->index->process != process_id()) {
      static_cast<void>(pool.release());
      return;
    }
    const std::unique_ptr<EpisodePool> last = std::move(pool);
    const Unlocked unlocked;
    if (last && last->in_flight() > 0) static_cast<void>(last->receive(last->in_flight()));
  }
};

class Working {
 public:
  explicit Working(PoolHandle& handle) : handle_(handle) { handle.working = true; }
  ~Working() { handle_.working = false; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  PoolHandle& handle_;
};

// `harnessg.SlotResult`.
struct SlotResultHandle {
  std::shared_ptr<IndexHandle> index;
  SlotResult result;
};

// `harnessg.SlotResults`: those of a whole call, each made into a Python object when it is asked for.
struct SlotResultsHandle {
  std::shared_ptr<IndexHandle> index;
  std::vector<SlotResult> results;

  SlotResultHandle at(std::size_t number) const {
    if (number >= results.size()) throw py::index_error(fmt::format("there are {} results", results.size()));
    return {index, results[number]};
  }
  std::vector<std::size_t> slots_with(SlotEvent event) const {
    std::vector<std::size_t> slots;
    for (const SlotResult& result : results) {
      if (result.event == event) slots.push_back(result.slot);
    }
    return slots;
  }
  std::vector<std::pair<std::size_t, std::string>> blocked() const {
    std::vector<std::pair<std::size_t, std::string>> reasons;
    for (const SlotResult& result : results) {
      if (result.event == SlotEvent::kStepped && result.outcome.invalid)
        reasons.emplace_back(result.slot, result.outcome.invalid_reason);
    }
    return reasons;
  }
  void check() const {
    for (const SlotResult& result : results) {
      if (result.event == SlotEvent::kFailed) raise(result.error);
    }
  }
};

const char* event_of(const SlotResultHandle& self) {
  constexpr std::array<const char*, 4> kEvents = {"reset", "stepped", "skipped", "failed"};
  return kEvents[static_cast<std::size_t>(self.result.event)];
}

std::vector<std::size_t> positions_of(const Numbers& numbers) {
  if (numbers.ndim() != 1) raise({ErrorCode::kInvalidArgument, "one number a slot is meant: a list or a flat array"});
  std::vector<std::size_t> positions;
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    positions.push_back(static_cast<std::size_t>(numbers.data()[i]));  // below zero: far off any menu, so blocked
  }
  return positions;
}

std::vector<SlotResultHandle> with_index(const PoolHandle& self, std::vector<SlotResult> results) {
  std::vector<SlotResultHandle> list;
  list.reserve(results.size());
  for (SlotResult& result : results) list.push_back({self.environment->index, std::move(result)});
  return list;
}

PoolHandle make_pool(std::shared_ptr<EnvironmentHandle> environment, std::size_t size, unsigned threads, bool restart) {
  PoolHandle handle;
  // A Python embedder runs in the calling thread only.
  const PoolOptions options{size, environment->calls_python ? 1 : threads,
                            restart ? WhenOver::kRestart : WhenOver::kSkip};
  handle.pool = unwrap(EpisodePool::create(environment->get(), options));
  handle.environment = std::move(environment);
  return handle;
}

SlotResultsHandle reset(PoolHandle& self, const Numbers& slots, const std::vector<const QuestionRecord*>& questions,
                        const std::vector<std::uint64_t>& seeds) {
  EpisodePool& pool = self.get();
  const std::vector<std::size_t> which = positions_of(slots);
  if (questions.size() != seeds.size()) raise({ErrorCode::kInvalidArgument, "one seed a question is meant"});
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < questions.size(); ++i)
    tasks.push_back({questions[i]->question, questions[i]->answers, questions[i]->id, seeds[i]});
  const Working working(self);
  return {self.environment->index, compute([&] { return pool.reset(which, tasks); })};
}

std::vector<SlotResultHandle> step(PoolHandle& self, const Numbers& actions) {
  EpisodePool& pool = self.get();
  const std::vector<std::size_t> positions = positions_of(actions);
  const Working working(self);
  return with_index(self, compute([&] { return pool.step(positions); }));
}

SlotResultsHandle advance(PoolHandle& self, const Numbers& actions) {
  EpisodePool& pool = self.get();
  const std::vector<std::size_t> positions = positions_of(actions);
  const Working working(self);
  return {self.environment->index, compute([&] { return pool.step(positions); })};
}

const std::vector<std::string>& observations(PoolHandle& self) {
  EpisodePool& pool = self.get();
  const Working working(self);
  compute([&] { return pool.observations(self.texts); });
  return self.texts;
}

// One list of outcomes a slot; empty where the search is over. The first slot that fails is raised.
std::vector<std::vector<OutcomeHandle>> preview_all(PoolHandle& self) {
  EpisodePool& pool = self.get();
  const Working working(self);
  auto previews = compute([&] { return pool.preview_all(); });
  std::vector<std::vector<OutcomeHandle>> lists;
  for (auto& preview : previews) {
    auto& list = lists.emplace_back();
    for (Outcome& outcome : unwrap(std::move(preview))) list.push_back({self.environment->index, std::move(outcome)});
  }
  return lists;
}

void send(PoolHandle& self, const Numbers& slots, const Numbers& actions) {
  EpisodePool& pool = self.get();
  if (self.environment->calls_python) {
    raise({ErrorCode::kUnavailable, "a Python embedder runs in the calling thread only; use step"});
  }
  const std::vector<std::size_t> which = positions_of(slots);
  const std::vector<std::size_t> positions = positions_of(actions);
  const Working working(self);
  compute([&] { return pool.send(which, positions); });
}

std::vector<SlotResultHandle> receive(PoolHandle& self, std::size_t at_least) {
  EpisodePool& pool = self.get();
  const Working working(self);
  return with_index(self, compute([&] { return pool.receive(at_least); }));
}

const Episode& episode_in(const EpisodePool& pool, std::size_t slot) {
  if (slot >= pool.size()) throw py::index_error(fmt::format("there is no slot {} in a pool of {}", slot, pool.size()));
  if (const Episode* const episode = pool.episode(slot)) return *episode;
  raise({ErrorCode::kInvalidArgument, fmt::format("slot {} holds no episode, or is in flight", slot)});
}

// value(episode) of every slot; 0 where there is no episode.
template <class Number, class Value>
py::array_t<Number> column(const PoolHandle& self, Value value) {
  const EpisodePool& pool = self.get();
  py::array_t<Number> numbers(static_cast<py::ssize_t>(pool.size()));
  for (std::size_t slot = 0; slot < pool.size(); ++slot) {
    const Episode* const episode = pool.episode(slot);
    numbers.mutable_data()[slot] = episode ? static_cast<Number>(value(*episode)) : Number();
  }
  return numbers;
}

void add_columns(py::class_<PoolHandle>& type) {
  using Self = const PoolHandle&;
  type.def_property_readonly(
          "menu_sizes",
          [](Self self) { return column<std::int64_t>(self, [](const Episode& e) { return e.menu().size(); }); })
      .def_property_readonly(
          "turns", [](Self self) { return column<std::int64_t>(self, [](const Episode& e) { return e.turn(); }); })
      .def_property_readonly("ended",
                             [](Self self) { return column<bool>(self, [](const Episode& e) { return e.ended(); }); })
      .def_property_readonly(
          "truncated", [](Self self) { return column<bool>(self, [](const Episode& e) { return e.truncated(); }); });
}

void add_slot_results(py::module_& module) {
  using Self = const SlotResultsHandle&;
  py::class_<SlotResultsHandle>(module, "SlotResults")
      .def("__len__", [](Self self) { return self.results.size(); })
      .def("__getitem__", &SlotResultsHandle::at)
      .def_property_readonly("skipped", [](Self self) { return self.slots_with(SlotEvent::kSkipped); })
      .def_property_readonly("blocked", &SlotResultsHandle::blocked)
      .def("check", &SlotResultsHandle::check);
}

}  // namespace

void add_pool(py::module_& module) {
  py::class_<SlotResultHandle>(module, "SlotResult")
      .def_property_readonly("slot", [](const SlotResultHandle& self) { return self.result.slot; })
      .def_property_readonly("event", &event_of)
      .def_property_readonly("outcome",
                             [](const SlotResultHandle& self) -> std::optional<OutcomeHandle> {
                               if (self.result.event != SlotEvent::kStepped) return std::nullopt;
                               return OutcomeHandle{self.index, self.result.outcome};
                             })
      .def("check",
           [](const SlotResultHandle& self) {
             if (self.result.event == SlotEvent::kFailed) raise(self.result.error);
           })
      .def("__repr__", [](const SlotResultHandle& self) {
        return fmt::format("SlotResult({}, {}{}{})", self.result.slot, event_of(self),
                           self.result.error.message.empty() ? "" : ": ", self.result.error.message);
      });
  add_slot_results(module);
  py::class_<PoolHandle> type(module, "Pool");
  add_columns(type);
  type.def(py::init(&make_pool), py::arg("environment"), py::arg("size"), py::arg("threads"), py::arg("restart"))
      .def_readonly("environment", &PoolHandle::environment)
      .def("reset", &reset, py::arg("slots"), py::arg("questions"), py::arg("seeds"))
      .def("step", &step, py::arg("actions"))
      .def("advance", &advance, py::arg("actions"))
      .def("observations", &observations)
      .def("preview_all", &preview_all)
      .def("send", &send, py::arg("slots"), py::arg("actions"))
      .def("receive", &receive, py::arg("at_least"))
      .def_property_readonly("in_flight", [](const PoolHandle& self) { return self.get().in_flight(); })
      .def("__len__", [](const PoolHandle& self) { return self.get().size(); })
      .def("__getitem__",
           [](const PoolHandle& self, std::size_t slot) {
             return EpisodeHandle{self.environment, episode_in(self.get(), slot)};
           })
      .def("close",
           [](PoolHandle& self) {
             if (self.working) raise(busy());
             self.close();
           })
      .def_property_readonly("closed", [](const PoolHandle& self) {
        return self.pool == nullptr || self.environment->environment == nullptr;
      });
  module.def("episode_seed", &episode_seed, py::arg("seed"), py::arg("index"));
}

}  // namespace harnessg::python
