// Token offsets to code points.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "credit/rewards/eager/events.h"

namespace harnessg::eager {

// A text in tokens: token i covers spans[i].
struct TokenText {
  std::string text;
  std::vector<Span> spans;

  // Of the tokens [begin, end): from the first one's begin to the last one's end; nullopt for an empty or outside
  // range.
  std::optional<Mention> mention(std::size_t begin, std::size_t end) const;
};

// The tokens joined by single spaces.
TokenText join_tokens(const std::vector<std::string>& tokens);

// The tokens where they follow each other in `text`, with nothing but white space skipped; nullopt when they do not.
std::optional<TokenText> find_tokens(const std::string& text, const std::vector<std::string>& tokens);

}  // namespace harnessg::eager
