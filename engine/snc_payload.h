// The SNC payload of a step, as trainers of the published release read it (spec 1, section 6).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/trace.h"

namespace harnessg {

// JSON of one step of a trace recorded with its frontiers: what was selected and seen before, the prompt before, the
// action taken and its alternatives with their prompts. nullopt for steps that have no payload: INIT and blocked turns.
// Ids are written "s_000012" and "e_000034". Precondition: step < trace.steps.size(), trace.with_frontier.
std::optional<std::string> snc_payload(const Trace& trace, std::size_t step);

}  // namespace harnessg
