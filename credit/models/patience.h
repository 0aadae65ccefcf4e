// When to stop asking a server that is not there.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <mutex>
#include <optional>

namespace harnessg {

// Counts requests in a row that nobody answered, of whichever thread. `Why` has a `reason` and a `message`.
// Thread-safe.
template <class Why>
class Patience {
 public:
  explicit Patience(std::size_t limit) : limit_(limit) {}

  // What one request brought: why nobody answered, or null where somebody did.
  void heard(const Why* unanswered) {
    const std::lock_guard lock(mutex_);
    failures_ = unanswered != nullptr ? failures_ + 1 : 0;
    if (failures_ < limit_ || lost_) return;
    lost_ = Why{unanswered->reason,
                fmt::format("not asked after {} failures in a row, the last one: {}", failures_, unanswered->message)};
  }
  // Why the rest need not be asked; none as long as it is worth asking.
  std::optional<Why> lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  const std::size_t limit_;  // above 0
  mutable std::mutex mutex_;
  std::size_t failures_ = 0;
  std::optional<Why> lost_;
};

}  // namespace harnessg
