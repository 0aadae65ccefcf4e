// Standard output, written so that a reader who has seen enough ends the command without a complaint.
#pragma once

#include <string_view>

#include "data/result.h"

namespace harnessg {

// Writes the text and flushes it. kIo when that fails; when it fails because the reader closed the pipe,
// output_closed() is true from then on. Needs SIGPIPE to be ignored. One thread.
Status print(std::string_view text);
bool output_closed();

// The same for standard error, where nobody can be told about a failure.
void print_error(std::string_view text);

}  // namespace harnessg
