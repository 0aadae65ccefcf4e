// How reports name what was done at a step.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace.h"

namespace harnessg {

std::string action_id(std::uint32_t position);  // "A3"

// What stands on the menu that the step was taken from: "A3", of a lookup with its entity (`A3 "Thames"`) where the
// trace has it.
std::string action_name(const Trace& trace, const TraceStep& step, std::uint32_t position);

}  // namespace harnessg
