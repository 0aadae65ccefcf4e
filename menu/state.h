// Where an episode stands: plain values that the rules in menu/ read and that engine/ keeps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/ids.h"
#include "data/relevance.h"
#include "menu/small_vector.h"

namespace harnessg {

enum class ActionKind : std::uint8_t { kSelect, kAnswerWith, kLookup, kAnswer };

inline constexpr SentenceId kNoSentence{0xFFFFFFFFu};

// One entry of a menu. A menu holds no two of one kind and target; `via` and `anchor` say why it is offered.
struct Action {
  ActionKind kind = ActionKind::kAnswer;
  std::uint32_t target = 0;  // row of a sentence (Select, AnswerWith) or an entity (Lookup); 0 for Answer
  // Lookup: the sentence that brought the entity up; kNoSentence for a bridge lookup and an entity of the question.
  SentenceId via = kNoSentence;
  EntityId anchor = kNoEntity;  // Lookup: the entity it bridges from; it counts as used (spec 1, section 5)
  // Lookup, where the menu is ordered by novelty: it shows an unseen paragraph that the entity is the title of.
  bool opens_title = false;

  SentenceId sentence() const { return SentenceId{target}; }
  EntityId entity() const { return EntityId{target}; }
  // A lookup offered only because of a bridge row.
  bool is_bridge() const { return kind == ActionKind::kLookup && via == kNoSentence && anchor != kNoEntity; }
  // A lookup offered only because the question names the entity.
  bool is_of_question() const { return kind == ActionKind::kLookup && via == kNoSentence && anchor == kNoEntity; }

  friend bool operator==(const Action&, const Action&) = default;
};

// In the order shown; "A3" is the action at position 3.
using Menu = SmallVector<Action, 21>;

// Why a sentence is on display. First view: the fused lists that hold it, as bits. Lookup: the kind of candidate.
enum Source : std::uint8_t {
  kFromParagraphs = 1,  // list 1: sentences of the best paragraphs
  kFromSentences = 2,   // list 2: best sentences of the corpus
  kFromEntities = 4,    // list 3: sentences that mention the best entities
  kTarget = 8,          // mentions the entity looked up
  kSimilar = 16,        // mentions a synonym of it
  kNeighbour = 32,      // stands beside one of those
  kOfTitle = 64,        // of a paragraph whose title the question names (first view), or is looked up
};

struct VisibleSentence {
  SentenceId sentence{};
  std::uint8_t sources = 0;  // bits of Source

  friend bool operator==(const VisibleSentence&, const VisibleSentence&) = default;
};

using View = SmallVector<VisibleSentence, 6>;

// A lookup's view with the scores it is ordered by.
struct RankedView {
  View view;
  SmallVector<float, 6> scores;
};

class QuestionMemory;

// A question made ready for one index and configuration: shared by all its episodes, immutable but for what is
// remembered of it.
struct Question {
  std::string id;
  std::string text;
  std::vector<std::string> answers;
  Query query;                             // of the question alone
  std::vector<EntityId> nearest_entities;  // best first: ranks of bridge candidates
  std::vector<EntityId> linked;            // named in the question, in order; where config.linked_sentences is not 0
  View first_view;
  std::shared_ptr<QuestionMemory> memory;  // null: nothing is remembered
};

// In State::history: a turn that was no valid action.
inline constexpr std::uint16_t kBlocked = 0xFFFF;

// What was said in such a turn, and why it was blocked.
struct BlockedTurn {
  std::string text;
  std::string reason;

  friend bool operator==(const BlockedTurn&, const BlockedTurn&) = default;
};

struct State {
  SmallVector<SentenceId, 6> selected;       // in order of selection
  View visible;                              // best first
  SmallVector<SentenceId, 36> seen;          // in order of first sight; position = display id "S3"
  SmallVector<EntityId, 6> looked_up;        // in order
  SmallVector<EntityId, 32> shown_entities;  // in order of first display; position = display id "E2"
  SmallVector<std::uint16_t, 8> history;     // menu position of each turn's action after the first view, or kBlocked
  std::vector<BlockedTurn> blocked;          // the blocked turns, in order
  Action last;                               // the action that led here; meaningless while history has no valid one
  std::uint32_t turn = 0;                    // policy turns used, the first view included
  bool acted = false;                        // a valid action followed the first view
  bool ended = false;                        // a terminal action was taken
  bool truncated = false;                    // the budget ran out first

  // The last turn was blocked.
  bool last_blocked() const { return !history.empty() && history.back() == kBlocked; }

  friend bool operator==(const State&, const State&) = default;
};

}  // namespace harnessg
