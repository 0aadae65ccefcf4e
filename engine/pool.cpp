#include "engine/pool.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "data/splitmix.h"
#include "engine/caught.h"

namespace harnessg {
namespace {

constexpr unsigned kMostThreads = 4096;

SlotResult failed(std::size_t slot, Error error) { return {slot, SlotEvent::kFailed, {}, std::move(error)}; }

Error no_episode(std::size_t slot) {
  return {ErrorCode::kInvalidArgument, fmt::format("slot {} holds no episode; reset it first", slot)};
}

Task restarted(const Episode& episode) {
  const Question& question = episode.question();
  return {question.text, question.answers, question.id, episode_seed(episode.seed(), 0)};
}

}  // namespace

std::uint64_t episode_seed(std::uint64_t seed, std::uint64_t index) { return SplitMix::at(seed, index); }

struct EpisodePool::Impl {
  std::shared_ptr<const Environment> environment;
  PoolOptions options;
  tbb::task_arena arena;
  std::vector<std::optional<Episode>> episodes;
  std::vector<char> busy;  // by slot: in flight
  std::size_t in_flight = 0;

  std::mutex mutex;  // guards what follows
  std::condition_variable more;
  std::vector<SlotResult> finished;  // not yet received

  Impl(std::shared_ptr<const Environment> from, const PoolOptions& with)
      : environment(std::move(from)),
        options(with),
        arena(with.threads == 0 ? tbb::task_arena::automatic : static_cast<int>(with.threads)),
        episodes(with.size),
        busy(with.size, 0) {}

  SlotResult place(std::size_t slot, Result<Episode> episode) {
    if (!episode) {
      episodes[slot].reset();
      return failed(slot, std::move(episode).error());
    }
    episodes[slot] = std::move(*episode);
    return {slot, SlotEvent::kReset, {}, {}};
  }

  SlotResult take(std::size_t slot, std::size_t position) {
    std::optional<Episode>& episode = episodes[slot];
    if (!episode) return failed(slot, no_episode(slot));
    if (episode->over()) {
      if (options.when_over == WhenOver::kSkip) return {slot, SlotEvent::kSkipped, {}, {}};
      return place(slot, environment->reset(restarted(*episode)));
    }
    auto outcome = environment->step(*episode, position);
    if (!outcome) return failed(slot, std::move(outcome).error());
    return {slot, SlotEvent::kStepped, *std::move(outcome), {}};
  }

  Result<std::vector<Outcome>> look_ahead(std::size_t slot) const {
    const std::optional<Episode>& episode = episodes[slot];
    if (!episode) return tl::unexpected<Error>(no_episode(slot));
    if (episode->over()) return std::vector<Outcome>();
    return environment->preview_all(*episode);
  }

  // New episodes in the slots, made together on the arena's threads.
  Result<std::vector<SlotResult>> start_all(std::span<const std::size_t> slots, std::span<const Task> tasks) {
    auto made = caught([&] { return arena.execute([&] { return environment->reset_all(tasks); }); });
    if (!made) return tl::unexpected<Error>(std::move(made).error());
    std::vector<SlotResult> results;
    for (std::size_t i = 0; i < slots.size(); ++i) results.push_back(place(slots[i], std::move((*made)[i])));
    return results;
  }

  bool starts_again(std::size_t slot) const {
    return options.when_over == WhenOver::kRestart && episodes[slot] && episodes[slot]->over();
  }

  // One turn in each slot, as take() does it; what starts again starts together.
  Result<std::vector<SlotResult>> take_all(std::span<const std::size_t> slots, std::span<const std::size_t> positions) {
    std::vector<std::size_t> again, stepping;  // places in `slots`
    for (std::size_t i = 0; i < slots.size(); ++i) (starts_again(slots[i]) ? again : stepping).push_back(i);
    std::vector<SlotResult> results(slots.size());
    encode_ahead(slots, positions);
    HARNESSG_RETURN_IF_ERROR(start_again(again, slots, results));
    HARNESSG_RETURN_IF_ERROR(each(stepping.size(), [&](std::size_t n) {
      const std::size_t i = stepping[n];
      results[i] = take_caught(slots[i], positions[i]);
    }));
    return results;
  }

  Status start_again(std::span<const std::size_t> places, std::span<const std::size_t> slots,
                     std::span<SlotResult> results) {
    if (places.empty()) return {};
    std::vector<std::size_t> own_slots;
    std::vector<Task> tasks;
    for (const std::size_t i : places) {
      own_slots.push_back(slots[i]);
      tasks.push_back(restarted(*episodes[slots[i]]));
    }
    HARNESSG_ASSIGN(auto started, start_all(own_slots, tasks));
    for (std::size_t n = 0; n < places.size(); ++n) results[places[n]] = std::move(started[n]);
    return {};
  }

  SlotResult take_caught(std::size_t slot, std::size_t position) {
    auto result = caught([&] { return take(slot, position); });
    return result ? *std::move(result) : failed(slot, std::move(result).error());
  }

  // Embeds in one call what the steps in these slots, or without positions the previews, need. Its error is left to
  // those whom it concerns: they meet it again.
  void encode_ahead(std::span<const std::size_t> slots, std::span<const std::size_t> positions) const {
    std::vector<PlannedCall> calls;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::optional<Episode>& episode = episodes[slots[i]];
      if (!episode || episode->over()) continue;
      calls.push_back({&*episode, positions.empty() ? std::nullopt : std::optional(positions[i])});
    }
    static_cast<void>(caught([&] { return environment->encode_ahead(calls); }));
  }

  // work(i) for each i < count, on the arena's threads.
  template <class Work>
  Status each(std::size_t count, Work work) {
    const auto run = caught([&] {
      arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work); });
      return true;
    });
    if (!run) return tl::unexpected<Error>(run.error());
    return {};
  }

  Status check_slots(std::span<const std::size_t> slots, std::size_t items) const {
    if (slots.size() != items) {
      return fail(ErrorCode::kInvalidArgument, "{} items were given for {} slots; give one a slot", items,
                  slots.size());
    }
    std::vector<char> named(episodes.size(), 0);
    for (const std::size_t slot : slots) {
      if (slot >= episodes.size()) {
        return fail(ErrorCode::kInvalidArgument, "there is no slot {} in a pool of {}", slot, episodes.size());
      }
      if (busy[slot]) return fail(ErrorCode::kInvalidArgument, "slot {} is in flight; receive it first", slot);
      if (std::exchange(named[slot], 1)) return fail(ErrorCode::kInvalidArgument, "slot {} is named twice", slot);
    }
    return {};
  }

  Status check_still() const {
    if (in_flight == 0) return {};
    return fail(ErrorCode::kInvalidArgument, "{} slots are in flight; receive them first", in_flight);
  }

  std::vector<std::size_t> all_slots() const {
    std::vector<std::size_t> slots(episodes.size());
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    return slots;
  }

  // What was sent: embedded together, then a task a step. Once the last result is finished the pool may be gone, so
  // that one is taken here, after nothing is left to do.
  void take_sent(std::span<const std::size_t> slots, std::span<const std::size_t> positions) {
    encode_ahead(slots, positions);
    for (std::size_t i = 1; i < slots.size(); ++i) {
      const auto enqueued = caught([&] {
        arena.enqueue([this, slot = slots[i], position = positions[i]] { finish(take_caught(slot, position)); });
        return true;
      });
      if (!enqueued) finish(failed(slots[i], enqueued.error()));
    }
    finish(take_caught(slots.front(), positions.front()));
  }

  void finish(SlotResult result) {
    const std::lock_guard lock(mutex);
    finished.push_back(std::move(result));
    more.notify_one();  // with the lock held: the pool may be gone right after it is released
  }

  void wait_for(std::size_t count, std::unique_lock<std::mutex>& lock) {
    more.wait(lock, [&] { return finished.size() >= count; });
  }
};

EpisodePool::EpisodePool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EpisodePool::~EpisodePool() {
  std::unique_lock lock(impl_->mutex);
  impl_->wait_for(impl_->in_flight, lock);
}

Result<std::unique_ptr<EpisodePool>> EpisodePool::create(std::shared_ptr<const Environment> environment,
                                                         PoolOptions options) {
  if (options.size == 0) return fail(ErrorCode::kInvalidArgument, "a pool needs at least one slot");
  if (options.threads > kMostThreads) {
    return fail(ErrorCode::kInvalidArgument, "{} threads are too many for a pool; give at most {}, or 0 for all",
                options.threads, kMostThreads);
  }
  return std::unique_ptr<EpisodePool>(new EpisodePool(std::make_unique<Impl>(std::move(environment), options)));
}

std::size_t EpisodePool::size() const { return impl_->episodes.size(); }

const Environment& EpisodePool::environment() const { return *impl_->environment; }

const Episode* EpisodePool::episode(std::size_t slot) const {
  if (slot >= size() || impl_->busy[slot] || !impl_->episodes[slot]) return nullptr;
  return &*impl_->episodes[slot];
}

Result<std::vector<SlotResult>> EpisodePool::reset(std::span<const Task> tasks) {
  return reset(impl_->all_slots(), tasks);
}

Result<std::vector<SlotResult>> EpisodePool::reset(std::span<const std::size_t> slots, std::span<const Task> tasks) {
  HARNESSG_RETURN_IF_ERROR(impl_->check_slots(slots, tasks.size()));
  return impl_->start_all(slots, tasks);
}

Result<std::vector<SlotResult>> EpisodePool::step(std::span<const std::size_t> positions) {
  const std::vector<std::size_t> slots = impl_->all_slots();
  HARNESSG_RETURN_IF_ERROR(impl_->check_slots(slots, positions.size()));
  return impl_->take_all(slots, positions);
}

Result<std::vector<Result<std::vector<Outcome>>>> EpisodePool::preview_all() const {
  HARNESSG_RETURN_IF_ERROR(impl_->check_still());
  impl_->encode_ahead(impl_->all_slots(), {});
  std::vector<Result<std::vector<Outcome>>> previews(size());
  HARNESSG_RETURN_IF_ERROR(impl_->each(size(), [&](std::size_t slot) {
    auto preview = caught([&] { return impl_->look_ahead(slot); });
    previews[slot] = preview ? *std::move(preview) : tl::unexpected<Error>(std::move(preview).error());
  }));
  return previews;
}

Result<std::vector<std::string>> EpisodePool::observations() const {
  std::vector<std::string> texts;
  HARNESSG_RETURN_IF_ERROR(observations(texts));
  return texts;
}

Status EpisodePool::observations(std::vector<std::string>& texts) const {
  HARNESSG_RETURN_IF_ERROR(impl_->check_still());
  texts.resize(size());
  return impl_->each(size(), [&](std::size_t slot) {
    texts[slot].clear();
    if (const auto& episode = impl_->episodes[slot]) impl_->environment->observation(*episode, texts[slot]);
  });
}

Status EpisodePool::send(std::span<const std::size_t> slots, std::span<const std::size_t> positions) {
  HARNESSG_RETURN_IF_ERROR(impl_->check_slots(slots, positions.size()));
  if (slots.empty()) return {};
  const auto sent = caught([&] {
    impl_->arena.enqueue([impl = impl_.get(), own_slots = std::vector(slots.begin(), slots.end()),
                          own_positions = std::vector(positions.begin(), positions.end())] {
      impl->take_sent(own_slots, own_positions);
    });
    return true;
  });
  if (!sent) return tl::unexpected<Error>(sent.error());
  for (const std::size_t slot : slots) impl_->busy[slot] = 1;
  impl_->in_flight += slots.size();
  return {};
}

Result<std::vector<SlotResult>> EpisodePool::receive(std::size_t at_least) {
  if (at_least > impl_->in_flight) {
    return fail(ErrorCode::kInvalidArgument, "{} results are waited for and {} slots are in flight; send more",
                at_least, impl_->in_flight);
  }
  std::vector<SlotResult> results;
  {
    std::unique_lock lock(impl_->mutex);
    impl_->wait_for(at_least, lock);
    results.swap(impl_->finished);
  }
  for (const SlotResult& result : results) impl_->busy[result.slot] = 0;
  impl_->in_flight -= results.size();
  std::ranges::sort(results, {}, &SlotResult::slot);
  return results;
}

std::size_t EpisodePool::in_flight() const { return impl_->in_flight; }

}  // namespace harnessg
