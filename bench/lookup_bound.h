// What a lookup can show at most, whatever the query: the fact that lets a search leave out lookups without losing
// an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "bench/gold.h"
#include "menu/menu.h"

namespace harnessg::bench {

// Lookup(e) shows sentences only of paragraphs in which a sentence mentions e or a synonym of e, and of those that e is
// the title of: candidates are mentions, their neighbours in the paragraph, and the title's paragraphs (spec 1,
// sections 3 and 12). So the entities that can bring a unit up are those of its paragraphs and titles, and synonyms of
// them. One search each; not thread-safe (answers are remembered).
class LookupBound {
 public:
  // Without `enabled`, and for a unit of more than 400 sentences, every lookup may bring everything.
  LookupBound(const World& world, const Gold& gold, bool enabled);

  // The part of `units` that Lookup(e) may show.
  UnitMask may_show(EntityId e, UnitMask units) const;
  // Whether one lookup may show all of `units`; true for none.
  bool one_may_show(UnitMask units);

 private:
  std::vector<std::optional<std::vector<EntityId>>> bringers_;  // of each unit, ascending; absent: all entities
  std::unordered_map<UnitMask, bool> known_;
};

}  // namespace harnessg::bench
