// Seeded random episodes: visits every state on the way.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <span>

#include "engine/environment.h"

namespace harnessg {

// splitmix64: the engine's way from (seed, index) to random bits.
inline std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Plays `episodes` episodes, the n-th with question n modulo their number, each action drawn uniformly from the menu;
// visits each state, the last one included.
template <class Visit>
void for_each_state(const Environment& environment, std::span<const Task> tasks, std::uint64_t episodes, Visit visit) {
  for (std::uint64_t n = 0; n < episodes; ++n) {
    std::uint64_t seed = n;
    auto episode = environment.reset(tasks[n % tasks.size()]);
    REQUIRE_MESSAGE(episode.has_value(), episode.error().message);
    visit(*episode);
    while (!episode->over()) {
      const auto outcome = environment.step(*episode, splitmix(seed) % episode->menu().size());
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      visit(*episode);
    }
  }
}

}  // namespace harnessg
