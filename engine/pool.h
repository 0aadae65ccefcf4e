// Many episodes of one environment, stepped as one batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/result.h"
#include "engine/environment.h"
#include "engine/episode.h"

namespace harnessg {

// Output number `index` of the splitmix64 generator that starts at `seed`: how one seed becomes one a episode.
std::uint64_t episode_seed(std::uint64_t seed, std::uint64_t index);

// What a step does to an episode whose search is over.
enum class WhenOver : std::uint8_t {
  kSkip,     // passes it over
  kRestart,  // starts it again with its own task in place of the step, with the seed episode_seed(its seed, 0)
};

struct PoolOptions {
  std::size_t size = 1;
  unsigned threads = 0;  // at most; 0: as many as oneTBB finds
  WhenOver when_over = WhenOver::kSkip;
};

enum class SlotEvent : std::uint8_t { kReset, kStepped, kSkipped, kFailed };

// What a call did to one episode. Plain data.
struct SlotResult {
  std::size_t slot = 0;
  SlotEvent event = SlotEvent::kSkipped;
  Outcome outcome;  // of kStepped
  Error error;      // of kFailed: the error that Environment gives for the same call; the episode is as it was

  friend bool operator==(const SlotResult&, const SlotResult&) = default;
};

// Slots 0 .. size-1 hold one episode each, none before their first reset. What happens in a slot depends on what was
// asked of that slot alone: equal, bit for bit, for any pool size, number of threads and order. Nothing is thrown; an
// error of one slot leaves the others alone.
//
// What the episodes of one call need embedded is embedded together, in one call of the embedder before they are
// stepped, previewed or reset.
//
// One thread at a time per pool; the pool uses threads of its own arena. The environment may be shared with others.
class EpisodePool {
 public:
  // kInvalidArgument: no slot, or more threads than 4096.
  static Result<std::unique_ptr<EpisodePool>> create(std::shared_ptr<const Environment> environment,
                                                     PoolOptions options);
  // Waits for what was sent.
  ~EpisodePool();

  std::size_t size() const;
  const Environment& environment() const;
  // Null before the first reset, after a reset that failed, and while a step of it is in flight. Valid until the next
  // call that changes the slot.
  const Episode* episode(std::size_t slot) const;

  // The calls below give one result a slot asked for, in the order asked. Their own error is kInvalidArgument: a
  // number of items other than asked for, a slot that does not exist, is named twice or is in flight.

  // A new episode in every slot, tasks[i] in slot i, or in the slots given. A slot whose reset fails is left empty.
  Result<std::vector<SlotResult>> reset(std::span<const Task> tasks);
  Result<std::vector<SlotResult>> reset(std::span<const std::size_t> slots, std::span<const Task> tasks);

  // One turn in every slot: the action at that position of its menu; any other position is blocked, as
  // Environment::step does it.
  Result<std::vector<SlotResult>> step(std::span<const std::size_t> positions);

  // The outcomes of every action, a slot. Empty where the search is over.
  Result<std::vector<Result<std::vector<Outcome>>>> preview_all() const;

  // What Environment::observation says of every slot's episode; "" where a slot holds none.
  Result<std::vector<std::string>> observations() const;
  // The same into strings that are there already: their room is used again.
  Status observations(std::vector<std::string>& texts) const;

  // Asynchronous stepping: send starts the steps and returns; receive waits until `at_least` of those in flight have
  // finished and gives all that have, by slot. Which slots come first depends on the machine; what they hold does not.
  Status send(std::span<const std::size_t> slots, std::span<const std::size_t> positions);
  // kInvalidArgument: more than are in flight.
  Result<std::vector<SlotResult>> receive(std::size_t at_least);
  // Sent and not yet received.
  std::size_t in_flight() const;

 private:
  struct Impl;
  explicit EpisodePool(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace harnessg
