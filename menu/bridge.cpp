#include "menu/bridge.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "menu/bridge_targets.h"
#include "menu/entity_facts.h"
#include "menu/reciprocal_sum.h"

namespace harnessg {
namespace {

constexpr std::uint8_t kSharedSentence =
    reason_bit(BridgeReason::kSelectedSentence) | reason_bit(BridgeReason::kCoSentence);

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
    reasons |= reason_bit(reason);
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

// What the rules ask about a question and a selection while its rows are made.
struct Inquiry {
  const World& world;
  std::span<const SentenceId> selected;
  std::span<const EntityId> sources;
  std::vector<std::pair<EntityId, std::uint32_t>> ranks;  // of the question's nearest entities, from 1, by entity

  std::uint32_t rank(EntityId entity) const {
    const auto at = std::lower_bound(ranks.begin(), ranks.end(), std::pair(entity, std::uint32_t{0}));
    return at != ranks.end() && at->first == entity ? at->second : 0;
  }
  // A target that is itself a source counts only through a shared sentence (spec 1, section 11.2).
  std::uint8_t counted(EntityId target, std::uint8_t reasons) const {
    const bool is_source = std::find(sources.begin(), sources.end(), target) != sources.end();
    return is_source ? reasons & kSharedSentence : reasons;
  }
  template <class Visit>
  void visit_selected_with(EntityId source, Visit visit) const {
    for (const SentenceId s : selected) {
      if (!world.graph.mentions(s, source)) continue;
      for (const EntityId e : world.graph.entities(s)) visit(e);
    }
  }
};

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

// Contenders among the targets of a source, from the graph.
void collect_rows(const Inquiry& inquiry, EntityId source, std::size_t limit, std::vector<BridgeRow>& rows) {
  thread_local ReasonTable table;
  inquiry.visit_selected_with(source, [&](EntityId e) { table.add(e, BridgeReason::kSelectedSentence); });
  visit_bridge_targets(inquiry.world.graph, source,
                       [&](EntityId target, BridgeReason reason) { table.add(target, reason); });
  table.drain([&](EntityId target, std::uint8_t reasons) {
    if (target == source) return;
    reasons = inquiry.counted(target, reasons);
    if (reasons != 0) rows.push_back({source, target, reasons, 0, inquiry.rank(target)});
  });
  keep_contenders(rows, limit);
}

// The same from what is remembered of the source: all targets have the reasons of the graph alone and no rank, but for
// a few, which are looked at one by one. False when too many of the first ones are among those few to tell.
bool recall_rows(const Inquiry& inquiry, const BridgeTargets& targets, EntityId source, std::size_t limit,
                 std::vector<BridgeRow>& rows) {
  thread_local std::vector<BridgeRow> special;
  special.clear();
  for (const auto& [entity, rank] : inquiry.ranks) special.push_back({source, entity, 0, 0, rank});
  for (const EntityId e : inquiry.sources) special.push_back({source, e, 0, 0, 0});
  inquiry.visit_selected_with(source, [&](EntityId e) {
    special.push_back({source, e, reason_bit(BridgeReason::kSelectedSentence), 0, 0});
  });
  // One row a target, with its rank and reasons from wherever it was named.
  std::sort(special.begin(), special.end(), [](const BridgeRow& a, const BridgeRow& b) { return a.target < b.target; });
  std::array<std::uint32_t, 16> ordinary{};
  for (std::uint8_t order = 0; order < ordinary.size(); ++order) ordinary[order] = targets.count(order);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < special.size();) {
    BridgeRow row = special[i];
    for (++i; i < special.size() && special[i].target == row.target; ++i) {
      row.reasons |= special[i].reasons;
      row.semantic_rank = std::max(row.semantic_rank, special[i].semantic_rank);
    }
    const std::uint8_t of_graph = targets.reasons(row.target);
    if (of_graph != 0) --ordinary[kReasonOrder[of_graph]];
    row.reasons = row.target == source ? 0 : inquiry.counted(row.target, row.reasons | of_graph);
    special[kept++] = row;  // with reasons 0: no target, and not to be taken for an ordinary one
  }
  special.resize(kept);

  const auto is_special = [&](EntityId entity) {
    const auto at = std::lower_bound(special.begin(), special.end(), entity,
                                     [](const BridgeRow& row, EntityId e) { return row.target < e; });
    return at != special.end() && at->target == entity;
  };
  std::size_t wanted = limit;
  for (const BridgeTargets::Target& target : targets.first()) {
    if (wanted == 0) break;
    if (is_special(target.entity)) continue;
    rows.push_back({source, target.entity, target.reasons, 0, 0});
    --wanted;
  }
  if (wanted > 0 && targets.first().size() < targets.size()) return false;
  std::copy_if(special.begin(), special.end(), std::back_inserter(rows),
               [](const BridgeRow& row) { return row.reasons != 0; });
  std::sort(rows.begin(), rows.end(), precedes);
  // Ranks: places among `rows` for the first `limit`; behind them only ranked rows matter, and all ordinary targets of
  // an earlier order come before those.
  std::uint32_t ordinary_before = 0, specials_before = 0;
  std::size_t order = 0, end = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BridgeRow row = rows[i];
    const bool ordinary_row = row.semantic_rank == 0 && !is_special(row.target);
    for (; order < kReasonOrder[row.reasons]; ++order) ordinary_before += ordinary[order];
    if (i < limit) {
      rows[end] = row;
      rows[end++].structural_rank = static_cast<std::uint32_t>(i) + 1;
    } else if (row.semantic_rank != 0) {
      rows[end] = row;
      rows[end++].structural_rank = ordinary_before + specials_before + 1;
    }
    if (!ordinary_row) ++specials_before;
  }
  rows.resize(end);
  return true;
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

BridgeRows bridge_rows(const World& world, const Question& question, const State& state) {
  if (state.selected.empty()) return {};
  const Inquiry inquiry{world, as_span(state.selected), world.graph.entities(state.selected.back()),
                        ranks_by_entity(question)};
  thread_local std::vector<BridgeRow> all, rows;
  all.clear();
  for (const EntityId source : inquiry.sources) {
    rows.clear();
    const auto targets = world.facts == nullptr ? nullptr : world.facts->bridge_targets(source);
    if (targets == nullptr || !recall_rows(inquiry, *targets, source, world.config.bridge_rows, rows)) {
      rows.clear();
      collect_rows(inquiry, source, world.config.bridge_rows, rows);
    }
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
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keep)};
}

}  // namespace harnessg
