#include "credit/shapley.h"

#include <array>
#include <bit>
#include <cstdint>

namespace harnessg {

Result<std::vector<double>> shapley(std::size_t players, std::span<const double> values) {
  if (players > kMaxShapleyPlayers) {
    return fail(ErrorCode::kInvalidArgument,
                "exact Shapley values take at most {} steps, not {}; use the provenance estimator", kMaxShapleyPlayers,
                players);
  }
  if (values.size() != std::size_t{1} << players) {
    return fail(ErrorCode::kInvalidArgument, "{} players have {} coalitions, but {} values were given", players,
                std::size_t{1} << players, values.size());
  }
  constexpr std::array<double, kMaxShapleyPlayers + 1> kFactorial = {1, 1, 2, 6, 24, 120, 720};
  std::vector<double> result(players, 0.0);
  for (std::size_t player = 0; player < players; ++player) {
    const std::uint32_t self = std::uint32_t{1} << player;
    for (std::uint32_t coalition = 0; coalition < values.size(); ++coalition) {
      if ((coalition & self) != 0) continue;
      const auto members = static_cast<std::size_t>(std::popcount(coalition));
      const double weight = kFactorial[members] * kFactorial[players - members - 1] / kFactorial[players];
      result[player] += weight * (values[coalition | self] - values[coalition]);
    }
  }
  return result;
}

}  // namespace harnessg
