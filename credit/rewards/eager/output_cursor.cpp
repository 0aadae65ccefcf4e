#include "credit/rewards/eager/output_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "credit/rewards/eager/code_points.h"

namespace harnessg::eager {
namespace {

constexpr std::string_view kFence = "```";

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80u;
}
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

// Bytes of the white-space character (or byte order mark) at `at`; 0 when there is none.
std::size_t space_length(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  if (static_cast<unsigned char>(c) < 0x80u) return 0;
  static constexpr std::array<std::string_view, 9> kOthers = {"\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80",
                                                              "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
                                                              "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
  for (const std::string_view other : kOthers) {
    if (text.substr(at, other.size()) == other) return other.size();
  }
  const bool in_block = text.substr(at, 2) == "\xE2\x80" && static_cast<unsigned char>(text[at + 2]) <= 0x8Au;
  return in_block ? 3 : 0;
}

}  // namespace

void OutputCursor::skip_space() {
  while (at_ < text_.size()) {
    if (const std::size_t length = space_length(text_, at_)) {
      at_ += length;
    } else if (text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

void OutputCursor::enter_fence() {
  skip_space();
  skip_assignment();
  const bool is_list = !at_end() && peek() == '[';
  at_ = 0;
  if (is_list) return;
  std::size_t fence = text_.find(kFence);
  while (fence != std::string_view::npos) {
    const std::size_t line = text_.substr(0, fence).rfind('\n') + 1;  // npos + 1 is 0
    if (text_.substr(line, fence - line).find_first_not_of(" \t") == std::string_view::npos) break;
    fence = text_.find(kFence, std::min(text_.find('\n', fence), text_.size()));
  }
  if (fence == std::string_view::npos) return;
  at_ = fence + kFence.size();
  take_while([](char c) { return c == '`'; });
  take_while([](char c) { return continues_name(c) || c == '+' || c == '-'; });
  fenced_ = true;
}

bool OutputCursor::leave_fence() {
  skip_space();
  return at_end() || (fenced_ && text_.substr(at_, kFence.size()) == kFence);
}

void OutputCursor::skip_assignment() {
  if (!take_keyword().empty()) skip_space();
}

std::string_view OutputCursor::take_name() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && begins_name(text_[at_]) && space_length(text_, at_) == 0) {
    while (at_ < text_.size() && continues_name(text_[at_]) && space_length(text_, at_) == 0) ++at_;
    if (at_ + 1 >= text_.size() || text_[at_] != '.' || !begins_name(text_[at_ + 1])) break;
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

std::string_view OutputCursor::take_keyword() {
  const std::size_t begin = at_;
  const std::string_view name = take_name();
  skip_space();
  const bool assigns = !name.empty() && !at_end() && text_[at_] == '=' && text_.substr(at_, 2) != "==";
  if (!assigns) return at_ = begin, std::string_view();
  ++at_;
  return name;
}

StringLiteral OutputCursor::take_string() {
  StringLiteral literal = read_string(text_, at_);
  at_ = literal.end;
  return literal;
}

ParseFailure OutputCursor::failure(FailureKind kind, std::size_t offset, const std::string& reason) const {
  const std::string_view before = text_.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  ParseFailure result;
  result.kind = kind;
  result.offset = offset;
  result.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  result.column = 1 + count_code_points(before.substr(line_begin));
  result.message = fmt::format("line {}, column {}: {}", result.line, result.column, reason);
  return result;
}

}  // namespace harnessg::eager
