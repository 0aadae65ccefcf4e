// The Select that harvests the answer.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/trace.h"

namespace harnessg {

// Position in trace.steps of the first Select whose sentence holds a gold answer: the alphanumeric tokens of an alias
// (data/text.h), one after another. nullopt when there is none. What was merely seen is not evidence yet.
std::optional<std::size_t> harvesting_select(const Trace& trace);

}  // namespace harnessg
