// Oracles: what the best policy could find, who knows the gold and may try every action sequence.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bench/gold.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

// When a unit counts as found: one of its sentences was on display, or was chosen by Select or AnswerWith.
enum class Found : std::uint8_t { kSeen, kSelected };

struct OracleOptions {
  Found found = Found::kSeen;
  // Select and Lookup actions at most; 0: as many as the turn budget leaves when the last turn answers (4 after the
  // first view with a budget of 6). For kSelected an AnswerWith may follow them.
  std::uint32_t actions = 0;
  // Transitions tried at most; beyond them the search gives up.
  std::size_t transitions = 500000;
  // Leaves out lookups that cannot matter by LookupBound. Without, the same verdicts, slower.
  bool bound = true;
};

enum class Verdict : std::uint8_t {
  kReached,
  kUnreachable,  // by no legal action sequence within the actions
  kUnknown,      // the search gave up before it knew
};
std::string_view verdict_name(Verdict verdict);  // "reached", "unreachable", "unknown"

struct GoalReach {
  Verdict verdict = Verdict::kUnknown;
  // Where reached: menu positions of a shortest action sequence. For kSelected its last may be an AnswerWith.
  std::vector<std::uint16_t> path;
};

struct Reach {
  std::vector<GoalReach> goals;  // as asked
  std::size_t transitions = 0;   // tried

  bool gave_up() const;
};

// For each goal, a set of units, whether some legal action sequence from `start` finds all of it. Exact: breadth first
// over clones with a memory of the states visited; two states are one when visible and selected sentences in order,
// sentences seen (in order where config.lookups_of_seen asks for it), the set of entities looked up and the last action
// are the same, which is all that the rules read. Left out is only what cannot matter: selections after which no lookup
// can follow, lookups too late to show what is missing (LookupBound), and for kSelected what leaves too few turns to
// select it all. What a lookup shows is held against LookupBound: kInternal when it shows more, which is a profile for
// which `bound` must be off.
//
// `start` is not over. kInvalidArgument: more actions than its turns leave; and the environment's errors. A pure
// function; one thread. Time: about 10 to 30 us a transition, a few thousand transitions for a goal that cannot be
// reached in 4 actions.
Result<Reach> search(const Environment& environment, const Episode& start, const Gold& gold,
                     std::span<const UnitMask> goals, const OracleOptions& options);

// The search action that shows most units of `goal` not yet seen; ties: Lookup before Select, then menu order. The
// menu's size where it holds no search action.
Result<std::size_t> greedy_choice(const Environment& environment, const Episode& episode, const Gold& gold,
                                  UnitMask goal);

// The greedy oracle: at each of `actions` turns (0: as in OracleOptions) the greedy_choice.
// Returns what has been seen of the goal in the end.
Result<UnitMask> greedy_seen(const Environment& environment, const Episode& start, const Gold& gold, UnitMask goal,
                             std::uint32_t actions = 0);

// Select and Lookup actions that the turn budget leaves when the last turn answers.
std::uint32_t actions_left(const Environment& environment, const Episode& episode);

}  // namespace harnessg::bench
