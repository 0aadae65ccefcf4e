// From several rewards of a group's rollouts to one advantage each: reward-decoupled normalisation (EAGER's RDN) and
// its variants (GDPO).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/result.h"

namespace harnessg {

enum class Deviation : std::uint8_t { kPopulation, kSample };

// What happens to the sums of normalised rewards, over all rollouts of the batch.
enum class BatchStep : std::uint8_t {
  kNone,      // RDN
  kEpisodes,  // once more (s - mean) / (sample deviation + batch_epsilon), not with a single reward: GDPO, as in TRL
  kTokens,    // (s - mean) / sqrt(sample variance + batch_epsilon), a rollout weighing as many times as it has tokens:
              // GDPO, as in verl
};

struct DecouplingOptions {
  Deviation deviation = Deviation::kPopulation;
  double epsilon = 1e-6;          // added to the deviation of a reward within its group
  std::vector<double> weights{};  // one a reward; empty: all 1
  BatchStep batch = BatchStep::kNone;
  double batch_epsilon = 1e-4;
  // An infinite value: an error, or (as in TRL, where it overflows) that reward counts nothing in its group.
  bool drop_infinite = false;

  // EAGER (arXiv 2609.29230): z-scores by the population deviation, summed.
  static DecouplingOptions rdn() { return {}; }
  // GDPO as in TRL and in verl (without weights there).
  static DecouplingOptions gdpo() { return {Deviation::kSample, 1e-4, {}, BatchStep::kEpisodes, 1e-4, true}; }
  static DecouplingOptions gdpo_tokens() { return {Deviation::kSample, 1e-6, {}, BatchStep::kTokens, 1e-8, false}; }
};

// `rewards`: one row a rollout, all as long. `groups` names the group of each rollout by any number. `tokens`: how many
// each rollout has, for BatchStep::kTokens; else empty.
// A reward whose values are all equal within a group gives exactly 0 there, as does a batch step over equal sums, so
// that rounding is never blown up; a group of one rollout gives 0. kInvalidArgument when lengths do not fit, a value is
// not a number or infinite, an epsilon is not positive, or kTokens has not two tokens to compare.
Result<std::vector<double>> decoupled_advantages(std::span<const std::vector<double>> rewards,
                                                 std::span<const std::size_t> groups,
                                                 const DecouplingOptions& options = {},
                                                 std::span<const std::size_t> tokens = {});

}  // namespace harnessg
