// Random episodes that obey the rules of a trace, for properties that hold of every one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/splitmix.h"
#include "tests/credit/hand_made.h"

namespace harnessg {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(bits_.next() % bound); }
  double unit() { return static_cast<double>(bits_.next() >> 11) * 0x1p-53; }
  Numbers some(std::uint32_t most, std::uint32_t bound) {
    std::set<std::uint32_t> drawn;
    for (std::uint32_t n = below(most + 1); n > 0; --n) drawn.insert(below(bound));
    return {drawn.begin(), drawn.end()};
  }

 private:
  SplitMix bits_;
};

// A first view and `steps` steps over 40 sentences and 12 entities; blocked turns come on top.
inline Trace random_trace(std::uint64_t seed, std::uint32_t steps) {
  Dice dice(seed);
  HandMade episode("Question " + std::to_string(seed % 5));
  episode.first_view(dice.some(6, 40));
  for (std::uint32_t n = 0; n < steps; ++n) {
    if (dice.below(5) == 0) episode.blocked();
    if (const Numbers seen = episode.seen(); !seen.empty() && dice.below(3) == 0) {
      episode.select(seen[dice.below(static_cast<std::uint32_t>(seen.size()))], dice.some(4, 12));
      continue;
    }
    const std::uint32_t position = dice.below(8);
    episode.lookup(dice.some(6, 40), dice.some(2, 12), dice.some(5, 12)).at(position);
    for (std::uint32_t other = 0; other < dice.below(5); ++other) {
      if (other != position) episode.alternative(other, dice.some(6, 40));
    }
  }
  Trace trace = episode.trace();
  trace.question_id = "q" + std::to_string(seed);
  trace.seed = seed;
  return trace;
}

// Gains between -1 and 1, some of them 0.
inline EpisodeScores random_scores(const Trace& trace, std::uint64_t seed) {
  Dice dice(seed);
  const auto gain = [&] { return dice.below(4) == 0 ? 0.0 : 2 * dice.unit() - 1; };
  std::vector<Gains> gains;
  for (const TraceStep& step : trace.steps) {
    if (step.event == Event::kInit || step.event == Event::kInvalid) continue;
    Gains& own = gains.emplace_back();
    if (step.event == Event::kLookup) own.taken = gain();
    for (std::size_t i = 0; i < step.frontier.size(); ++i) own.alternatives.push_back(gain());
  }
  return scores_of(trace, gains);
}

}  // namespace harnessg
