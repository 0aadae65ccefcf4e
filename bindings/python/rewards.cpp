#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/errors.h"
#include "bindings/python/module.h"
#include "bindings/python/python_reward.h"
#include "credit/rewards/registry.h"
#include "credit/rewards/reward_advantages.h"
#include "credit/rewards/reward_file.h"
#include "credit/rewards/reward_report.h"

namespace harnessg::python {
namespace {

struct RewardHandle {
  std::shared_ptr<const RewardPlugin> plugin;
};

RewardHandle make_handle(const std::string& name, const std::string& settings) {
  return {compute([&]() -> Result<std::shared_ptr<const RewardPlugin>> {
    HARNESSG_ASSIGN(const Json given, parse_object(settings, {"settings", 1}));
    HARNESSG_ASSIGN(std::unique_ptr<RewardPlugin> plugin, make_reward(name, given));
    return std::shared_ptr<const RewardPlugin>(std::move(plugin));
  })};
}

// (name, level, weight, meaning) of each component.
std::vector<std::tuple<std::string, std::string, double, std::string>> components(const RewardHandle& self) {
  std::vector<std::tuple<std::string, std::string, double, std::string>> all;
  for (const RewardComponent& component : self.plugin->components()) {
    all.emplace_back(component.name, level_name(component.level), component.weight, component.meaning);
  }
  return all;
}

Result<DecouplingOptions> options_of(const std::string& advantages) {
  if (advantages == "rdn") return DecouplingOptions::rdn();
  if (advantages == "gdpo") return DecouplingOptions::gdpo();
  if (advantages == "gdpo_tokens") return DecouplingOptions::gdpo_tokens();
  return fail(ErrorCode::kInvalidArgument, "advantages is \"rdn\", \"gdpo\" or \"gdpo_tokens\", not \"{}\"",
              advantages);
}

// A line of JSON an episode, and one of the batch. `rollouts` are objects as add_rollout takes them.
std::pair<std::vector<std::string>, std::string> score(const RewardHandle& self,
                                                       const std::vector<std::string>& rollouts,
                                                       const std::string& group, const std::string& advantages,
                                                       const std::vector<std::size_t>& tokens) {
  return compute([&]() -> Result<std::pair<std::vector<std::string>, std::string>> {
    HARNESSG_ASSIGN(const DecouplingOptions options, options_of(advantages));
    RewardRollouts read;
    for (std::size_t i = 0; i < rollouts.size(); ++i) {
      const Place place{"rollout", i};
      HARNESSG_ASSIGN(const Json object, parse_object(rollouts[i], place));
      HARNESSG_RETURN_IF_ERROR(add_rollout(object, place, group, read));
    }
    HARNESSG_ASSIGN(const RewardReport report, score_rewards(*self.plugin, read.inputs));
    HARNESSG_ASSIGN(const std::vector<RewardValue> worth, reward_advantages(*self.plugin, report, options, tokens));
    std::pair<std::vector<std::string>, std::string> result;
    for (std::size_t i = 0; i < read.inputs.size(); ++i) {
      result.first.push_back(episode_reward_json(*self.plugin, read.inputs, report, worth, i));
    }
    result.second = reward_summary_json(*self.plugin, report);
    return result;
  });
}

std::vector<double> decoupled(const std::vector<std::vector<double>>& rewards, const std::vector<std::size_t>& groups,
                              const std::string& variant, const std::vector<double>& weights,
                              const std::vector<std::size_t>& tokens) {
  return compute([&]() -> Result<std::vector<double>> {
    HARNESSG_ASSIGN(DecouplingOptions options, options_of(variant));
    options.weights = weights;
    return decoupled_advantages(rewards, groups, options, tokens);
  });
}

}  // namespace

void add_rewards(py::module_& module) {
  py::class_<RewardHandle>(module, "Reward")
      .def(py::init(&make_handle), py::arg("name"), py::arg("settings"))
      .def_property_readonly("name", [](const RewardHandle& self) { return self.plugin->name(); })
      .def_property_readonly("components", &components)
      .def("score", &score, py::arg("rollouts"), py::arg("group"), py::arg("advantages"), py::arg("tokens"));
  module.def("reward_names", &reward_names);
  module.def("register_reward", &register_python_reward, py::arg("name"), py::arg("factory"));
  module.def("decoupled_advantages", &decoupled, py::arg("rewards"), py::arg("groups"), py::arg("variant"),
             py::arg("weights"), py::arg("tokens"));
}

}  // namespace harnessg::python
