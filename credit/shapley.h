// Exact Shapley values of small games.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/result.h"

namespace harnessg {

inline constexpr std::size_t kMaxShapleyPlayers = 6;

// phi_i = sum over S without i of |S|! (n - |S| - 1)! / n! * (v(S + i) - v(S)), the mean over all orders of what player
// i adds on arrival. values[m] = v of the coalition whose members are the bits of m, v(empty) = values[0]; there are
// 2^players of them. The values sum to v(all) - v(empty). kInvalidArgument for more than 6 players (spec 2, section 3:
// never a silent fallback) and for another number of values.
Result<std::vector<double>> shapley(std::size_t players, std::span<const double> values);

}  // namespace harnessg
