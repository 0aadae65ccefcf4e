#include "menu/transition.h"

#include <algorithm>

#include "menu/bridge.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

template <class List, class Value>
bool contains(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Entities of some sentences, ascending, each once.
template <class Sentences>
SmallVector<EntityId, 48> entities_of(const Graph& graph, const Sentences& sentences) {
  SmallVector<EntityId, 48> entities;
  for (const SentenceId s : sentences) {
    const auto row = graph.entities(s);
    entities.insert(entities.end(), row.begin(), row.end());
  }
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  return entities;
}

void show(State& state, EntityId entity) {
  if (!contains(state.shown_entities, entity)) state.shown_entities.push_back(entity);
}

// Gives display ids in the order in which an observation lists entities: after Select the sentence's entities, then
// the bridge targets; otherwise the menu's lookups.
void show_entities(const World& world, State& state, const Menu& menu, std::span<const BridgeRow> rows) {
  if (state.acted && state.last.kind == ActionKind::kSelect) {
    for (const EntityId e : world.graph.entities(state.selected.back())) show(state, e);
    for (const BridgeRow& row : rows) show(state, row.target);
  }
  for (const Action& action : menu) {
    if (action.kind == ActionKind::kLookup) show(state, action.entity());
  }
}

// Takes a turn; without a terminal action the budget may run out with it.
void spend_turn(const World& world, State& state) {
  ++state.turn;
  state.truncated = !state.ended && state.turn >= world.config.turn_budget;
}

// What remains to be done after every valid turn.
void finish(const World& world, const Question& question, const Query& query, Transition& transition) {
  spend_turn(world, transition.next);
  const BridgeRows rows = rows_for_menu(world, question, transition.next);
  transition.outcome.menu = make_menu(world, question, transition.next, as_span(rows), query);
  show_entities(world, transition.next, transition.outcome.menu, as_span(rows));
  transition.outcome.ends = transition.next.ended;
  transition.outcome.truncated = transition.next.truncated;
}

void choose(const World& world, State& next, Outcome& outcome, SentenceId s) {
  next.selected.push_back(s);
  outcome.sentences.push_back(s);
  outcome.entities = entities_of(world.graph, outcome.sentences);
  outcome.consumed_sentences.push_back(s);
  outcome.produced_entities = outcome.entities;
}

void look_up(const World& world, State& next, Outcome& outcome, const Action& action, const View& view) {
  outcome.consumed_sentences.assign(next.selected.begin(), next.selected.end());
  next.looked_up.push_back(action.entity());
  next.visible = view;
  for (const VisibleSentence& visible : next.visible) {
    outcome.sentences.push_back(visible.sentence);
    if (contains(next.seen, visible.sentence)) continue;
    next.seen.push_back(visible.sentence);
    outcome.new_sentences.push_back(visible.sentence);
  }
  outcome.entities = entities_of(world.graph, outcome.sentences);
  outcome.produced_entities = entities_of(world.graph, outcome.new_sentences);
  outcome.used_entities.push_back(action.entity());
  if (action.anchor != kNoEntity && action.anchor != action.entity()) outcome.used_entities.push_back(action.anchor);
  std::sort(outcome.used_entities.begin(), outcome.used_entities.end());
}

}  // namespace

Transition begin(const World& world, const Question& question) {
  Transition first;
  first.next.visible = question.first_view;
  for (const VisibleSentence& visible : question.first_view) {
    first.next.seen.push_back(visible.sentence);
    first.outcome.sentences.push_back(visible.sentence);
    first.outcome.new_sentences.push_back(visible.sentence);
  }
  first.outcome.entities = entities_of(world.graph, first.outcome.sentences);
  first.outcome.produced_entities = first.outcome.entities;
  finish(world, question, question.query, first);
  return first;
}

Transition advance(const World& world, const Question& question, const State& state, const Menu& menu,
                   std::size_t position, const Given& given) {
  Transition transition{state, {}};
  State& next = transition.next;
  const Action& action = menu[position];
  next.last = action;
  next.acted = true;
  next.history.push_back(static_cast<std::uint16_t>(position));
  switch (action.kind) {
    case ActionKind::kSelect:
      choose(world, next, transition.outcome, action.sentence());
      break;
    case ActionKind::kAnswerWith:
      choose(world, next, transition.outcome, action.sentence());
      next.ended = true;
      break;
    case ActionKind::kLookup:
      look_up(world, next, transition.outcome, action, given.view->view);
      break;
    case ActionKind::kAnswer:
      next.ended = true;
      break;
  }
  // Without novelty no menu looks at the query.
  finish(world, question, given.next_query != nullptr ? *given.next_query : question.query, transition);
  return transition;
}

Transition advance(const World& world, const Question& question, const State& state, const Menu& menu,
                   std::size_t position, const Query& lookup_query) {
  RankedView view;
  if (menu[position].kind == ActionKind::kLookup) view = lookup_view(world, lookup_query, menu[position].entity());
  return advance(world, question, state, menu, position, Given{&view, nullptr});
}

Transition block(const World& world, const State& state, const Menu& menu, std::string text, std::string reason) {
  Transition transition{state, {}};
  State& next = transition.next;
  next.history.push_back(kBlocked);
  next.blocked.push_back({std::move(text), reason});
  spend_turn(world, next);
  if (!next.truncated) transition.outcome.menu = menu;
  transition.outcome.truncated = next.truncated;
  transition.outcome.invalid = true;
  transition.outcome.invalid_reason = std::move(reason);
  return transition;
}

}  // namespace harnessg
