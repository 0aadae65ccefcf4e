// The rules: what may be done in a state, and what it would show. Pure functions of (world, question, state).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/graph.h"
#include "data/relevance.h"
#include "menu/bridge_row.h"
#include "menu/config.h"
#include "menu/state.h"

namespace harnessg {

class EntityFacts;
class NameTable;

// What the rules look at besides question and state. Refers to an open index and its configuration.
struct World {
  const Graph& graph;
  const Relevance& relevance;
  const Config& config;
  const EntityFacts* facts = nullptr;  // of the same graph and configuration; null: nothing is remembered
  const NameTable* names = nullptr;    // of the same graph; null only where the configuration asks for no names
};

// The menu in a state (spec 1, section 4; section 12 for the levers of profile `default`): Select for each visible
// sentence not selected, AnswerWith for the same, lookups, Answer unless this is the first view. Empty once the episode
// has ended or is truncated. `rows` are rows_for_menu() of the state. `query` is what lookups made in this state would
// be ranked by; it is read only where config.order_by_novelty is set.
Menu make_menu(const World& world, const Question& question, const State& state, std::span<const BridgeRow> rows,
               const Query& query);

// The bridge rows (bridge.h) that the state's menu and observation are made with: those of the sentence just selected
// directly after a Select, none otherwise.
BridgeRows rows_for_menu(const World& world, const Question& question, const State& state);

}  // namespace harnessg
