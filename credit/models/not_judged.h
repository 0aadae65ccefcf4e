// What a model that judges could not say, and why. Never stands for 0 or 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace harnessg {

enum class NotJudgedReason : std::uint8_t {
  kUnavailable,  // the model or its server could not be reached
  kTimedOut,     // it was, and took longer than its limit
  kBadReply,     // the server answered something else than a completion
  kUnreadable,   // the model answered, twice, something else than was asked
};
std::string_view reason_name(NotJudgedReason reason);  // "unavailable", "timed_out", "bad_reply", "unreadable"

// The message is one sentence for a person.
struct NotJudged {
  NotJudgedReason reason = NotJudgedReason::kUnavailable;
  std::string message;

  friend bool operator==(const NotJudged&, const NotJudged&) = default;
};

template <class T>
using Judged = tl::expected<T, NotJudged>;

}  // namespace harnessg
