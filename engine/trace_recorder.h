// Plays an episode again and writes down what it did.
#pragma once

#include <functional>
#include <string>

#include "data/result.h"
#include "engine/trace.h"
#include "menu/menu.h"

namespace harnessg {

// Fills the trace's steps, outcome, question and node tables by replaying `state.history` from the first view; with the
// SNC frontier of every lookup when trace.with_frontier is set. `encode` gives the query of a text (it may fail: a
// model that does not answer); kCorrupt when the history does not fit the graph.
Status record_steps(const World& world, const Question& question, const State& state,
                    const std::function<Result<Query>(const std::string&)>& encode, Trace& trace);

}  // namespace harnessg
