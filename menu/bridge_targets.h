// An entity's bridge targets by structure alone: what bridge_rows() would otherwise collect anew for every question.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/graph.h"
#include "menu/bridge_row.h"

namespace harnessg {

// A set of reasons, as bits.
constexpr std::uint8_t reason_bit(BridgeReason reason) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(reason));
}

// Where a set of reasons stands among others: by class (the nearest reason), then more reasons before fewer.
inline constexpr std::array<std::uint8_t, 16> kReasonOrder = [] {
  std::array<std::uint8_t, 16> order{};
  for (unsigned reasons = 1; reasons < order.size(); ++reasons) {
    unsigned nearest = 0;
    while (((reasons >> nearest) & 1u) == 0) ++nearest;
    unsigned count = 0;
    for (unsigned r = 0; r < 4; ++r) count += (reasons >> r) & 1u;
    order[reasons] = static_cast<std::uint8_t>(nearest * 4 + (4 - count));
  }
  return order;
}();

// Calls add(target, reason) for what the graph alone says of a source, itself and repeats included.
template <class Add>
void visit_bridge_targets(const Graph& graph, EntityId source, Add add) {
  const auto add_entities = [&](SentenceId s, BridgeReason reason) {
    for (const EntityId e : graph.entities(s)) add(e, reason);
  };
  for (const SentenceId s : graph.sentences(source)) {
    add_entities(s, BridgeReason::kCoSentence);
    const ParagraphId p = graph.paragraph(s);
    if (s != graph.first_sentence(p)) add_entities(SentenceId{index(s) - 1}, BridgeReason::kSentenceNeighbour);
    if (index(s) + 1 != index(graph.end_sentence(p)))
      add_entities(SentenceId{index(s) + 1}, BridgeReason::kSentenceNeighbour);
  }
  for (const Synonym& synonym : graph.synonyms(source)) add(synonym.entity, BridgeReason::kSynonym);
}

// Immutable.
class BridgeTargets {
 public:
  struct Target {
    EntityId entity{};
    std::uint8_t reasons = 0;
  };
  // How many targets first() holds at most.
  static constexpr std::size_t kFirst = 128;

  BridgeTargets(const Graph& graph, EntityId source);

  // Why the entity is near the source; 0 when it is no target, as the source itself is not.
  std::uint8_t reasons(EntityId entity) const;
  // The targets that come first by (order of their reasons, id).
  std::span<const Target> first() const { return first_; }
  std::size_t size() const { return by_entity_.size(); }
  // Targets whose reasons have this place in kReasonOrder.
  std::uint32_t count(std::uint8_t order) const { return counts_[order]; }

  std::size_t memory_bytes() const {
    return sizeof(*this) + (by_entity_.capacity() + first_.capacity()) * sizeof(Target);
  }

 private:
  std::vector<Target> by_entity_;
  std::vector<Target> first_;
  std::array<std::uint32_t, 16> counts_{};
};

}  // namespace harnessg
