// Synonym edges between entities (spec 1, section 2).
#pragma once

#include <cstdint>
#include <vector>

#include "data/graph.h"
#include "data/result.h"
#include "data/tables.h"
#include "data/vectors.h"

namespace harnessg {

struct SynonymSettings {
  double min_score = 0.80;             // an edge's score is at least this
  double min_jaccard = 0.80;           // of the content tokens of a token candidate; in (0.5, 1]
  std::uint32_t top = 5;               // edges that an entity may ask for; 0 for no synonyms at all
  std::uint32_t max_candidates = 256;  // of an entity: equal but for separators, then by token Jaccard, then acronyms
  // Names of four and more content words find near-equal ones through their rarest tokens. A token that is rarest in
  // more names than this is passed over.
  std::uint32_t max_postings = 2000;

  friend bool operator==(const SynonymSettings&, const SynonymSettings&) = default;
};

enum class SynonymReason : std::uint8_t { kExact, kToken, kAcronym };

struct SynonymEdge {
  EntityId first{};  // the smaller id
  EntityId second{};
  float score = 0;
  SynonymReason reason{};

  friend bool operator==(const SynonymEdge&, const SynonymEdge&) = default;
};

// Candidates share a normalised key (separators removed), have token Jaccard >= min_jaccard, or are an acronym and its
// expansion; labels are equal or one is ENTITY (acronyms exempt). The score is dot() of the entities' vectors, or the
// token Jaccard when `vectors` is null (so acronyms never meet). An edge is kept when it is among the `top` best, by
// (score descending, id ascending), of either end. Sorted by (first, second), no repeats. `tables` needs canonical
// forms, labels and surface forms only. Near linear in the number of entities; runs on the threads of the caller's
// oneTBB arena, and the result does not depend on their number. kInvalidArgument for settings out of range or a vector
// table of another size.
Result<std::vector<SynonymEdge>> find_synonyms(const GraphTables& tables, const SynonymSettings& settings,
                                               const VectorTable* vectors);

// The edges from both ends, as the graph holds them.
Rows<Synonym> synonym_rows(const std::vector<SynonymEdge>& edges, std::size_t entity_count);

}  // namespace harnessg
