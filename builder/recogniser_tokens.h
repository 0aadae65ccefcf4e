// The words, numbers and marks of a sentence, as the built-in recogniser sees them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace harnessg {

enum class TokenKind : std::uint8_t {
  kWord,      // letters of scripts with case, with their inner apostrophes, hyphens, ampersands and initials' stops
  kNumber,    // digits with inner separators: "1982", "130,851", "3.5"
  kMixed,     // begins with a digit: "18th", "1990s", "2Pac"
  kCaseless,  // a run of letters of a script without case
  kMark,      // one other character
};

struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  TokenKind kind = TokenKind::kMark;
  bool capital = false;       // begins with an upper or title case letter ("al-Qaeda" and "iPhone" count)
  bool spaced = false;        // white space, or nothing at all, stands before it
  bool possessive = false;    // "'s" follows (which is part of no token)
  std::uint32_t classes = 0;  // WordClass bits of the word in small letters
};

std::vector<Token> recogniser_tokens(std::string_view sentence);

}  // namespace harnessg
