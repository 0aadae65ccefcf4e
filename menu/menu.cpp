#include "menu/menu.h"

#include <algorithm>
#include <limits>

#include "menu/bridge.h"
#include "menu/lookup.h"
#include "menu/question_links.h"
#include "menu/question_memory.h"

namespace harnessg {
namespace {

bool is_over(const State& state) { return state.ended || state.truncated; }
bool follows_select(const State& state) { return state.acted && state.last.kind == ActionKind::kSelect; }

// Collects lookups in order: no entity twice, none looked up before, none that may not be, at most `limit`.
class LookupList {
 public:
  LookupList(const World& world, const State& state, std::size_t limit) : world_(world), state_(state), limit_(limit) {}

  bool full() const { return lookups_.size() >= limit_; }

  void offer(EntityId entity, SentenceId via, EntityId anchor) {
    if (full() || find(entity) != nullptr) return;
    const auto& done = state_.looked_up;
    if (std::find(done.begin(), done.end(), entity) != done.end()) return;
    if (!may_be_looked_up(world_, entity)) return;
    lookups_.push_back({ActionKind::kLookup, index(entity), via, anchor});
  }

  Action* find(EntityId entity) {
    const auto at =
        std::find_if(lookups_.begin(), lookups_.end(), [&](const Action& action) { return action.entity() == entity; });
    return at == lookups_.end() ? nullptr : &*at;
  }

  SmallVector<Action, 48>& lookups() { return lookups_; }

 private:
  const World& world_;
  const State& state_;
  const std::size_t limit_;
  SmallVector<Action, 48> lookups_;
};

void offer_bridges(std::span<const BridgeRow> rows, LookupList& list) {
  // A bridge row whose target is on the list already gives it its anchor and leaves its place and `via` alone; the best
  // row wins.
  for (const BridgeRow& row : rows) {
    if (Action* listed = list.find(row.target)) {
      if (listed->anchor == kNoEntity) listed->anchor = row.source;
    } else {
      list.offer(row.target, kNoSentence, row.source);
    }
  }
}

void offer_entities(const World& world, SentenceId s, LookupList& list) {
  for (const EntityId e : world.graph.entities(s)) list.offer(e, s, kNoEntity);
}

// Entities of the sentence just selected, what the question names, entities of the visible sentences, bridge targets:
// which of these there are depends on the state and the configuration.
void offer_lookups(const World& world, const Question& question, const State& state, std::span<const BridgeRow> rows,
                   bool after_select, LookupList& list) {
  if (after_select) offer_entities(world, state.selected.back(), list);
  for (const EntityId e : question.linked) list.offer(e, kNoSentence, kNoEntity);
  if (!after_select || world.config.lookups_of_visible != 0) {
    for (const VisibleSentence& visible : state.visible) offer_entities(world, visible.sentence, list);
  }
  if (world.config.lookups_of_seen != 0) {
    for (const SentenceId s : state.seen) offer_entities(world, s, list);
  }
  if (after_select) offer_bridges(rows, list);
}

// What a lookup's place on the menu is decided by, the first difference first.
struct Novelty {
  int points = 0;
  float score = 0;  // the best of an unseen sentence
  std::size_t offered = 0;
  bool opens_title = false;
};

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// How directly the sentence that brought a lookup up continues the search: it has just been selected, stands on a page
// that the question names, or on the page of an entity looked up.
int trail_points(const World& world, const Question& question, const State& state, const Action& lookup) {
  if (world.config.follow_pages == 0 || lookup.via == kNoSentence) return 0;
  const EntityId page = world.graph.title_entity(world.graph.paragraph(lookup.via));
  const bool just_selected = follows_select(state) && lookup.via == state.selected.back();
  return 8 * just_selected + 2 * holds(question.linked, page) + holds(state.looked_up, page);
}

// Whether the view shows a paragraph that the entity is the title of and of which no sentence has been seen.
bool opens_title(const World& world, const State& state, EntityId entity, const View& view) {
  const auto is_in = [&](ParagraphId p) { return [&, p](SentenceId s) { return world.graph.paragraph(s) == p; }; };
  const auto titled = world.names != nullptr ? world.names->titled(entity) : std::span<const ParagraphId>();
  return std::any_of(titled.begin(), titled.end(), [&](ParagraphId p) {
    return std::any_of(view.begin(), view.end(), [&](const auto& visible) { return is_in(p)(visible.sentence); }) &&
           std::none_of(state.seen.begin(), state.seen.end(), is_in(p));
  });
}

// Leaves out lookups that would show nothing unseen and orders the others: first those that open a title and continue
// the search, then by the best score among the new sentences, then as offered.
void order_by_novelty(const World& world, const Question& question, const State& state, const Query& query,
                      SmallVector<Action, 48>& lookups) {
  SmallVector<EntityId, 48> entities;
  for (const Action& action : lookups) entities.push_back(action.entity());
  SmallVector<RankedView, 48> views(entities.size());
  remembered_lookup_views(world, question, as_span(state.selected), query, as_span(entities), as_span(views));
  SmallVector<Novelty, 48> novel;
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const View& view = views[i].view;
    const auto unseen = std::find_if(
        view.begin(), view.end(), [&](const VisibleSentence& visible) { return !holds(state.seen, visible.sentence); });
    if (unseen == view.end()) continue;
    const bool opens = opens_title(world, state, entities[i], view);
    // Views are ordered by score, so the first unseen sentence has the best.
    novel.push_back({2 * opens + trail_points(world, question, state, lookups[i]),
                     views[i].scores[static_cast<std::size_t>(unseen - view.begin())], i, opens});
  }
  std::sort(novel.begin(), novel.end(), [](const Novelty& a, const Novelty& b) {
    if (a.points != b.points) return a.points > b.points;
    return a.score != b.score ? a.score > b.score : a.offered < b.offered;
  });
  SmallVector<Action, 48> ordered;
  for (const Novelty& lookup : novel) {
    ordered.push_back(lookups[lookup.offered]);
    ordered.back().opens_title = lookup.opens_title;
  }
  lookups = ordered;
}

}  // namespace

BridgeRows rows_for_menu(const World& world, const Question& question, const State& state) {
  BridgeRows rows;
  if (!follows_select(state) || is_over(state)) return rows;
  const auto selected = as_span(state.selected);
  if (question.memory != nullptr && question.memory->find(selected, rows)) return rows;
  rows = bridge_rows(world, question, state);
  if (question.memory != nullptr) question.memory->remember(selected, rows);
  return rows;
}

Menu make_menu(const World& world, const Question& question, const State& state, std::span<const BridgeRow> rows,
               const Query& query) {
  Menu menu;
  if (is_over(state)) return menu;
  for (const ActionKind kind : {ActionKind::kSelect, ActionKind::kAnswerWith}) {
    for (const VisibleSentence& visible : state.visible) {
      if (std::find(state.selected.begin(), state.selected.end(), visible.sentence) == state.selected.end()) {
        menu.push_back({kind, index(visible.sentence)});
      }
    }
  }
  const bool after_select = follows_select(state);
  const std::size_t limit = after_select ? world.config.lookups_after_select : world.config.lookups_otherwise;
  const bool by_novelty = world.config.order_by_novelty != 0;
  LookupList list(world, state, by_novelty ? std::numeric_limits<std::size_t>::max() : limit);
  offer_lookups(world, question, state, rows, after_select, list);
  if (by_novelty) order_by_novelty(world, question, state, query, list.lookups());
  const std::size_t kept = std::min(limit, list.lookups().size());
  menu.insert(menu.end(), list.lookups().begin(), list.lookups().begin() + static_cast<std::ptrdiff_t>(kept));
  // Not directly after the first view, unless it found nothing: then giving up is all there is.
  if (state.acted || menu.empty()) menu.push_back({ActionKind::kAnswer});
  return menu;
}

}  // namespace harnessg
