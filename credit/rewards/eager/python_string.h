// Python's string literals, as models write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace harnessg::eager {

enum class StringFault : std::uint8_t {
  kNone,
  kUnterminated,  // the text ends first
  kLineBreak,     // an ordinary (not triple-quoted) string meets the end of its line
  kEscape,        // \x, \u or \U without its digits, \N, or half a surrogate pair
};

struct StringLiteral {
  std::string value;    // UTF-8; meaningless after a fault
  std::size_t end = 0;  // offset behind the literal; after a fault, where it went wrong
  StringFault fault = StringFault::kNone;
};

// Whether a literal begins at `at`: a single, double or triple quote, or one with the prefix r, R, u or U.
bool begins_string(std::string_view text, std::size_t at);

// Reads the literal that begins at `at` of valid UTF-8. Escapes are Python's, but for \N{...}; unknown ones keep
// their backslash; two \u escapes that are a surrogate pair are one character, as in JSON. One pass.
StringLiteral read_string(std::string_view text, std::size_t at);

// A double-quoted literal that reads as `value`; characters other than quotes, backslashes and controls stay.
std::string quote(std::string_view value);

}  // namespace harnessg::eager
