// Plays an episode again and writes down what it did.
#pragma once

#include <functional>
#include <span>

#include "data/result.h"
#include "engine/trace.h"
#include "menu/menu.h"
#include "menu/transition.h"

namespace harnessg {

// How an episode is played again; each may fail: a model that does not answer.
struct Replay {
  // What lookups of some entities show in a state, one view each.
  std::function<Status(const State&, std::span<const EntityId>, std::span<RankedView>)> lookup_views;
  // advance() with the view of a lookup.
  std::function<Result<Transition>(const State&, const Menu&, std::size_t position, const RankedView*)> advance;
};

// Fills the trace's steps, outcome, question and node tables by replaying `state.history` from the first view; with the
// SNC frontier of every lookup when trace.with_frontier is set. Errors are those of `replay`; kCorrupt when the history
// does not fit the graph.
Status record_steps(const World& world, const Question& question, const State& state, const Replay& replay,
                    Trace& trace);

// Fills the trace's tables of sentences and entities anew with every node that its steps name.
void name_nodes(const Graph& graph, Trace& trace);

}  // namespace harnessg
