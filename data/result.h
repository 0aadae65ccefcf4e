// Errors as values: a result, or a code and one sentence.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace harnessg {

enum class ErrorCode : std::uint8_t {
  kInvalidArgument,     // the call is wrong: a setting out of range, an option that does not exist
  kBadInput,            // data given by the user is wrong: a corpus line, a matrix, a question
  kNotFound,            // a file, a folder, a paragraph that is not there
  kAlreadyExists,       // the output is in the way
  kWrongIndex,          // a saved episode or an embedder that belongs to another index
  kCorrupt,             // bytes on disk are not what was written
  kUnsupportedVersion,  // written by a newer tool
  kUnavailable,         // not compiled in, model or device missing
  kIo,                  // the operating system said no: permissions, disk full
  kEnded,               // the episode is over
  kInternal,            // a broken promise of ours
};

// The message is one sentence for a person: what, where (file:line where there is one) and how to mend it.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// return fail(ErrorCode::kBadInput, "{}:{}: no \"text\"; add one or remove the record", file, line);
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace harnessg

// Returns from the enclosing function when `expression` (a Result or Status) holds an error.
#define HARNESSG_RETURN_IF_ERROR(expression)                                        \
  do {                                                                              \
    if (auto harnessg_status = (expression); !harnessg_status)                      \
      return tl::unexpected<::harnessg::Error>(std::move(harnessg_status).error()); \
  } while (false)

// HARNESSG_ASSIGN(auto lines, LineReader::open(path)); declares `lines`, or returns the error.
#define HARNESSG_ASSIGN(declaration, expression) \
  HARNESSG_ASSIGN_IMPL(HARNESSG_JOIN(harnessg_result_, __LINE__), declaration, expression)
#define HARNESSG_ASSIGN_IMPL(result, declaration, expression)                       \
  auto result = (expression);                                                       \
  if (!result) return tl::unexpected<::harnessg::Error>(std::move(result).error()); \
  declaration = std::move(*result)
#define HARNESSG_JOIN(a, b) HARNESSG_JOIN_IMPL(a, b)
#define HARNESSG_JOIN_IMPL(a, b) a##b
