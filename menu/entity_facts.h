// What the rules ask about an entity whatever the question: found out when it is first asked, then remembered.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

#include "data/graph.h"
#include "menu/bridge_targets.h"
#include "menu/config.h"

namespace harnessg {

// Whether an entity may be looked up at all, whatever the state: by its first surface form and its label (spec 1,
// sections 4 and 11.3).
bool is_lookup_target(const Graph& graph, const Config& config, EntityId entity);

// Refers to what it is made from. Const and thread-safe; one byte an entity, and `bytes` at most for what is remembered
// of entities that many sentences mention.
class EntityFacts {
 public:
  EntityFacts(const Graph& graph, const Config& config, std::size_t bytes);

  // is_lookup_target(), which has to fold and classify the name.
  bool may_be_looked_up(EntityId entity) const;

  // Bridge targets of an entity with so many sentences that collecting them anew would cost more than remembering
  // them; null for others, and where there is no room.
  std::shared_ptr<const BridgeTargets> bridge_targets(EntityId entity) const;

  std::size_t memory_bytes() const;

 private:
  enum Known : std::uint8_t { kUnknown, kYes, kNo };

  const Graph& graph_;
  const Config& config_;
  const std::size_t bytes_;
  std::unique_ptr<std::atomic<std::uint8_t>[]> lookup_target_;  // Known
  mutable std::shared_mutex mutex_;                             // guards what follows
  mutable std::unordered_map<EntityId, std::shared_ptr<const BridgeTargets>> bridge_targets_;
  mutable std::size_t taken_ = 0;
};

}  // namespace harnessg
