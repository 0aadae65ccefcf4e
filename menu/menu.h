// The rules: what may be done in a state, and what it would show. Pure functions of (world, question, state).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/graph.h"
#include "data/relevance.h"
#include "menu/config.h"
#include "menu/state.h"

namespace harnessg {

// What the rules look at besides question and state. Refers to an open index and its configuration.
struct World {
  const Graph& graph;
  const Relevance& relevance;
  const Config& config;
};

struct BridgeRow;

// The menu in a state (spec 1, section 4): Select for each visible sentence not selected, AnswerWith for the same,
// lookups, Answer unless this is the first view. Empty once the episode has ended or is truncated. `rows` are
// rows_for_menu() of the state.
Menu make_menu(const World& world, const State& state, std::span<const BridgeRow> rows);

// The bridge rows (bridge.h) that the state's menu and observation are made with: those of the sentence just selected
// directly after a Select, none otherwise.
std::vector<BridgeRow> rows_for_menu(const World& world, const Question& question, const State& state);

}  // namespace harnessg
