// How a sub-command takes part in the command line.
#pragma once

#include <functional>

#include "data/result.h"

namespace harnessg {

// What a parsed command line asks for: set by the sub-command that was named, run by main once nothing can be wrong
// about the call. ErrorCode::kInvalidArgument means that the call was wrong after all (exit status 2); every other
// error that the work failed (1).
using Work = std::function<Status()>;

}  // namespace harnessg
