#include "credit/rewards/group_monitor.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace harnessg {
namespace {

using Members = std::vector<std::size_t>;

// In order of first appearance.
template <class GroupOf>
std::vector<Members> members_of(std::size_t size, const GroupOf& group_of) {
  std::unordered_map<std::size_t, std::size_t> places;
  std::vector<Members> groups;
  for (std::size_t i = 0; i < size; ++i) {
    const auto [place, is_new] = places.try_emplace(group_of(i), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(i);
  }
  return groups;
}

template <class ValueOf>
bool is_collapsed(const Members& members, const ValueOf& value_of) {
  double mean = 0;
  for (const std::size_t member : members) mean += value_of(member);
  mean /= static_cast<double>(members.size());
  double squares = 0;
  for (const std::size_t member : members) squares += (value_of(member) - mean) * (value_of(member) - mean);
  return std::sqrt(squares / static_cast<double>(members.size())) < kCollapsedDeviation;
}

CollapseCause cause_of(std::span<const MonitoredRollout> rollouts, const Members& members) {
  if (members.size() == 1) return CollapseCause::kSingle;
  const auto all = [&](const auto& holds) {
    return std::all_of(members.begin(), members.end(), [&](std::size_t member) { return holds(rollouts[member]); });
  };
  const std::string_view output = rollouts[members.front()].output;
  if (all([&](const MonitoredRollout& rollout) { return rollout.output == output; })) return CollapseCause::kIdentical;
  if (all([](const MonitoredRollout& rollout) { return rollout.failed; })) return CollapseCause::kAllFailed;
  return CollapseCause::kEqualScores;
}

void count(CollapseRate& rate, bool collapsed, CollapseCause cause) {
  rate.groups += 1;
  if (!collapsed) return;
  rate.collapsed += 1;
  rate.causes[static_cast<std::size_t>(cause)] += 1;
}

// Pairs whose first is greater than the second; sorts `values`.
std::uint64_t sort_counting(std::span<double> values, std::vector<double>& buffer) {
  if (values.size() < 2) return 0;
  const std::size_t middle = values.size() / 2;
  const auto left = values.first(middle);
  const auto right = values.subspan(middle);
  std::uint64_t inverted = sort_counting(left, buffer) + sort_counting(right, buffer);
  buffer.clear();
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
    const bool from_left = j == right.size() || (i < left.size() && left[i] <= right[j]);
    if (!from_left) inverted += left.size() - i;
    buffer.push_back(from_left ? left[i++] : right[j++]);
  }
  std::copy(buffer.begin(), buffer.end(), values.begin());
  return inverted;
}

std::uint64_t pairs(std::uint64_t count) { return count * (count - 1) / 2; }

}  // namespace

Result<CollapseReport> measure_collapse(std::span<const MonitoredRollout> rollouts) {
  CollapseReport report;
  const std::size_t width = rollouts.empty() ? 0 : rollouts.front().rewards.size();
  for (const MonitoredRollout& rollout : rollouts) {
    if (rollout.rewards.size() == width) continue;
    return fail(ErrorCode::kInvalidArgument, "every rollout must have {} rewards, not {}", width,
                rollout.rewards.size());
  }
  report.rewards.resize(width);
  for (const Members& members : members_of(rollouts.size(), [&](std::size_t i) { return rollouts[i].group; })) {
    const CollapseCause cause = cause_of(rollouts, members);
    for (std::size_t reward = 0; reward < width; ++reward) {
      count(report.rewards[reward], is_collapsed(members, [&](std::size_t i) { return rollouts[i].rewards[reward]; }),
            cause);
    }
    const bool collapsed = is_collapsed(members, [&](std::size_t i) { return rollouts[i].total; });
    count(report.total, collapsed, cause);
    if (collapsed) report.drop.push_back(rollouts[members.front()].group);
  }
  return report;
}

Result<Inversions> count_inversions(std::span<const double> reward, std::span<const double> reference,
                                    std::span<const std::size_t> groups) {
  if (reward.size() != reference.size() || reward.size() != groups.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} rewards need as many references ({}) and groups ({})", reward.size(),
                reference.size(), groups.size());
  }
  Inversions result;
  std::vector<double> buffer;
  for (Members members : members_of(reward.size(), [&](std::size_t i) { return groups[i]; })) {
    std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(reference[a], reward[a], a) < std::tie(reference[b], reward[b], b);
    });
    std::vector<double> rewards;
    result.ordered += pairs(members.size());
    for (std::size_t i = 0, first = 0; i < members.size(); ++i) {
      rewards.push_back(reward[members[i]]);
      if (reference[members[i]] != reference[members[first]]) first = i;
      result.ordered -= i - first;  // pairs with an equal reference
    }
    result.inverted += sort_counting(rewards, buffer);
  }
  return result;
}

}  // namespace harnessg
