#include "bench/lookup_bound.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "menu/question_links.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kMostSentences = 400;

template <class Id>
void sort_unique(std::vector<Id>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// The entities that the paragraphs, ascending, are titles of; nothing in a world whose lookups do not follow titles.
void add_titles(const World& world, const std::vector<ParagraphId>& paragraphs, std::vector<EntityId>& entities) {
  if (world.names == nullptr) return;
  for (std::uint32_t row = 0; row < world.graph.entity_count(); ++row) {
    for (const ParagraphId p : world.names->titled(EntityId{row})) {
      if (std::binary_search(paragraphs.begin(), paragraphs.end(), p)) entities.push_back(EntityId{row});
    }
  }
}

std::vector<EntityId> entities_around(const World& world, std::span<const SentenceId> sentences) {
  const Graph& graph = world.graph;
  std::vector<ParagraphId> paragraphs;
  for (const SentenceId s : sentences) paragraphs.push_back(graph.paragraph(s));
  sort_unique(paragraphs);
  std::vector<EntityId> entities;
  for (const ParagraphId p : paragraphs) {
    for (std::uint32_t s = index(graph.first_sentence(p)); s < index(graph.end_sentence(p)); ++s) {
      const auto row = graph.entities(SentenceId{s});
      entities.insert(entities.end(), row.begin(), row.end());
    }
  }
  sort_unique(entities);
  const std::size_t direct = entities.size();
  for (std::size_t i = 0; i < direct; ++i) {
    for (const Synonym& synonym : graph.synonyms(entities[i])) entities.push_back(synonym.entity);
  }
  add_titles(world, paragraphs, entities);
  sort_unique(entities);
  return entities;
}

}  // namespace

LookupBound::LookupBound(const World& world, const Gold& gold, bool enabled) : bringers_(gold.size()) {
  for (std::size_t u = 0; u < gold.size() && enabled; ++u) {
    if (gold.sentences(u).size() <= kMostSentences) bringers_[u] = entities_around(world, gold.sentences(u));
  }
}

UnitMask LookupBound::may_show(EntityId e, UnitMask units) const {
  UnitMask shown = 0;
  for (UnitMask rest = units; rest != 0; rest &= rest - 1) {
    const auto& bringers = bringers_[static_cast<std::size_t>(std::countr_zero(rest))];
    if (!bringers || std::binary_search(bringers->begin(), bringers->end(), e)) shown |= rest & -rest;
  }
  return shown;
}

bool LookupBound::one_may_show(UnitMask units) {
  const auto known = known_.find(units);
  if (known != known_.end()) return known->second;
  std::optional<std::vector<EntityId>> shared;
  for (UnitMask rest = units; rest != 0; rest &= rest - 1) {
    const auto& bringers = bringers_[static_cast<std::size_t>(std::countr_zero(rest))];
    if (!bringers) continue;
    if (!shared) {
      shared = bringers;
      continue;
    }
    std::vector<EntityId> both;
    std::set_intersection(shared->begin(), shared->end(), bringers->begin(), bringers->end(), std::back_inserter(both));
    shared = std::move(both);
  }
  const bool possible = !shared || !shared->empty();
  known_.emplace(units, possible);
  return possible;
}

}  // namespace harnessg::bench
