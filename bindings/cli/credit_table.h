// Step credit as a table for a terminal.
#pragma once

#include <string>
#include <string_view>

#include "credit/rollout.h"
#include "credit/snc.h"
#include "engine/trace.h"

namespace harnessg {

// The line above a trace's rows: place, question, seed.
std::string trace_heading(std::string_view place, const Trace& trace);

// One row a step. Precondition: `credit` is of `trace` and was scored.
std::string snc_table(const Trace& trace, const EpisodeCredit& credit);
std::string rollout_table(const Trace& trace, const EpisodeRollout& credit);

}  // namespace harnessg
