#include "menu/bridge_targets.h"

#include <algorithm>
#include <tuple>

namespace harnessg {

BridgeTargets::BridgeTargets(const Graph& graph, EntityId source) {
  visit_bridge_targets(graph, source, [&](EntityId target, BridgeReason reason) {
    if (target != source) by_entity_.push_back({target, reason_bit(reason)});
  });
  std::sort(by_entity_.begin(), by_entity_.end(), [](const Target& a, const Target& b) { return a.entity < b.entity; });
  std::size_t kept = 0;
  for (const Target& target : by_entity_) {
    if (kept > 0 && by_entity_[kept - 1].entity == target.entity) {
      by_entity_[kept - 1].reasons |= target.reasons;
    } else {
      by_entity_[kept++] = target;
    }
  }
  by_entity_.resize(kept);
  by_entity_.shrink_to_fit();
  for (const Target& target : by_entity_) ++counts_[kReasonOrder[target.reasons]];
  first_.resize(std::min(kept, kFirst));
  std::partial_sort_copy(
      by_entity_.begin(), by_entity_.end(), first_.begin(), first_.end(), [](const Target& a, const Target& b) {
        return std::tuple(kReasonOrder[a.reasons], a.entity) < std::tuple(kReasonOrder[b.reasons], b.entity);
      });
}

std::uint8_t BridgeTargets::reasons(EntityId entity) const {
  const auto at = std::lower_bound(by_entity_.begin(), by_entity_.end(), entity,
                                   [](const Target& target, EntityId e) { return target.entity < e; });
  return at != by_entity_.end() && at->entity == entity ? at->reasons : std::uint8_t{0};
}

}  // namespace harnessg
