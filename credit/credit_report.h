// Step credit for people and programs to read (docs/credit.md).
#pragma once

#include <string>

#include "credit/snc.h"
#include "engine/trace.h"

namespace harnessg {

// One line of JSON: same trace and credit, same bytes. Keys are described in docs/credit.md. Precondition of both
// functions: `credit` is of `trace`.
std::string credit_json(const Trace& trace, const EpisodeCredit& credit);

// Some lines of text: per step what had been seen, the gain of the action taken and of each alternative, the steps it
// builds on and those that build on it. Ends with a line break.
std::string explain_credit(const Trace& trace, const EpisodeCredit& credit);

}  // namespace harnessg
