#include "credit/rewards/plugin.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <unordered_map>

#include "credit/rewards/group_monitor.h"

namespace harnessg {
namespace {

std::vector<GroupReward> groups_of(std::span<const RewardInput> inputs) {
  std::vector<GroupReward> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i].group;
    const auto known = name.empty() ? places.end() : places.find(name);
    if (known == places.end()) {
      if (!name.empty()) places.emplace(name, groups.size());
      groups.push_back({name, {}, {}});
    }
    groups[known == places.end() ? groups.size() - 1 : known->second].members.push_back(i);
  }
  return groups;
}

// Holds the values of one level to their number and to being numbers; counts the missing ones.
Status check_values(const RewardPlugin& plugin, std::span<const RewardValue> values, std::size_t expected,
                    std::size_t& missing) {
  if (values.size() != expected) {
    return fail(ErrorCode::kInternal, "the reward \"{}\" gave {} values where it has {} components", plugin.name(),
                values.size(), expected);
  }
  for (const RewardValue& value : values) {
    if (value && !std::isfinite(*value)) {
      return fail(ErrorCode::kInternal, "the reward \"{}\" gave {}, which is no finite number", plugin.name(), *value);
    }
    missing += value ? 0 : 1;
  }
  return {};
}

Status check_episode(const RewardPlugin& plugin, const EpisodeReward& episode) {
  std::size_t missing = 0;
  HARNESSG_RETURN_IF_ERROR(
      check_values(plugin, episode.values, plugin.components(RewardLevel::kEpisode).size(), missing));
  const std::size_t width = plugin.components(RewardLevel::kStep).size();
  for (std::size_t i = 0; i < episode.steps.size(); ++i) {
    HARNESSG_RETURN_IF_ERROR(check_values(plugin, episode.steps[i].values, width, missing));
    if (i > 0 && episode.steps[i].step <= episode.steps[i - 1].step) {
      return fail(ErrorCode::kInternal, "the reward \"{}\" gave steps that do not ascend", plugin.name());
    }
  }
  if (missing == 0 || !episode.not_judged.empty()) return {};
  return fail(ErrorCode::kInternal, "the reward \"{}\" left {} values out without a reason", plugin.name(), missing);
}

Status check(const RewardPlugin& plugin, std::span<const RewardInput> inputs, const RewardReport& report) {
  if (report.episodes.size() != inputs.size()) {
    return fail(ErrorCode::kInternal, "the reward \"{}\" gave {} episodes for {} inputs", plugin.name(),
                report.episodes.size(), inputs.size());
  }
  for (const EpisodeReward& episode : report.episodes) HARNESSG_RETURN_IF_ERROR(check_episode(plugin, episode));
  std::size_t missing = 0;
  const std::size_t width = plugin.components(RewardLevel::kGroup).size();
  for (const GroupReward& group : report.groups)
    HARNESSG_RETURN_IF_ERROR(check_values(plugin, group.values, width, missing));
  return {};
}

void add(RewardValue& total, std::span<const RewardComponent* const> components, std::span<const RewardValue> values) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (components[i]->weight == 0) continue;
    total = total && values[i] ? RewardValue(*total + components[i]->weight * *values[i]) : std::nullopt;
  }
}

void add_totals(const RewardPlugin& plugin, RewardReport& report) {
  const auto of_episode = plugin.components(RewardLevel::kEpisode);
  const auto of_step = plugin.components(RewardLevel::kStep);
  const auto of_group = plugin.components(RewardLevel::kGroup);
  for (EpisodeReward& episode : report.episodes) {
    episode.total = 0;
    add(episode.total, of_episode, episode.values);
    for (const StepReward& step : episode.steps) add(episode.total, of_step, step.values);
  }
  for (const GroupReward& group : report.groups) {
    for (const std::size_t member : group.members) add(report.episodes[member].total, of_group, group.values);
  }
}

Json rate_json(const CollapseRate& rate) {
  Json causes = Json::object();
  for (std::size_t i = 0; i < kCollapseCauses; ++i) causes[std::string(kCollapseCauseNames[i])] = rate.causes[i];
  return {{"groups", rate.groups}, {"collapsed", rate.collapsed}, {"rate", rate.rate()}, {"causes", causes}};
}

// Over the groups of which every episode was judged.
Status add_collapse(const RewardPlugin& plugin, RewardReport& report) {
  const auto components = plugin.components(RewardLevel::kEpisode);
  std::vector<std::vector<double>> values(report.episodes.size());
  std::vector<MonitoredRollout> rollouts;
  for (std::size_t group = 0; group < report.groups.size(); ++group) {
    const auto& members = report.groups[group].members;
    const bool judged = std::all_of(members.begin(), members.end(), [&](std::size_t member) {
      const EpisodeReward& episode = report.episodes[member];
      return episode.not_judged.empty() && episode.total;
    });
    if (!judged) continue;
    for (const std::size_t member : members) {
      const EpisodeReward& episode = report.episodes[member];
      for (const RewardValue& value : episode.values) values[member].push_back(*value);
      rollouts.push_back({group, values[member], *episode.total, episode.output, episode.failed});
    }
  }
  HARNESSG_ASSIGN(const CollapseReport collapse, measure_collapse(rollouts));
  Json& monitor = report.monitors["collapse"] = Json{{"total", rate_json(collapse.total)}};
  for (std::size_t i = 0; i < collapse.rewards.size(); ++i) {
    monitor["components"][components[i]->name] = rate_json(collapse.rewards[i]);
  }
  monitor["drop"] = Json::array();
  for (const std::size_t group : collapse.drop) monitor["drop"].push_back(report.groups[group].group);
  return {};
}

}  // namespace

std::string_view level_name(RewardLevel level) {
  switch (level) {
    case RewardLevel::kGroup:
      return "group";
    case RewardLevel::kEpisode:
      return "episode";
    case RewardLevel::kStep:
      break;
  }
  return "step";
}

std::vector<const RewardComponent*> RewardPlugin::components(RewardLevel level) const {
  std::vector<const RewardComponent*> chosen;
  for (const RewardComponent& component : components_) {
    if (component.level == level) chosen.push_back(&component);
  }
  return chosen;
}

Status RewardPlugin::set_weights(const Json& weights) {
  if (!weights.is_object()) return fail(ErrorCode::kInvalidArgument, "\"weights\" must be an object of numbers");
  for (auto weight = weights.begin(); weight != weights.end(); ++weight) {
    const std::string& key = weight.key();
    const Json& value = weight.value();
    const auto component = std::find_if(components_.begin(), components_.end(),
                                        [&](const RewardComponent& candidate) { return candidate.name == key; });
    if (component == components_.end()) {
      return fail(ErrorCode::kInvalidArgument, "the reward \"{}\" has no component \"{}\" to weigh", name_, key);
    }
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      return fail(ErrorCode::kInvalidArgument, "the weight of \"{}\" must be a finite number, not {}", key,
                  value.dump());
    }
    component->weight = value.get<double>();
  }
  return {};
}

Result<RewardReport> score_rewards(const RewardPlugin& plugin, std::span<const RewardInput> inputs) {
  RewardReport report;
  report.groups = groups_of(inputs);
  report.group_of.resize(inputs.size());
  for (std::size_t i = 0; i < report.groups.size(); ++i) {
    for (const std::size_t member : report.groups[i].members) report.group_of[member] = i;
  }
  HARNESSG_RETURN_IF_ERROR(plugin.score(inputs, report));
  HARNESSG_RETURN_IF_ERROR(check(plugin, inputs, report));
  add_totals(plugin, report);
  HARNESSG_RETURN_IF_ERROR(add_collapse(plugin, report));
  return report;
}

Status CallableReward::score(std::span<const RewardInput> inputs, RewardReport& report) const {
  try {
    return function_(inputs, report);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kUnavailable, "the reward \"{}\" failed: {}", name(), error.what());
  }
}

std::string place_of(const RewardInput& input, std::size_t position) {
  return input.place.file.empty() ? fmt::format("input {}", position)
                                  : fmt::format("{}:{}", input.place.file, input.place.number);
}

}  // namespace harnessg
