// `harnessg bench`: what can be found in an environment, what is found, and whether it collapses.
#pragma once

#include "bindings/cli/command.h"

namespace CLI {
class App;
}

namespace harnessg {

// Adds the command and its `compare`; `work` is set when it was named.
void add_bench_command(CLI::App& app, Work& work);

}  // namespace harnessg
