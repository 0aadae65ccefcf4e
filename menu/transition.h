// What an action does: the one function behind preview and step.
#pragma once

#include <functional>

#include "menu/menu.h"

namespace harnessg {

// What an action surfaces and what becomes possible then. Lists of ids; `entities`, `produced_entities` and
// `used_entities` ascending.
struct Outcome {
  SmallVector<SentenceId, 6> sentences;           // surfaced, best first: the sentence chosen, or the lookup's view
  SmallVector<SentenceId, 6> new_sentences;       // of those, never seen before
  SmallVector<EntityId, 48> entities;             // mentioned in `sentences`
  SmallVector<SentenceId, 6> consumed_sentences;  // provenance (spec 1, section 5)
  SmallVector<EntityId, 48> produced_entities;
  SmallVector<EntityId, 2> used_entities;
  Menu menu;               // the next menu
  bool ends = false;       // a terminal action
  bool truncated = false;  // the turn budget runs out with it
  bool invalid = false;    // not on the menu: nothing changed but the turn
  std::string invalid_reason;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Transition {
  State next;
  Outcome outcome;
};

// The state and first menu of a new episode: the first view takes the first turn.
Transition begin(const World& world, const Question& question);

// What an action's outcome is derived from beside the state: both pure functions of question and selection.
struct Given {
  // What a lookup shows: lookup_view() of this state's query. Other actions do not read it.
  const RankedView* view = nullptr;
  // What lookups made in the next state are ranked by. Read only where config.order_by_novelty is set.
  const Query* next_query = nullptr;
};

// Applies the menu's action at `position`. Precondition: position < menu.size(), menu == make_menu() of the state.
Transition advance(const World& world, const Question& question, const State& state, const Menu& menu,
                   std::size_t position, const Given& given);
// The same where lookups are not ordered by novelty, from this state's query.
Transition advance(const World& world, const Question& question, const State& state, const Menu& menu,
                   std::size_t position, const Query& lookup_query);

// A turn spent on something that is not on the menu.
Transition block(const World& world, const State& state, const Menu& menu, std::string text, std::string reason);

}  // namespace harnessg
