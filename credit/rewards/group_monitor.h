// What a batch of groups says about its rewards: collapsed groups and why, groups to drop, orders turned around.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/result.h"

namespace harnessg {

inline constexpr double kCollapsedDeviation = 1e-6;

// Why a group's rewards are all equal; the first that holds.
enum class CollapseCause : std::uint8_t {
  kSingle,       // one rollout
  kIdentical,    // the outputs are the same, byte for byte
  kAllFailed,    // none could be read
  kEqualScores,  // different outputs, one score
};
inline constexpr std::size_t kCollapseCauses = 4;
inline constexpr std::array<std::string_view, kCollapseCauses> kCollapseCauseNames = {"single", "identical_outputs",
                                                                                      "all_failed", "equal_scores"};

struct MonitoredRollout {
  std::size_t group = 0;            // any number
  std::span<const double> rewards;  // as many for each rollout
  double total = 0;
  std::string_view output;  // what the policy wrote
  bool failed = false;      // it could not be read
};

struct CollapseRate {
  std::size_t groups = 0;
  std::size_t collapsed = 0;  // population deviation below 1e-6
  std::array<std::size_t, kCollapseCauses> causes{};

  // ACR, the advantage collapse rate; 0 without groups.
  double rate() const { return groups == 0 ? 0 : static_cast<double>(collapsed) / static_cast<double>(groups); }
  friend bool operator==(const CollapseRate&, const CollapseRate&) = default;
};

struct CollapseReport {
  std::vector<CollapseRate> rewards;  // each alone
  CollapseRate total;
  // Dynamic sampling: the groups whose totals are all equal teach nothing; in order of first appearance.
  std::vector<std::size_t> drop;
};

// kInvalidArgument when the rollouts do not have equally many rewards.
Result<CollapseReport> measure_collapse(std::span<const MonitoredRollout> rollouts);

// Pairs of one group that `reference` orders, and those among them that `reward` orders the other way round: what a
// reward pays for being worse.
struct Inversions {
  std::uint64_t ordered = 0;
  std::uint64_t inverted = 0;

  double rate() const { return ordered == 0 ? 0 : static_cast<double>(inverted) / static_cast<double>(ordered); }
  friend bool operator==(const Inversions&, const Inversions&) = default;
};

// kInvalidArgument when the three are not equally long. Cost: sorting.
Result<Inversions> count_inversions(std::span<const double> reward, std::span<const double> reference,
                                    std::span<const std::size_t> groups);

}  // namespace harnessg
