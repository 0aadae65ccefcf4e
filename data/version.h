#pragma once

namespace harnessg {

// Of the engine; recorded in manifests and traces.
inline constexpr char kToolVersion[] = "0.1.0";

}  // namespace harnessg
