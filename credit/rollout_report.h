// Rollout credit for people and programs to read (docs/credit.md).
#pragma once

#include <string>

#include "credit/rollout.h"
#include "engine/trace.h"

namespace harnessg {

// One line of JSON: same trace and credit, same bytes. Keys are described in docs/credit.md. Precondition of both
// functions: `credit` is of `trace`.
std::string rollout_json(const Trace& trace, const EpisodeRollout& credit);

// Some lines of text: per step the value of the action taken and of each alternative. Ends with a line break.
std::string explain_rollout(const Trace& trace, const EpisodeRollout& credit);

}  // namespace harnessg
