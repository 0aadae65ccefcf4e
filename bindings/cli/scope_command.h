// `harnessg scope`: SCOPE's self-play loop with the stand-ins.
#pragma once

#include <CLI/App.hpp>

#include "bindings/cli/command.h"

namespace harnessg {

// Adds the sub-command; `work` is set when it is the one named, and must outlive `app`'s parsing.
void add_scope_command(CLI::App& app, Work& work);

}  // namespace harnessg
