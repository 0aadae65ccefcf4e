#include "bindings/python/python_reward.h"

#include <pybind11/stl.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/python/lock.h"
#include "credit/rewards/registry.h"

namespace harnessg::python {
namespace {

namespace py = pybind11;

// Let go of with the lock, wherever the last owner is.
std::shared_ptr<const py::object> shared(py::object object) {
  return {new py::object(std::move(object)), [](const py::object* held) {
            const Locked lock;
            delete held;
          }};
}

// What `call` gives; what it raises, as an error that names the reward. With the lock.
template <class Call>
auto guarded(const std::string& name, const Call& call) -> Result<decltype(call())> {
  try {
    return call();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    const std::string what = error.what();
    return fail(ErrorCode::kUnavailable, "the reward \"{}\" failed: {}", name, what.substr(0, what.find('\n')));
  } catch (const py::cast_error& error) {
    return fail(ErrorCode::kUnavailable, "the reward \"{}\" gave something else than it should: {}", name,
                error.what());
  }
}

tl::unexpected<Error> wrong(const std::string& name, std::string_view what) {
  return fail(ErrorCode::kBadInput, "the reward \"{}\" gave {}", name, what);
}

Json input_json(const RewardInput& input) {
  Json object{{"group", input.group}, {"record", input.record}, {"trace", nullptr}};
  if (input.trace) object["trace"] = Json::parse(to_json(*input.trace));
  return object;
}

class PythonReward final : public RewardPlugin {
 public:
  PythonReward(std::string name, std::vector<RewardComponent> components, std::shared_ptr<const py::object> callable)
      : RewardPlugin(std::move(name), std::move(components)), callable_(std::move(callable)) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    Json given = Json::array();
    for (const RewardInput& input : inputs) given.push_back(input_json(input));
    Json groups = Json::array();
    for (const GroupReward& group : report.groups) groups.push_back(group.members);
    HARNESSG_ASSIGN(const std::string answer, ask(given.dump(), groups.dump()));
    HARNESSG_ASSIGN(const Json object, parse_object(answer, {name(), 1}));
    return read(object, report);
  }

 private:
  Result<std::string> ask(const std::string& inputs, const std::string& groups) const {
    const Locked lock;
    return guarded(name(), [&] { return (*callable_)(inputs, groups).cast<std::string>(); });
  }

  Status read(const Json& object, RewardReport& report) const {
    const Json* episodes = find_value(object, "episodes");
    if (!episodes || !episodes->is_array()) return wrong(name(), "no list of episodes");
    for (const Json& episode : *episodes) HARNESSG_RETURN_IF_ERROR(read_episode(episode, report));
    const Json* groups = find_value(object, "groups");
    for (std::size_t i = 0; groups && groups->is_array() && i < groups->size() && i < report.groups.size(); ++i) {
      HARNESSG_ASSIGN(report.groups[i].values, values((*groups)[i], RewardLevel::kGroup));
    }
    if (const Json* monitors = find_value(object, "monitors"); monitors && monitors->is_object()) {
      report.monitors.update(*monitors);
    }
    return {};
  }

  Status read_episode(const Json& object, RewardReport& report) const {
    if (!object.is_object()) return wrong(name(), "an episode that is no object");
    EpisodeReward episode;
    HARNESSG_ASSIGN(episode.values, values(object.value("values", Json::object()), RewardLevel::kEpisode));
    for (const Json& step : object.value("steps", Json::array())) {
      if (!step.is_object() || !step.contains("step") || !step.at("step").is_number_unsigned()) {
        return wrong(name(), "a step without its number");
      }
      StepReward& added = episode.steps.emplace_back();
      added.step = step.at("step").get<std::size_t>();
      HARNESSG_ASSIGN(added.values, values(step, RewardLevel::kStep));
    }
    const auto text = [&](const char* key) {
      const Json* value = find_value(object, key);
      return value && value->is_string() ? value->get<std::string>() : std::string();
    };
    episode.not_judged = text("not_judged");
    episode.output = text("output");
    episode.failed = object.contains("failed") && object.at("failed") == true;
    episode.detail = object.value("detail", Json());
    report.episodes.push_back(std::move(episode));
    return {};
  }

  // The values of a level's components by their names; null is a value not judged.
  Result<std::vector<RewardValue>> values(const Json& object, RewardLevel level) const {
    std::vector<RewardValue> all;
    for (const RewardComponent* component : components(level)) {
      if (!object.is_object() || !object.contains(component->name)) {
        return wrong(name(), fmt::format("no \"{}\"", component->name));
      }
      const Json& value = object.at(component->name);
      if (!value.is_null() && !value.is_number()) {
        return wrong(name(), fmt::format("\"{}\" as {}, which is no number", component->name, value.dump()));
      }
      all.push_back(value.is_null() ? std::nullopt : RewardValue(value.get<double>()));
    }
    return all;
  }

  std::shared_ptr<const py::object> callable_;
};

using ComponentTuple = std::tuple<std::string, std::string, double, std::string>;

Result<std::vector<RewardComponent>> components_of(const std::string& name, const std::vector<ComponentTuple>& given) {
  std::vector<RewardComponent> components;
  for (const auto& [component, level, weight, meaning] : given) {
    RewardComponent& added =
        components.emplace_back(RewardComponent{component, RewardLevel::kEpisode, weight, meaning});
    if (level == level_name(RewardLevel::kEpisode)) continue;
    added.level = level == level_name(RewardLevel::kGroup) ? RewardLevel::kGroup : RewardLevel::kStep;
    if (level == level_name(added.level)) continue;
    return wrong(name, fmt::format("the level \"{}\"; there are group, episode and step", level));
  }
  return components;
}

}  // namespace

bool register_python_reward(const std::string& name, py::object factory) {
  // Never let go of: the registry outlives the interpreter.
  const auto* const held = new py::object(std::move(factory));
  return register_reward(name, [name, held](const Json& settings) -> Result<std::unique_ptr<RewardPlugin>> {
    using Made = std::pair<std::vector<ComponentTuple>, std::shared_ptr<const py::object>>;
    const Locked lock;
    HARNESSG_ASSIGN(const Made made, guarded(name, [&] {
                      const py::tuple pair = (*held)(settings.is_null() ? "{}" : settings.dump());
                      return Made(pair[0].cast<std::vector<ComponentTuple>>(), shared(pair[1]));
                    }));
    HARNESSG_ASSIGN(std::vector<RewardComponent> components, components_of(name, made.first));
    return std::make_unique<PythonReward>(name, std::move(components), made.second);
  });
}

}  // namespace harnessg::python
