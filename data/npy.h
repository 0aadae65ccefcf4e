// Reads NumPy's .npy files (format versions 1 to 3, numpy.lib.format).
#pragma once

#include <filesystem>

#include "data/embedder.h"
#include "data/result.h"

namespace harnessg {

// A 2-d array of little-endian float32 or float16 in C order; float16 is widened exactly. kNotFound or kIo when it
// cannot be opened, kBadInput naming the file and the mend when it holds something else or is cut short.
Result<Matrix> read_npy(const std::filesystem::path& file);

}  // namespace harnessg
