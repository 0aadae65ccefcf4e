// Fork and return: what a step was worth, measured by playing it and everything else that could have been done there to
// the end [beyond the paper]. A yardstick for step credit, at the price of many episodes for each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "credit/final_value.h"
#include "credit/replay.h"
#include "data/result.h"
#include "data/splitmix.h"
#include "engine/environment.h"
#include "engine/trace.h"

namespace harnessg {

// Chooses a position on the menu of an episode that is not over. A function of its arguments alone, called from several
// threads at once.
using RolloutPolicy = std::function<std::size_t(const Episode&, SplitMix&)>;

// Every action of the menu is as likely as any other.
std::size_t uniform_choice(const Episode& episode, SplitMix& bits);

// What the action taken is compared with.
enum class RolloutAlternatives : std::uint8_t {
  kMenu,      // every other action of the menu
  kFrontier,  // the other lookups that the trace recorded, as SNC has them; steps without any are worth 0
};

struct RolloutOptions {
  std::uint32_t rollouts = 16;  // episodes played to the end after each action, at least 2
  std::uint64_t seed = 0;
  RolloutAlternatives alternatives = RolloutAlternatives::kMenu;
  unsigned threads = 0;  // at most; 0: as many as oneTBB finds
  RolloutPolicy policy = uniform_choice;
};

// kInvalidArgument with what is out of range.
Status check(const RolloutOptions& options);

struct ActionValue {
  std::uint32_t position = 0;  // on the menu before: action id "A<position>"
  double value = 0;            // mean over the rollouts
  double deviation = 0;        // sample standard deviation over them; 0 where the action ends the search
};

struct StepRollout {
  std::size_t step = 0;  // position in trace.steps
  ActionValue taken;
  std::vector<ActionValue> alternatives;  // ascending positions, or the frontier's order
  double baseline = 0;                    // mean of the alternatives' values; 0 when there are none
  double credit = 0;                      // taken.value - baseline; 0 when there are no alternatives
  double standard_error = 0;              // of the credit: rollout n of every action draws the same numbers, so it is
                                          // that of the mean of the differences within each n
};

struct EpisodeRollout {
  std::optional<NotScored> not_scored;  // set: no credit, and why; `steps` is empty
  std::vector<StepRollout> steps;       // those that have credit in SNC too (has_credit)
};

// A trace and its states, by states_before(). Refers to the trace.
struct ReplayedTrace {
  const Trace* trace = nullptr;
  std::vector<StateBefore> states;
};

// One result a trace, in order. `value` is called once, with every different end; FinalState::episode counts the traces
// here. Rollout n of a step draws from splitmix over (options.seed, trace.seed, step, n), whatever the action: results
// depend neither on the batch nor on threads, and two actions that lead to the same state have the same value. A step
// that fails (an embedder that does not answer) and an end without a value leave that trace without credit. Errors are
// those of check() and of `value`; kInvalidArgument: RolloutAlternatives::kFrontier for a trace recorded without them.
// Costs about (actions of the menu) x rollouts x (turns left) turns for each step.
Result<std::vector<EpisodeRollout>> rollout_credit(const Environment& environment,
                                                   std::span<const ReplayedTrace> traces, const FinalValue& value,
                                                   const RolloutOptions& options = {});

}  // namespace harnessg
