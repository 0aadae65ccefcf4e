#include "menu/bridge.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "menu/reciprocal_sum.h"

namespace harnessg {
namespace {

constexpr std::uint8_t bit(BridgeReason reason) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(reason));
}
constexpr std::uint8_t kSharedSentence = bit(BridgeReason::kSelectedSentence) | bit(BridgeReason::kCoSentence);

// The first part of the order among a source's targets, for each set of reasons: class (the smallest reason), then more
// reasons before fewer.
constexpr std::array<std::uint8_t, 16> kReasonOrder = [] {
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

// Class, reasons, nearness to the question (targets that are not near come last), id.
auto structural_key(const BridgeRow& row) {
  return std::tuple(kReasonOrder[row.reasons], row.semantic_rank - 1, row.target);
}
bool precedes(const BridgeRow& a, const BridgeRow& b) { return structural_key(a) < structural_key(b); }

// Reasons by entity for one source at a time: a dense table, so that a hub costs one addition a mention. Empty between
// uses.
class ReasonTable {
 public:
  void add(EntityId target, BridgeReason reason) {
    if (reasons_.size() <= index(target)) reasons_.resize(index(target) + std::size_t{1});
    std::uint8_t& reasons = reasons_[index(target)];
    if (reasons == 0) targets_.push_back(target);
    reasons |= bit(reason);
  }
  // Visits each target with its reasons and forgets it.
  template <class Visit>
  void drain(Visit visit) {
    for (const EntityId target : targets_) visit(target, std::exchange(reasons_[index(target)], std::uint8_t{0}));
    targets_.clear();
  }

 private:
  std::vector<std::uint8_t> reasons_;
  std::vector<EntityId> targets_;
};

void add_entities(const Graph& graph, SentenceId s, BridgeReason reason, ReasonTable& table) {
  for (const EntityId e : graph.entities(s)) table.add(e, reason);
}

void collect(const Graph& graph, EntityId source, std::span<const SentenceId> selected, ReasonTable& table) {
  for (const SentenceId s : selected) {
    if (graph.mentions(s, source)) add_entities(graph, s, BridgeReason::kSelectedSentence, table);
  }
  for (const SentenceId s : graph.sentences(source)) {
    add_entities(graph, s, BridgeReason::kCoSentence, table);
    const ParagraphId p = graph.paragraph(s);
    if (s != graph.first_sentence(p)) {
      add_entities(graph, SentenceId{index(s) - 1}, BridgeReason::kSentenceNeighbour, table);
    }
    if (index(s) + 1 != index(graph.end_sentence(p))) {
      add_entities(graph, SentenceId{index(s) + 1}, BridgeReason::kSentenceNeighbour, table);
    }
  }
  for (const Synonym& synonym : graph.synonyms(source)) table.add(synonym.entity, BridgeReason::kSynonym);
}

// Ranks of the question's nearest entities, by entity.
std::vector<std::pair<EntityId, std::uint32_t>> ranks_by_entity(const Question& question) {
  std::vector<std::pair<EntityId, std::uint32_t>> ranks;
  for (const EntityId e : question.nearest_entities)
    ranks.emplace_back(e, static_cast<std::uint32_t>(ranks.size()) + 1);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

// Cuts a source's rows to those that can be among the best `limit` of all sources, with their structural ranks: the
// first `limit` by structure, and whatever is near to the question. The others score less than `limit` rows of this
// source alone.
void keep_contenders(std::vector<BridgeRow>& rows, std::size_t limit) {
  const std::size_t first = std::min(limit, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), precedes);
  const auto rest = rows.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<BridgeRow> near;
  std::copy_if(rest, rows.end(), std::back_inserter(near), [](const BridgeRow& row) { return row.semantic_rank != 0; });
  std::sort(near.begin(), near.end(), precedes);
  std::vector<std::uint32_t> before(near.size() + 1);  // rows that come before near[i] but not before near[i - 1]
  for (auto row = rest; row != rows.end(); ++row) {
    ++before[static_cast<std::size_t>(std::upper_bound(near.begin(), near.end(), *row, precedes) - near.begin())];
  }
  for (std::size_t i = 0; i < first; ++i) rows[i].structural_rank = static_cast<std::uint32_t>(i) + 1;
  // upper_bound counts near[i] itself behind it, so near[i] has before[0] + ... + before[i] rows of the rest before it.
  std::uint32_t rank = static_cast<std::uint32_t>(first);
  for (std::size_t i = 0; i < near.size(); ++i) {
    rank += before[i];
    near[i].structural_rank = rank + 1;
  }
  rows.resize(first);
  rows.insert(rows.end(), near.begin(), near.end());
}

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
  std::vector<BridgeRow> all;
  if (state.selected.empty()) return all;
  thread_local ReasonTable table;
  const std::span<const EntityId> sources = world.graph.entities(state.selected.back());
  const auto ranks = ranks_by_entity(question);
  std::vector<BridgeRow> rows;
  for (const EntityId source : sources) {
    rows.clear();
    collect(world.graph, source, {state.selected.data(), state.selected.size()}, table);
    table.drain([&](EntityId target, std::uint8_t reasons) {
      if (target == source) return;
      // A target that is itself a source counts only through a shared sentence (spec 1, section 11.2).
      if (std::find(sources.begin(), sources.end(), target) != sources.end()) reasons &= kSharedSentence;
      if (reasons == 0) return;
      const auto rank = std::lower_bound(ranks.begin(), ranks.end(), std::pair(target, std::uint32_t{0}));
      rows.push_back({source, target, reasons, 0, rank != ranks.end() && rank->first == target ? rank->second : 0});
    });
    keep_contenders(rows, world.config.bridge_rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  const std::size_t keep = std::min<std::size_t>(all.size(), world.config.bridge_rows);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keep), all.end(),
                    [&](const BridgeRow& a, const BridgeRow& b) {
                      const ReciprocalSum sa = exact_score(a, world.config.fusion_constant);
                      const ReciprocalSum sb = exact_score(b, world.config.fusion_constant);
                      if (sa > sb || sb > sa) return sa > sb;
                      return std::tuple(a.source, a.target) < std::tuple(b.source, b.target);
                    });
  all.resize(keep);
  return all;
}

}  // namespace harnessg
