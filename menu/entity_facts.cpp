#include "menu/entity_facts.h"

#include <mutex>

#include "data/entity_text.h"
#include "data/text.h"

namespace harnessg {

namespace {

// From here on a hub's targets are remembered: collecting them costs more than asking for the few that matter.
constexpr std::size_t kManySentences = 12;

}  // namespace

bool is_lookup_target(const Graph& graph, const Config& config, EntityId entity) {
  const std::string_view surface = graph.surface(entity);
  if (config.lookup_europe == 0 && canonical_form(surface) == "europe") return false;
  return is_lookup_target(surface, graph.label(entity));
}

EntityFacts::EntityFacts(const Graph& graph, const Config& config, std::size_t bytes)
    : graph_(graph),
      config_(config),
      bytes_(bytes),
      lookup_target_(new std::atomic<std::uint8_t>[graph.entity_count()]()) {}

bool EntityFacts::may_be_looked_up(EntityId entity) const {
  std::atomic<std::uint8_t>& known = lookup_target_[index(entity)];
  std::uint8_t value = known.load(std::memory_order_relaxed);
  if (value == kUnknown) {
    value = is_lookup_target(graph_, config_, entity) ? kYes : kNo;
    known.store(value, std::memory_order_relaxed);
  }
  return value == kYes;
}

std::shared_ptr<const BridgeTargets> EntityFacts::bridge_targets(EntityId entity) const {
  if (graph_.sentences(entity).size() < kManySentences) return nullptr;
  {
    const std::shared_lock lock(mutex_);
    if (const auto at = bridge_targets_.find(entity); at != bridge_targets_.end()) return at->second;
    if (taken_ >= bytes_) return nullptr;
  }
  auto targets = std::make_shared<const BridgeTargets>(graph_, entity);
  const std::unique_lock lock(mutex_);
  if (taken_ + targets->memory_bytes() > bytes_) return targets;
  const auto [at, is_new] = bridge_targets_.try_emplace(entity, std::move(targets));
  if (is_new) taken_ += at->second->memory_bytes();
  return at->second;
}

std::size_t EntityFacts::memory_bytes() const {
  const std::shared_lock lock(mutex_);
  return graph_.entity_count() + taken_;
}

}  // namespace harnessg
