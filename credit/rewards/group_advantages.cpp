#include "credit/rewards/group_advantages.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace harnessg {
namespace {

// Of a weighted sample; a value of weight n stands for n equal ones.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  // of deviations from the mean
  double lowest = 0;
  double highest = 0;

  bool all_equal() const { return lowest == highest; }
  double sample_variance() const { return squares / (count - 1); }
  double deviation(Deviation kind) const {
    return std::sqrt(kind == Deviation::kPopulation ? squares / count : sample_variance());
  }
};

template <class Value, class Weight>
Moments moments_of(std::size_t size, const Value& value, const Weight& weight) {
  Moments result;
  for (std::size_t i = 0; i < size; ++i) {
    result.count += weight(i);
    result.mean += weight(i) * value(i);
    result.lowest = i == 0 ? value(i) : std::min(result.lowest, value(i));
    result.highest = i == 0 ? value(i) : std::max(result.highest, value(i));
  }
  result.mean /= result.count;
  for (std::size_t i = 0; i < size; ++i)
    result.squares += weight(i) * (value(i) - result.mean) * (value(i) - result.mean);
  return result;
}

Status check(std::span<const std::vector<double>> rewards, std::span<const std::size_t> groups,
             const DecouplingOptions& options, std::span<const std::size_t> tokens) {
  const bool by_tokens = options.batch == BatchStep::kTokens;
  if (groups.size() != rewards.size() || (by_tokens && tokens.size() != rewards.size())) {
    return fail(ErrorCode::kInvalidArgument,
                "{} rollouts need a group each ({} were given), and by tokens a length ({})", rewards.size(),
                groups.size(), tokens.size());
  }
  if (!(options.epsilon > 0) || !(options.batch_epsilon > 0)) {
    return fail(ErrorCode::kInvalidArgument, "epsilon ({}) and batch_epsilon ({}) must be above 0", options.epsilon,
                options.batch_epsilon);
  }
  const std::size_t width = rewards.empty() ? 0 : rewards.front().size();
  if (!options.weights.empty() && options.weights.size() != width) {
    return fail(ErrorCode::kInvalidArgument, "{} rewards need as many weights, not {}", width, options.weights.size());
  }
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    const auto usable = [&](double value) {
      return std::isfinite(value) || (options.drop_infinite && std::isinf(value));
    };
    if (rewards[i].size() == width && std::all_of(rewards[i].begin(), rewards[i].end(), usable)) continue;
    return fail(ErrorCode::kInvalidArgument, "rollout {} must have {} rewards, all of them finite", i, width);
  }
  return {};
}

std::vector<std::vector<std::size_t>> members_of(std::span<const std::size_t> groups) {
  std::unordered_map<std::size_t, std::size_t> places;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(groups[i], members.size());
    if (is_new) members.emplace_back();
    members[place->second].push_back(i);
  }
  return members;
}

Status apply_batch_step(std::vector<double>& sums, const DecouplingOptions& options,
                        std::span<const std::size_t> tokens) {
  const bool by_tokens = options.batch == BatchStep::kTokens;
  const Moments batch = moments_of(
      sums.size(), [&](std::size_t i) { return sums[i]; },
      [&](std::size_t i) { return by_tokens ? static_cast<double>(tokens[i]) : 1.0; });
  if (by_tokens && batch.count < 2) {
    return fail(ErrorCode::kInvalidArgument, "a batch of {} tokens has no deviation; give it two or more", batch.count);
  }
  const double divisor = by_tokens ? std::sqrt(batch.sample_variance() + options.batch_epsilon)
                                   : std::sqrt(batch.sample_variance()) + options.batch_epsilon;
  for (double& sum : sums) sum = batch.all_equal() ? 0 : (sum - batch.mean) / divisor;
  return {};
}

}  // namespace

Result<std::vector<double>> decoupled_advantages(std::span<const std::vector<double>> rewards,
                                                 std::span<const std::size_t> groups, const DecouplingOptions& options,
                                                 std::span<const std::size_t> tokens) {
  HARNESSG_RETURN_IF_ERROR(check(rewards, groups, options, tokens));
  std::vector<double> sums(rewards.size(), 0.0);
  const std::size_t width = rewards.empty() ? 0 : rewards.front().size();
  for (const std::vector<std::size_t>& members : members_of(groups)) {
    for (std::size_t reward = 0; reward < width; ++reward) {
      const Moments group = moments_of(
          members.size(), [&](std::size_t i) { return rewards[members[i]][reward]; }, [](std::size_t) { return 1.0; });
      if (group.all_equal() || !std::isfinite(group.lowest) || !std::isfinite(group.highest)) continue;
      const double weight = options.weights.empty() ? 1 : options.weights[reward];
      const double divisor = group.deviation(options.deviation) + options.epsilon;
      for (const std::size_t member : members)
        sums[member] += weight * (rewards[member][reward] - group.mean) / divisor;
    }
  }
  const bool skip = options.batch == BatchStep::kNone || (options.batch == BatchStep::kEpisodes && width == 1);
  if (!skip && !sums.empty()) {
    HARNESSG_RETURN_IF_ERROR(apply_batch_step(sums, options, tokens));
  }
  return sums;
}

}  // namespace harnessg
