#include "menu/bridge.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "menu/reciprocal_sum.h"

namespace harnessg {
namespace {

struct Reached {
  EntityId target{};
  std::uint8_t reasons = 0;

  std::uint8_t nearest_class() const { return static_cast<std::uint8_t>(std::countr_zero(reasons)); }
  int reason_count() const { return std::popcount(reasons); }
};

constexpr std::uint8_t bit(BridgeReason reason) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(reason)); }

class Collector {
 public:
  Collector(const World& world, std::span<const EntityId> sources) : world_(world), sources_(sources) {}

  // Everything reached from `source`, one entry a target.
  std::vector<Reached> reach(EntityId source, std::span<const SentenceId> selected) {
    reached_.clear();
    const Graph& graph = world_.graph;
    for (const SentenceId s : selected) {
      if (graph.mentions(s, source)) add_entities(s, source, BridgeReason::kSelectedSentence);
    }
    for (const SentenceId s : graph.sentences(source)) {
      add_entities(s, source, BridgeReason::kCoSentence);
      const ParagraphId p = graph.paragraph(s);
      if (s != graph.first_sentence(p)) add_entities(SentenceId{index(s) - 1}, source, BridgeReason::kSentenceNeighbour);
      if (index(s) + 1 != index(graph.end_sentence(p))) {
        add_entities(SentenceId{index(s) + 1}, source, BridgeReason::kSentenceNeighbour);
      }
    }
    for (const Synonym& synonym : graph.synonyms(source)) add(synonym.entity, source, BridgeReason::kSynonym);
    merge();
    return reached_;
  }

 private:
  void add_entities(SentenceId s, EntityId source, BridgeReason reason) {
    for (const EntityId e : world_.graph.entities(s)) add(e, source, reason);
  }

  // A target that is itself a source counts only through a shared sentence (spec 1, section 11.2).
  void add(EntityId target, EntityId source, BridgeReason reason) {
    if (target == source) return;
    const bool shared_sentence = reason == BridgeReason::kSelectedSentence || reason == BridgeReason::kCoSentence;
    if (!shared_sentence && std::find(sources_.begin(), sources_.end(), target) != sources_.end()) return;
    reached_.push_back({target, bit(reason)});
  }

  void merge() {
    std::sort(reached_.begin(), reached_.end(), [](const Reached& a, const Reached& b) { return a.target < b.target; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (kept > 0 && reached_[kept - 1].target == reached_[i].target) {
        reached_[kept - 1].reasons |= reached_[i].reasons;
      } else {
        reached_[kept++] = reached_[i];
      }
    }
    reached_.resize(kept);
  }

  const World& world_;
  std::span<const EntityId> sources_;
  std::vector<Reached> reached_;
};

ReciprocalSum exact_score(const BridgeRow& row, std::uint64_t k) {
  ReciprocalSum sum;
  sum.add(k + row.structural_rank);
  if (row.semantic_rank != 0) sum.add(k + row.semantic_rank);
  return sum;
}

}  // namespace

double BridgeRow::score(std::uint32_t fusion_constant) const {
  const double k = fusion_constant;
  return 1.0 / (k + structural_rank) + (semantic_rank == 0 ? 0.0 : 1.0 / (k + semantic_rank));
}

std::vector<BridgeRow> bridge_rows(const World& world, const Question& question, const State& state) {
  std::vector<BridgeRow> rows;
  if (state.selected.empty()) return rows;
  const std::span<const EntityId> sources = world.graph.entities(state.selected.back());
  const auto semantic_rank = [&](EntityId e) -> std::uint32_t {
    const auto at = std::find(question.nearest_entities.begin(), question.nearest_entities.end(), e);
    return at == question.nearest_entities.end() ? 0 : static_cast<std::uint32_t>(at - question.nearest_entities.begin()) + 1;
  };
  Collector collector(world, sources);
  for (const EntityId source : sources) {
    const std::size_t first = rows.size();
    for (const Reached& reached : collector.reach(source, {state.selected.data(), state.selected.size()})) {
      rows.push_back({source, reached.target, reached.reasons, 0, semantic_rank(reached.target)});
    }
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), [](const BridgeRow& a, const BridgeRow& b) {
      const auto key = [](const BridgeRow& row) {
        const Reached reached{row.target, row.reasons};
        return std::tuple(reached.nearest_class(), -reached.reason_count(), row.semantic_rank == 0, row.semantic_rank, row.target);
      };
      return key(a) < key(b);
    });
    for (std::size_t i = first; i < rows.size(); ++i) rows[i].structural_rank = static_cast<std::uint32_t>(i - first) + 1;
  }
  const std::size_t keep = std::min<std::size_t>(rows.size(), world.config.bridge_rows);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(keep), rows.end(),
                    [&](const BridgeRow& a, const BridgeRow& b) {
                      const ReciprocalSum sa = exact_score(a, world.config.fusion_constant);
                      const ReciprocalSum sb = exact_score(b, world.config.fusion_constant);
                      if (sa > sb || sb > sa) return sa > sb;
                      return std::tuple(a.source, a.target) < std::tuple(b.source, b.target);
                    });
  rows.resize(keep);
  return rows;
}

}  // namespace harnessg
