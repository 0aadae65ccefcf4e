// What the end of an episode is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "credit/models/scorer.h"
#include "data/graph.h"
#include "data/result.h"

namespace harnessg {

// Where an episode stopped.
struct FinalState {
  std::size_t episode = 0;           // which of those that are valued
  std::vector<SentenceId> seen;      // in order of first sight
  std::vector<SentenceId> selected;  // in order of selection

  friend auto operator<=>(const FinalState&, const FinalState&) = default;
};

// One value a state, in order, or why there is none. An Error means that the call as a whole was wrong.
using FinalValue = std::function<Result<std::vector<Score>>(std::span<const FinalState>)>;

struct GoldQuestion {
  std::string question;
  std::vector<std::string> answers;
};

// g of everything seen, by one call of the scorer for all states; equal ones are asked for once. `questions` has one
// entry an episode. Graph and scorer outlive the value.
FinalValue answer_value(std::vector<GoldQuestion> questions, const Graph& graph, const Scorer& scorer);

enum class EvidenceSet : std::uint8_t { kSeen, kSelected };

// Share of the gold sentences that are in the set, from 0 to 1 (spec 1, section 7). `gold` has one list an episode; an
// empty one gives kNoAlias: there is nothing to recall.
FinalValue evidence_recall_value(std::vector<std::vector<SentenceId>> gold, EvidenceSet set);

}  // namespace harnessg
