// What this program was built from and runs with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace harnessg {

// Whether the MiniLM sentence encoder was compiled in.
bool has_encoder();

// Library name and version, in a fixed order; oneTBB's is that of the library loaded, which OpenVINO may bring.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace harnessg
