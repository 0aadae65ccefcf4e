#include "bindings/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace harnessg {
namespace {

bool closed = false;

}  // namespace

Status print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
  const int reason = errno;
  closed = closed || reason == EPIPE;
  return fail(ErrorCode::kIo, "standard output cannot be written: {}", std::generic_category().message(reason));
}

bool output_closed() { return closed; }

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace harnessg
