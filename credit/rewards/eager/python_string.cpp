#include "credit/rewards/eager/python_string.h"

#include <fmt/format.h>

#include <optional>

#include "credit/rewards/eager/code_points.h"

namespace harnessg::eager {
namespace {

bool is_quote(char c) { return c == '"' || c == '\''; }

std::optional<std::uint32_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return std::nullopt;
}

class LiteralReader {
 public:
  LiteralReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  StringLiteral read() {
    if (!is_quote(text_[at_])) raw_ = (text_[at_++] | 0x20) == 'r';
    quote_ = text_[at_];
    triple_ = text_.substr(at_, 3).size() == 3 && text_[at_ + 1] == quote_ && text_[at_ + 2] == quote_;
    at_ += triple_ ? 3 : 1;
    while (!closed()) {
      if (!take()) return {std::move(value_), at_, fault_};
    }
    return {std::move(value_), at_, StringFault::kNone};
  }

 private:
  bool failed(StringFault fault) {
    fault_ = fault;
    return false;
  }

  bool closed() {
    if (at_ >= text_.size() || text_[at_] != quote_) return false;
    if (!triple_) return ++at_, true;
    if (text_.size() - at_ < 3 || text_[at_ + 1] != quote_ || text_[at_ + 2] != quote_) return false;
    at_ += 3;
    return true;
  }

  // One run of plain characters, or one special one.
  bool take() {
    if (at_ >= text_.size()) return failed(StringFault::kUnterminated);
    const char c = text_[at_];
    if (c == '\n' && !triple_) return failed(StringFault::kLineBreak);
    if (c == '\\') return escape();
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote_ && text_[at_] != '\\' && text_[at_] != '\n') ++at_;
    value_ += text_.substr(begin, at_ - begin);
    return true;
  }

  bool escape() {
    if (at_ + 1 >= text_.size()) return at_ = text_.size(), failed(StringFault::kUnterminated);
    const char c = text_[at_ + 1];
    if (raw_) return keep(c);
    switch (c) {
      case 'x':
        return hex(2);
      case 'u':
        return hex(4);
      case 'U':
        return hex(8);
      case 'N':
        return failed(StringFault::kEscape);
      case '\n':
        return at_ += 2, true;
      default:
        break;
    }
    if (c >= '0' && c <= '7') return octal();
    static constexpr std::string_view kFrom = "\\'\"abfnrtv";
    static constexpr std::string_view kTo = "\\'\"\a\b\f\n\r\t\v";
    const std::size_t simple = kFrom.find(c);
    if (simple == std::string_view::npos) return keep(c);
    value_ += kTo[simple];
    at_ += 2;
    return true;
  }

  // A backslash that stands for itself. What follows is plain text, but for a quote in a raw string, which it guards.
  bool keep(char next) {
    value_ += '\\';
    ++at_;
    if (next == '\n' && !triple_) return failed(StringFault::kLineBreak);
    if (raw_ && (is_quote(next) || next == '\\')) value_ += text_[at_++];
    return true;
  }

  bool octal() {
    std::uint32_t code = 0;
    ++at_;
    for (int digits = 0; digits < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++digits) {
      code = code * 8 + static_cast<std::uint32_t>(text_[at_++] - '0');
    }
    append_utf8(value_, code);
    return true;
  }

  std::optional<std::uint32_t> hex_number(std::size_t from, std::size_t digits) const {
    std::uint32_t code = 0;
    if (text_.size() < from || text_.size() - from < digits) return std::nullopt;
    for (std::size_t i = 0; i < digits; ++i) {
      const auto digit = hex_digit(text_[from + i]);
      if (!digit) return std::nullopt;
      code = code * 16 + *digit;
    }
    return code;
  }

  bool hex(std::size_t digits) {
    auto code = hex_number(at_ + 2, digits);
    if (!code || *code > 0x10FFFF || (*code >= 0xDC00 && *code <= 0xDFFF)) return failed(StringFault::kEscape);
    std::size_t length = 2 + digits;
    if (*code >= 0xD800 && *code <= 0xDBFF) {
      const bool escaped = text_.substr(at_ + length, 2) == "\\u";
      const auto low = escaped ? hex_number(at_ + length + 2, 4) : std::nullopt;
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return failed(StringFault::kEscape);
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
      length += 6;
    }
    append_utf8(value_, *code);
    at_ += length;
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  char quote_ = '"';
  bool triple_ = false;
  bool raw_ = false;
  std::string value_;
  StringFault fault_ = StringFault::kNone;
};

}  // namespace

bool begins_string(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  if (is_quote(text[at])) return true;
  const char prefix = static_cast<char>(text[at] | 0x20);
  return (prefix == 'r' || prefix == 'u') && at + 1 < text.size() && is_quote(text[at + 1]);
}

StringLiteral read_string(std::string_view text, std::size_t at) { return LiteralReader(text, at).read(); }

std::string quote(std::string_view value) {
  std::string result = "\"";
  for (const char c : value) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20u || c == 0x7F) {
          result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

}  // namespace harnessg::eager
