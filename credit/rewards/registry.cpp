#include "credit/rewards/registry.h"

#include <fmt/ranges.h>

#include <map>
#include <mutex>
#include <utility>

#include "credit/rewards/answer_reward.h"
#include "credit/rewards/eager/eager_reward.h"
#include "credit/rewards/evidence_reward.h"
#include "credit/rewards/reward_sum.h"
#include "credit/rewards/scope/scope_reward.h"
#include "credit/rewards/search_answer_rewards.h"

namespace harnessg {
namespace {

using Factories = std::map<std::string, RewardFactory, std::less<>>;

// The library's own are named here, since a linker leaves out objects of a static library that nothing names.
Factories built_in() {
  return {{"answer_f1", make_answer_reward},
          {"eager", eager::make_eager_reward},
          {"evidence_recall", make_evidence_reward},
          {"graph_r1", make_graph_r1_reward},
          {"scope_challenger", scope::make_challenger_reward},
          {"scope_solver", scope::make_solver_reward},
          {"search_r1", make_search_r1_reward},
          {"sum", make_reward_sum}};
}

struct Registry {
  std::mutex mutex;
  Factories factories = built_in();
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

bool register_reward(std::string name, RewardFactory factory) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return all.factories.emplace(std::move(name), std::move(factory)).second;
}

std::vector<std::string> reward_names() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> names;
  for (const auto& [name, factory] : all.factories) names.push_back(name);
  return names;
}

Result<std::unique_ptr<RewardPlugin>> make_reward(std::string_view name, const Json& settings) {
  RewardFactory factory;
  {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto found = all.factories.find(name);
    if (found != all.factories.end()) factory = found->second;
  }
  if (!factory) {
    return fail(ErrorCode::kInvalidArgument, "there is no reward \"{}\"; there are {}", name,
                fmt::join(reward_names(), ", "));
  }
  Json own = settings;
  Json weights;
  if (own.is_object() && own.contains("weights")) {
    weights = own.at("weights");
    own.erase("weights");
  }
  HARNESSG_ASSIGN(std::unique_ptr<RewardPlugin> plugin, factory(own));
  if (!weights.is_null()) HARNESSG_RETURN_IF_ERROR(plugin->set_weights(weights));
  return plugin;
}

}  // namespace harnessg
