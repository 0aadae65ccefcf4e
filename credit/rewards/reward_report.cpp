#include "credit/rewards/reward_report.h"

namespace harnessg {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson value_json(const RewardValue& value) { return value ? OrderedJson(*value) : OrderedJson(nullptr); }

std::string dump(const OrderedJson& line) { return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace); }

void put(OrderedJson& object, const std::vector<const RewardComponent*>& components,
         const std::vector<RewardValue>& values) {
  for (std::size_t i = 0; i < components.size(); ++i) object[components[i]->name] = value_json(values[i]);
}

struct Sum {
  double sum = 0;
  std::size_t count = 0;

  void add(const RewardValue& value) {
    if (!value) return;
    sum += *value;
    count += 1;
  }
  RewardValue mean() const { return count == 0 ? std::nullopt : RewardValue(sum / static_cast<double>(count)); }
};

}  // namespace

std::string episode_reward_json(const RewardPlugin& plugin, std::span<const RewardInput> inputs,
                                const RewardReport& report, std::span<const RewardValue> advantages,
                                std::size_t position) {
  const EpisodeReward& episode = report.episodes[position];
  OrderedJson components = OrderedJson::object();
  put(components, plugin.components(RewardLevel::kEpisode), episode.values);
  const auto of_group = plugin.components(RewardLevel::kGroup);
  if (!of_group.empty()) put(components, of_group, report.groups[report.group_of[position]].values);
  OrderedJson steps = OrderedJson::array();
  for (const StepReward& step : episode.steps) {
    OrderedJson& line = steps.emplace_back(OrderedJson{{"step", step.step}});
    put(line, plugin.components(RewardLevel::kStep), step.values);
  }
  const OrderedJson line{
      {"input", place_of(inputs[position], position)},
      {"group", inputs[position].group},
      {"total", value_json(episode.total)},
      {"advantage", value_json(advantages[position])},
      {"components", components},
      {"steps", steps},
      {"not_judged", episode.not_judged.empty() ? OrderedJson(nullptr) : OrderedJson(episode.not_judged)},
      {"detail", episode.detail}};
  return dump(line);
}

std::vector<RewardValue> mean_rewards(const RewardPlugin& plugin, const RewardReport& report) {
  std::vector<RewardValue> means;
  std::size_t places[3] = {0, 0, 0};  // by level: how many components of it came before
  for (const RewardComponent& component : plugin.components()) {
    const std::size_t place = places[static_cast<std::size_t>(component.level)]++;
    Sum sum;
    if (component.level == RewardLevel::kGroup) {
      for (const GroupReward& group : report.groups) sum.add(group.values[place]);
    }
    for (const EpisodeReward& episode : report.episodes) {
      if (component.level == RewardLevel::kEpisode) sum.add(episode.values[place]);
      if (component.level != RewardLevel::kStep) continue;
      for (const StepReward& step : episode.steps) sum.add(step.values[place]);
    }
    means.push_back(sum.mean());
  }
  return means;
}

std::string reward_summary_json(const RewardPlugin& plugin, const RewardReport& report) {
  OrderedJson weights = OrderedJson::object();
  OrderedJson means = OrderedJson::object();
  const std::vector<RewardValue> all = mean_rewards(plugin, report);
  for (std::size_t i = 0; i < all.size(); ++i) {
    weights[plugin.components()[i].name] = plugin.components()[i].weight;
    means[plugin.components()[i].name] = value_json(all[i]);
  }
  const OrderedJson line{{"reward", plugin.name()},        {"weights", weights}, {"episodes", report.episodes.size()},
                         {"groups", report.groups.size()}, {"means", means},     {"monitors", report.monitors}};
  return dump(line);
}

}  // namespace harnessg
