// Every legal action sequence, one by one: no memory, nothing left out. What the oracle is held against.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bench/gold.h"
#include "bench/oracle.h"
#include "engine/environment.h"

namespace harnessg::bench {

// Fewest actions after which a goal is found, for each goal that some sequence finds.
class BruteForce {
 public:
  BruteForce(const Environment& environment, const Gold& gold, std::span<const UnitMask> goals, Found found)
      : environment_(environment), gold_(gold), goals_(goals), found_(found) {}

  // Up to `actions` Selects and Lookups; with kSelected one AnswerWith after them.
  std::map<std::size_t, std::uint32_t> fewest_actions(const Episode& start, std::uint32_t actions) {
    visit(start, 0, actions);
    return fewest_;
  }

 private:
  void visit(const Episode& episode, std::uint32_t taken, std::uint32_t actions) {
    note(episode, taken);
    if (episode.over()) return;
    for (std::size_t position = 0; position < episode.menu().size(); ++position) {
      const ActionKind kind = episode.menu()[position].kind;
      const bool ends = kind == ActionKind::kAnswer || kind == ActionKind::kAnswerWith;
      if (ends ? found_ == Found::kSeen : taken == actions) continue;
      Episode twin = episode;
      REQUIRE(environment_.step(twin, position).has_value());
      visit(twin, taken + 1, actions);
    }
  }

  void note(const Episode& episode, std::uint32_t taken) {
    const UnitMask found =
        found_ == Found::kSeen ? gold_.found_by_all(episode.seen()) : gold_.found_by_all(episode.selected());
    for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
      if ((goals_[goal] & ~found) != 0) continue;
      const auto known = fewest_.find(goal);
      if (known == fewest_.end() || taken < known->second) fewest_[goal] = taken;
    }
  }

  const Environment& environment_;
  const Gold& gold_;
  const std::span<const UnitMask> goals_;
  const Found found_;
  std::map<std::size_t, std::uint32_t> fewest_;
};

}  // namespace harnessg::bench
