#include "credit/rewards/reward_sum.h"

#include <algorithm>
#include <map>
#include <utility>

#include "credit/rewards/registry.h"
#include "credit/rewards/settings.h"

namespace harnessg {
namespace {

struct Part {
  std::string name;
  std::unique_ptr<RewardPlugin> plugin;
};

void append(std::vector<RewardValue>& values, const std::vector<RewardValue>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

class RewardSum final : public RewardPlugin {
 public:
  RewardSum(std::vector<Part> parts, std::vector<RewardComponent> components)
      : RewardPlugin("sum", std::move(components)), parts_(std::move(parts)) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    report.episodes.resize(inputs.size());
    for (EpisodeReward& episode : report.episodes) episode.detail = Json::object();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      HARNESSG_ASSIGN(const RewardReport own, score_rewards(*parts_[i].plugin, inputs));
      for (std::size_t j = 0; j < inputs.size(); ++j) add(i, own.episodes[j], report.episodes[j]);
      for (std::size_t j = 0; j < report.groups.size(); ++j) append(report.groups[j].values, own.groups[j].values);
      report.monitors[parts_[i].name] = own.monitors;
    }
    return {};
  }

 private:
  void add(std::size_t part, const EpisodeReward& own, EpisodeReward& episode) const {
    append(episode.values, own.values);
    if (!own.not_judged.empty()) {
      if (!episode.not_judged.empty()) episode.not_judged += "; ";
      episode.not_judged += parts_[part].name + ": " + own.not_judged;
    }
    if (episode.output.empty()) episode.output = own.output;
    episode.failed = episode.failed || own.failed;
    if (!own.detail.is_null()) episode.detail[parts_[part].name] = own.detail;
    add_steps(part, own.steps, episode.steps);
  }

  // Values of parts that say nothing about a step count 0 there.
  void add_steps(std::size_t part, const std::vector<StepReward>& own, std::vector<StepReward>& steps) const {
    std::size_t before = 0;
    for (std::size_t i = 0; i < part; ++i) before += width(i);
    std::map<std::size_t, std::vector<RewardValue>> all;
    for (StepReward& step : steps) all[step.step] = std::move(step.values);
    for (const StepReward& step : own) {
      all[step.step].resize(before, 0.0);
      append(all[step.step], step.values);
    }
    steps.clear();
    for (auto& [step, values] : all) {
      values.resize(before + width(part), 0.0);
      steps.push_back({step, std::move(values)});
    }
  }

  std::size_t width(std::size_t part) const { return parts_[part].plugin->components(RewardLevel::kStep).size(); }

  std::vector<Part> parts_;
};

Result<Part> part_of(const Json& settings, std::vector<RewardComponent>& components) {
  SettingsReader reader(settings, "a part of \"sum\"");
  std::string reward;
  Part part;
  double weight = 1;
  reader.text("reward", reward);
  part.name = reward;
  reader.text("as", part.name);
  reader.number("weight", weight);
  const Json* own = reader.value("settings");
  HARNESSG_RETURN_IF_ERROR(reader.done());
  HARNESSG_ASSIGN(part.plugin, make_reward(reward, own ? *own : Json()));
  for (RewardComponent component : part.plugin->components()) {
    component.name = part.name + '.' + component.name;
    component.weight *= weight;
    components.push_back(std::move(component));
  }
  return part;
}

}  // namespace

Result<std::unique_ptr<RewardPlugin>> make_reward_sum(const Json& settings) {
  SettingsReader reader(settings, "\"sum\"");
  const Json* list = reader.value("parts");
  HARNESSG_RETURN_IF_ERROR(reader.done());
  if (!list || !list->is_array() || list->empty()) {
    return fail(ErrorCode::kInvalidArgument, "\"sum\" needs \"parts\", a list of {{\"reward\": NAME}}");
  }
  std::vector<Part> parts;
  std::vector<RewardComponent> components;
  for (const Json& element : *list) {
    HARNESSG_ASSIGN(Part part, part_of(element, components));
    const auto same = [&](const Part& other) { return other.name == part.name; };
    if (std::any_of(parts.begin(), parts.end(), same)) {
      return fail(ErrorCode::kInvalidArgument,
                  "\"sum\" has two parts \"{}\"; give one of them another name with \"as\"", part.name);
    }
    parts.push_back(std::move(part));
  }
  return std::make_unique<RewardSum>(std::move(parts), std::move(components));
}

}  // namespace harnessg
