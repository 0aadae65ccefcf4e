#include "engine/pool.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "data/splitmix.h"
#include "tests/engine/walk.h"
#include "tests/sample.h"

using namespace harnessg;

namespace {

std::shared_ptr<const Environment> sample_environment() {
  auto environment = Environment::create(sample_index(), {}, nullptr);
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

std::unique_ptr<EpisodePool> pool_of(std::size_t size, unsigned threads, WhenOver when_over = WhenOver::kSkip) {
  auto pool = EpisodePool::create(sample_environment(), {size, threads, when_over});
  REQUIRE_MESSAGE(pool.has_value(), pool.error().message);
  return std::move(*pool);
}

// Task n of an endless list: the sample's questions over and over, each with a seed of its own.
Task task(std::size_t n) {
  Task one = sample_tasks()[n % sample_tasks().size()];
  one.seed = episode_seed(7, n);
  return one;
}

std::vector<Task> tasks_from(std::size_t first, std::size_t count) {
  std::vector<Task> tasks;
  for (std::size_t n = 0; n < count; ++n) tasks.push_back(task(first + n));
  return tasks;
}

// The policy: drawn from the episode's seed and turn, now and then off the menu.
std::size_t choice(const Episode& episode) {
  return episode_seed(episode.seed(), episode.turn()) % (episode.menu().size() + 1);
}

std::vector<std::size_t> choices(const EpisodePool& pool) {
  std::vector<std::size_t> positions(pool.size(), 0);
  for (std::size_t slot = 0; slot < pool.size(); ++slot) {
    if (!pool.episode(slot)->over()) positions[slot] = choice(*pool.episode(slot));
  }
  return positions;
}

bool all_over(const EpisodePool& pool) {
  for (std::size_t slot = 0; slot < pool.size(); ++slot) {
    if (!pool.episode(slot)->over()) return false;
  }
  return true;
}

std::string trace_of(const Environment& environment, const Episode& episode) {
  const auto trace = environment.trace(episode, true);
  REQUIRE_MESSAGE(trace.has_value(), trace.error().message);
  return to_json(*trace);
}

constexpr std::size_t kEpisodes = 64;

std::vector<std::string> played_alone(std::size_t episodes = kEpisodes) {
  const auto environment = sample_environment();
  std::vector<std::string> traces;
  for (std::size_t n = 0; n < episodes; ++n) {
    Episode episode = environment->reset(task(n)).value();
    while (!episode.over()) REQUIRE(environment->step(episode, choice(episode)).has_value());
    traces.push_back(trace_of(*environment, episode));
  }
  return traces;
}

std::vector<std::string> played_in_pools(std::size_t episodes, std::size_t size, unsigned threads) {
  std::vector<std::string> traces;
  for (std::size_t first = 0; first < episodes; first += size) {
    const auto pool = pool_of(std::min(size, episodes - first), threads);
    REQUIRE(pool->reset(tasks_from(first, pool->size())).has_value());
    while (!all_over(*pool)) REQUIRE(pool->step(choices(*pool)).has_value());
    for (std::size_t slot = 0; slot < pool->size(); ++slot) {
      traces.push_back(trace_of(pool->environment(), *pool->episode(slot)));
    }
  }
  return traces;
}

}  // namespace

TEST_CASE("episodes of a pool leave the traces that they leave alone, for any size and number of threads") {
  const auto expected = played_alone();
  for (const std::size_t size : {1, 7, 64}) {
    for (const unsigned threads : {1u, 2u, 4u, 8u}) {
      CAPTURE(size);
      CAPTURE(threads);
      CHECK(played_in_pools(kEpisodes, size, threads) == expected);
    }
  }
}

TEST_CASE("a thousand episodes of one pool leave the traces that they leave alone") {
  const auto expected = played_alone(1000);
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    CAPTURE(threads);
    CHECK(played_in_pools(1000, 1000, threads) == expected);
  }
}

TEST_CASE("a pool's outcomes are those of the environment, and its previews foresee them") {
  const auto pool = pool_of(9, 2);
  REQUIRE(pool->reset(tasks_from(0, 9)).has_value());
  while (!all_over(*pool)) {
    const auto previews = pool->preview_all().value();
    std::vector<Episode> before;
    for (std::size_t slot = 0; slot < 9; ++slot) before.push_back(*pool->episode(slot));
    const auto positions = choices(*pool);
    const auto results = pool->step(positions).value();
    for (std::size_t slot = 0; slot < 9; ++slot) {
      CHECK(results[slot].slot == slot);
      CHECK(previews[slot].value().size() == before[slot].menu().size());
      if (before[slot].over()) {
        CHECK(results[slot].event == SlotEvent::kSkipped);
        CHECK(*pool->episode(slot) == before[slot]);
        continue;
      }
      CHECK(results[slot].event == SlotEvent::kStepped);
      CHECK(results[slot].outcome == pool->environment().step(before[slot], positions[slot]).value());
      if (!results[slot].outcome.invalid) CHECK(results[slot].outcome == (*previews[slot])[positions[slot]]);
    }
  }
}

TEST_CASE("seeds of the episodes differ, and come from the seed and the number alone") {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SplitMix bits(seed);
    for (std::uint64_t n = 0; n < 100; ++n) {
      seeds.insert(episode_seed(seed, n));
      CHECK(episode_seed(seed, n) == bits.next());
    }
  }
  CHECK(seeds.size() == 1000);
}

TEST_CASE("an episode that is over starts again with its own question where that was asked for") {
  const auto pool = pool_of(2, 1, WhenOver::kRestart);
  REQUIRE(pool->reset(tasks_from(0, 2)).has_value());
  const Episode first = *pool->episode(0);
  const std::vector<std::size_t> blocked(2, 1000);
  while (!pool->episode(0)->over()) REQUIRE(pool->step(blocked).has_value());
  const auto results = pool->step(blocked).value();
  CHECK(results[0].event == SlotEvent::kReset);
  CHECK(pool->episode(0)->turn() == 1);
  CHECK(pool->episode(0)->state() == first.state());
  CHECK(pool->episode(0)->seed() == episode_seed(first.seed(), 0));
}

TEST_CASE("one bad task fails alone") {
  const auto pool = pool_of(3, 2);
  std::vector<Task> tasks = tasks_from(0, 3);
  tasks[1].question = "";
  const auto results = pool->reset(tasks).value();
  CHECK(results[0].event == SlotEvent::kReset);
  CHECK(results[1].event == SlotEvent::kFailed);
  CHECK(results[1].error.code == ErrorCode::kBadInput);
  CHECK(pool->episode(1) == nullptr);
  const auto stepped = pool->step(std::vector<std::size_t>(3, 0)).value();
  CHECK(stepped[0].event == SlotEvent::kStepped);
  CHECK(stepped[1].error.code == ErrorCode::kInvalidArgument);
  CHECK(pool->preview_all().value()[1].error().code == ErrorCode::kInvalidArgument);
  CHECK(pool->reset(std::vector<std::size_t>{1}, tasks_from(1, 1)).value()[0].event == SlotEvent::kReset);
  CHECK(pool->episode(1)->turn() == 1);
}

TEST_CASE("calls that make no sense for a pool are refused as a whole") {
  CHECK(EpisodePool::create(sample_environment(), {0, 1, WhenOver::kSkip}).error().code == ErrorCode::kInvalidArgument);
  CHECK(EpisodePool::create(sample_environment(), {1, 5000, WhenOver::kSkip}).error().code ==
        ErrorCode::kInvalidArgument);
  const auto pool = pool_of(3, 1);
  CHECK(pool->reset(tasks_from(0, 2)).error().code == ErrorCode::kInvalidArgument);
  REQUIRE(pool->reset(tasks_from(0, 3)).has_value());
  const Episode before = *pool->episode(0);
  CHECK(pool->step(std::vector<std::size_t>(4, 0)).error().code == ErrorCode::kInvalidArgument);
  CHECK(pool->reset(std::vector<std::size_t>{0, 0}, tasks_from(0, 2)).error().code == ErrorCode::kInvalidArgument);
  CHECK(pool->send(std::vector<std::size_t>{0, 3}, std::vector<std::size_t>{0, 0}).error().code ==
        ErrorCode::kInvalidArgument);
  CHECK(pool->receive(1).error().code == ErrorCode::kInvalidArgument);
  CHECK(*pool->episode(0) == before);
}

TEST_CASE("steps sent come back in batches smaller than the pool, with the traces of episodes played alone") {
  const auto expected = played_alone();
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    const auto pool = pool_of(kEpisodes, threads);
    REQUIRE(pool->reset(tasks_from(0, kEpisodes)).has_value());
    std::vector<std::size_t> all(kEpisodes);
    for (std::size_t slot = 0; slot < kEpisodes; ++slot) all[slot] = slot;
    REQUIRE(pool->send(all, choices(*pool)).has_value());
    CHECK(pool->step(std::vector<std::size_t>(kEpisodes, 0)).error().code == ErrorCode::kInvalidArgument);
    while (pool->in_flight() > 0) {
      std::vector<std::size_t> slots, positions;
      const auto received = pool->receive(std::min<std::size_t>(7, pool->in_flight())).value();
      CHECK(std::ranges::is_sorted(received, {}, &SlotResult::slot));
      for (const SlotResult& result : received) {
        REQUIRE(result.event == SlotEvent::kStepped);
        const Episode& episode = *pool->episode(result.slot);
        if (episode.over()) continue;
        slots.push_back(result.slot);
        positions.push_back(choice(episode));
      }
      REQUIRE(pool->send(slots, positions).has_value());
    }
    std::vector<std::string> traces;
    for (const std::size_t slot : all) traces.push_back(trace_of(pool->environment(), *pool->episode(slot)));
    CHECK(traces == expected);
  }
}

TEST_CASE("a pool may go away with steps in flight") {
  for (int round = 0; round < 20; ++round) {
    const auto pool = pool_of(8, 2);
    REQUIRE(pool->reset(tasks_from(0, 8)).has_value());
    REQUIRE(pool->send(std::vector<std::size_t>{0, 3, 5}, std::vector<std::size_t>{0, 0, 0}).has_value());
    CHECK(pool->episode(3) == nullptr);
  }
}
