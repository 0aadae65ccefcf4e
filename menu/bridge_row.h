// One bridge candidate: a row of (source, target) with why and where it ranks (spec 1, sections 3 and 11.2).
#pragma once

#include <cstdint>

#include "data/ids.h"
#include "menu/small_vector.h"

namespace harnessg {

// Why a target is near its source; the smallest is the row's class.
enum class BridgeReason : std::uint8_t { kSelectedSentence, kCoSentence, kSentenceNeighbour, kSynonym };

struct BridgeRow {
  EntityId source{};
  EntityId target{};
  std::uint8_t reasons = 0;           // bit r: BridgeReason r
  std::uint32_t structural_rank = 0;  // among the source's targets, from 1
  std::uint32_t semantic_rank = 0;    // among the question's nearest entities, from 1; 0: not among them

  // 1/(k + structural) + (if ranked) 1/(k + semantic); for display, rows are ordered by the exact fraction.
  double score(std::uint32_t fusion_constant) const;

  friend bool operator==(const BridgeRow&, const BridgeRow&) = default;
};

using BridgeRows = SmallVector<BridgeRow, 5>;

}  // namespace harnessg
