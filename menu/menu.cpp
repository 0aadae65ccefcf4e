#include "menu/menu.h"

#include <algorithm>

#include "menu/bridge.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

// Collects lookups in order: no entity twice, none looked up before, none that may not be, at most `limit`.
class LookupList {
 public:
  LookupList(const World& world, const State& state, std::uint32_t limit, Menu& menu)
      : world_(world), state_(state), limit_(limit), menu_(menu), first_(menu.size()) {}

  bool full() const { return menu_.size() - first_ >= limit_; }

  void offer(EntityId entity, SentenceId via, EntityId anchor) {
    if (full() || find(entity) != nullptr) return;
    const auto& done = state_.looked_up;
    if (std::find(done.begin(), done.end(), entity) != done.end()) return;
    if (!may_be_looked_up(world_, entity)) return;
    menu_.push_back({ActionKind::kLookup, index(entity), via, anchor});
  }

  Action* find(EntityId entity) {
    const auto at = std::find_if(menu_.begin() + static_cast<std::ptrdiff_t>(first_), menu_.end(),
                                 [&](const Action& action) { return action.entity() == entity; });
    return at == menu_.end() ? nullptr : &*at;
  }

 private:
  const World& world_;
  const State& state_;
  const std::uint32_t limit_;
  Menu& menu_;
  const std::size_t first_;
};

// Entities of the sentence just selected, then bridge targets. A bridge row whose target is on the list already gives
// it its anchor and leaves its place and `via` alone; the best row wins.
void lookups_after_select(const World& world, const State& state, std::span<const BridgeRow> rows, Menu& menu) {
  LookupList list(world, state, world.config.lookups_after_select, menu);
  const SentenceId selected = state.selected.back();
  for (const EntityId e : world.graph.entities(selected)) list.offer(e, selected, kNoEntity);
  for (const BridgeRow& row : rows) {
    if (Action* listed = list.find(row.target)) {
      if (listed->anchor == kNoEntity) listed->anchor = row.source;
    } else {
      list.offer(row.target, kNoSentence, row.source);
    }
  }
}

void lookups_of_visible(const World& world, const State& state, Menu& menu) {
  LookupList list(world, state, world.config.lookups_otherwise, menu);
  for (const VisibleSentence& visible : state.visible) {
    for (const EntityId e : world.graph.entities(visible.sentence)) list.offer(e, visible.sentence, kNoEntity);
  }
}

bool is_over(const State& state) { return state.ended || state.truncated; }
bool follows_select(const State& state) { return state.acted && state.last.kind == ActionKind::kSelect; }

}  // namespace

std::vector<BridgeRow> rows_for_menu(const World& world, const Question& question, const State& state) {
  return follows_select(state) && !is_over(state) ? bridge_rows(world, question, state) : std::vector<BridgeRow>{};
}

Menu make_menu(const World& world, const State& state, std::span<const BridgeRow> rows) {
  Menu menu;
  if (is_over(state)) return menu;
  for (const ActionKind kind : {ActionKind::kSelect, ActionKind::kAnswerWith}) {
    for (const VisibleSentence& visible : state.visible) {
      if (std::find(state.selected.begin(), state.selected.end(), visible.sentence) == state.selected.end()) {
        menu.push_back({kind, index(visible.sentence)});
      }
    }
  }
  if (follows_select(state)) {
    lookups_after_select(world, state, rows, menu);
  } else {
    lookups_of_visible(world, state, menu);
  }
  // Not directly after the first view, unless it found nothing: then giving up is all there is.
  if (state.acted || menu.empty()) menu.push_back({ActionKind::kAnswer});
  return menu;
}

}  // namespace harnessg
