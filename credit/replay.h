// From a trace back to the episodes it passed through, so that something else can be tried there.
#pragma once

#include <cstddef>
#include <vector>

#include "data/result.h"
#include "engine/environment.h"
#include "engine/trace.h"

namespace harnessg {

// The state in which a step was taken.
struct StateBefore {
  std::size_t step = 0;  // position in trace.steps
  Episode episode;
};

// The states before all steps but the first view, in order; none when there is only that. kWrongIndex: the trace was
// recorded on another index or by other settings, or plays differently here; the environment's own errors otherwise.
Result<std::vector<StateBefore>> states_before(const Environment& environment, const Trace& trace);

// The configuration that a trace was played by, from its settings. kInvalidArgument for a profile or a setting that
// this engine does not have.
Result<Config> config_of(const Trace& trace);

// kWrongIndex with the two content hashes when they differ.
Status check_same_index(const Index& index, const Trace& trace);
// The same, kWrongIndex with the first setting that differs, and kInvalidArgument for a trace played by free text.
Status check_same_world(const Environment& environment, const Trace& trace);

}  // namespace harnessg
