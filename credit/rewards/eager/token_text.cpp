#include "credit/rewards/eager/token_text.h"

#include <unicode/uchar.h>

#include "credit/rewards/eager/code_points.h"

namespace harnessg::eager {

std::optional<Mention> TokenText::mention(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > spans.size()) return std::nullopt;
  const Span span{spans[begin].begin, spans[end - 1].end};
  const auto piece = slice(text, span);
  if (!piece) return std::nullopt;
  return Mention{std::string(*piece), span};
}

TokenText join_tokens(const std::vector<std::string>& tokens) {
  TokenText result;
  std::size_t at = 0;
  for (const std::string& token : tokens) {
    if (!result.spans.empty()) {
      result.text += ' ';
      ++at;
    }
    const std::size_t end = at + count_code_points(token);
    result.spans.push_back({at, end});
    result.text += token;
    at = end;
  }
  return result;
}

std::optional<TokenText> find_tokens(const std::string& text, const std::vector<std::string>& tokens) {
  TokenText result;
  result.text = text;
  std::size_t at = 0;     // in bytes
  std::size_t point = 0;  // in code points
  for (const std::string& token : tokens) {
    while (at < text.size() && text.compare(at, token.size(), token) != 0) {
      if (!u_isUWhiteSpace(next_code_point(text, at))) return std::nullopt;
      ++point;
    }
    if (at + token.size() > text.size()) return std::nullopt;
    const std::size_t end = point + count_code_points(token);
    result.spans.push_back({point, end});
    at += token.size();
    point = end;
  }
  return result;
}

}  // namespace harnessg::eager
