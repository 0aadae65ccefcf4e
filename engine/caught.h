// What libraries throw, as errors: in a worker thread nobody could catch it.
#pragma once

#include <exception>

#include "data/result.h"

namespace harnessg {

// work(), or kInternal with the message of what it threw.
template <class Work>
auto caught(Work work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, "a batch of episodes failed: {}", error.what());
  }
}

}  // namespace harnessg
