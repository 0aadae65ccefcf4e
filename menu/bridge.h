// Bridge candidates: entities one structural step away from the sentence just selected (spec 1, sections 3 and 11.2).
#pragma once

#include "menu/menu.h"

namespace harnessg {

// The config.bridge_rows best rows from the entities of the last selected sentence; ties: source id, then target id.
// Empty when nothing is selected.
BridgeRows bridge_rows(const World& world, const Question& question, const State& state);

}  // namespace harnessg
