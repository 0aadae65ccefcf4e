// Rewards as plugins: what episodes, or records of what a policy wrote, earned (docs/rewards.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/json_records.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg {

// One rollout. What a plugin needs of it, trace or record, its page says; it refuses an input that lacks it.
struct RewardInput {
  std::string group;             // rollouts of one question have one group; "" is a group of its own
  const Trace* trace = nullptr;  // what the episode did, finished or running; kept alive by the caller
  Json record;                   // what was written and what is gold, an object; null: there is only a trace
  Place place;                   // where it was read, for messages; may be empty
};

enum class RewardLevel : std::uint8_t { kGroup, kEpisode, kStep };
std::string_view level_name(RewardLevel level);  // "group", "episode", "step"

struct RewardComponent {
  std::string name;
  RewardLevel level = RewardLevel::kEpisode;
  double weight = 1;    // in the total; 0: shown, not counted
  std::string meaning;  // one line: what it is and its range
};

// nullopt: not judged. Never stands for 0 or 1.
using RewardValue = std::optional<double>;

struct StepReward {
  std::size_t step = 0;             // position in the trace's steps, or in what the plugin calls steps of a record
  std::vector<RewardValue> values;  // one a step component, in the order of components()

  friend bool operator==(const StepReward&, const StepReward&) = default;
};

struct EpisodeReward {
  std::vector<RewardValue> values;  // one an episode component, in the order of components()
  std::vector<StepReward> steps;    // of steps that have any, in ascending order
  std::string not_judged;           // why values are missing, one sentence; "" when none is
  std::string output;               // what the policy wrote, as far as the plugin read it: tells equal rollouts
  bool failed = false;              // it could not be read
  Json detail;                      // what else there is to say about it, for a reader; null or an object

  // Set by score_rewards: sum of weight * value over all components of the episode, its steps and its group; nullopt
  // when a component with a weight was not judged.
  RewardValue total;

  friend bool operator==(const EpisodeReward&, const EpisodeReward&) = default;
};

struct GroupReward {
  std::string group;
  std::vector<std::size_t> members;  // positions of its inputs
  std::vector<RewardValue> values;   // one a group component, in the order of components(); empty when there are none
};

struct RewardReport {
  std::vector<EpisodeReward> episodes;  // one an input, in order
  std::vector<GroupReward> groups;      // in order of first appearance
  std::vector<std::size_t> group_of;    // by episode: the position of its group
  Json monitors = Json::object();       // what the batch says about the rewards themselves, by name
};

// Immutable once made; score may be called from several threads at once.
class RewardPlugin {
 public:
  virtual ~RewardPlugin() = default;

  const std::string& name() const { return name_; }
  const std::vector<RewardComponent>& components() const { return components_; }
  // Those of one level, in order.
  std::vector<const RewardComponent*> components(RewardLevel level) const;

  // Replaces the weights of the components named by the object's keys. kInvalidArgument for another key or a value that
  // is no finite number.
  Status set_weights(const Json& weights);

  // One EpisodeReward an input, in order, with the values of its components; total stays empty. Groups and
  // group_of come filled; a plugin with group components fills their values. The same inputs give the same report, and
  // an input's own values do not depend on what else is in the batch (a group's may depend on the group). An Error
  // means that the call or an input is wrong; what only a model failed to say is a missing value with its reason.
  // Callers use score_rewards.
  virtual Status score(std::span<const RewardInput> inputs, RewardReport& report) const = 0;

 protected:
  RewardPlugin(std::string name, std::vector<RewardComponent> components)
      : name_(std::move(name)), components_(std::move(components)) {}

 private:
  std::string name_;
  std::vector<RewardComponent> components_;
};

// Scores a batch: groups the inputs, asks the plugin, holds it to its contract (kInternal names the plugin and what is
// wrong: a number of values, a value that is not finite, a missing value without a reason), and adds totals and, as
// monitors.collapse, how many groups have equal rewards and why (credit/rewards/group_monitor.h).
Result<RewardReport> score_rewards(const RewardPlugin& plugin, std::span<const RewardInput> inputs);

// A function as a plugin; what it throws becomes kUnavailable with its message.
class CallableReward final : public RewardPlugin {
 public:
  using Function = std::function<Status(std::span<const RewardInput>, RewardReport&)>;

  CallableReward(std::string name, std::vector<RewardComponent> components, Function function)
      : RewardPlugin(std::move(name), std::move(components)), function_(std::move(function)) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override;

 private:
  Function function_;
};

// Where an input stands, for a message: "file:12", or "input 3" where it was not read from a file.
std::string place_of(const RewardInput& input, std::size_t position);

}  // namespace harnessg
