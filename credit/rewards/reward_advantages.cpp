#include "credit/rewards/reward_advantages.h"

#include <algorithm>

namespace harnessg {
namespace {

struct Judged {
  std::vector<std::size_t> episodes;  // those of groups that were judged in full
  std::vector<std::vector<double>> rewards;
  std::vector<std::size_t> groups;
};

Judged judged(const RewardReport& report, const std::vector<const RewardComponent*>& components) {
  Judged result;
  for (std::size_t group = 0; group < report.groups.size(); ++group) {
    const std::vector<std::size_t>& members = report.groups[group].members;
    std::vector<std::vector<double>> rows;
    bool complete = true;
    for (const std::size_t member : members) {
      std::vector<double>& row = rows.emplace_back();
      for (std::size_t i = 0; i < components.size(); ++i) {
        const RewardValue& value = report.episodes[member].values[i];
        complete = complete && (value || components[i]->weight == 0);
        row.push_back(value.value_or(0));
      }
    }
    if (!complete) continue;
    result.episodes.insert(result.episodes.end(), members.begin(), members.end());
    result.rewards.insert(result.rewards.end(), rows.begin(), rows.end());
    result.groups.insert(result.groups.end(), members.size(), group);
  }
  return result;
}

}  // namespace

Result<std::vector<RewardValue>> reward_advantages(const RewardPlugin& plugin, const RewardReport& report,
                                                   DecouplingOptions options, std::span<const std::size_t> tokens) {
  if (!tokens.empty() && tokens.size() != report.episodes.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} episodes need as many lengths, not {}", report.episodes.size(),
                tokens.size());
  }
  const auto components = plugin.components(RewardLevel::kEpisode);
  options.weights.clear();
  for (const RewardComponent* component : components) options.weights.push_back(component->weight);
  const Judged batch = judged(report, components);
  std::vector<std::size_t> lengths;
  for (const std::size_t episode : batch.episodes) {
    if (!tokens.empty()) lengths.push_back(tokens[episode]);
  }
  std::vector<RewardValue> advantages(report.episodes.size());
  if (batch.episodes.empty()) return advantages;
  HARNESSG_ASSIGN(const std::vector<double> own, decoupled_advantages(batch.rewards, batch.groups, options, lengths));
  for (std::size_t i = 0; i < own.size(); ++i) advantages[batch.episodes[i]] = own[i];
  return advantages;
}

}  // namespace harnessg
