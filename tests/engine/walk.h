// Seeded random episodes: visits every state on the way.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <span>

#include "data/splitmix.h"
#include "engine/environment.h"

namespace harnessg {

// Plays `episodes` episodes, the n-th with question n modulo their number, each action drawn uniformly from the menu;
// visits each state, the last one included.
template <class Visit>
void for_each_state(const Environment& environment, std::span<const Task> tasks, std::uint64_t episodes, Visit visit) {
  for (std::uint64_t n = 0; n < episodes; ++n) {
    SplitMix bits(n);
    auto episode = environment.reset(tasks[n % tasks.size()]);
    REQUIRE_MESSAGE(episode.has_value(), episode.error().message);
    visit(*episode);
    while (!episode->over()) {
      const auto outcome = environment.step(*episode, bits.next() % episode->menu().size());
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      visit(*episode);
    }
  }
}

}  // namespace harnessg
