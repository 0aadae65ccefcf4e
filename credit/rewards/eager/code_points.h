// Code points and bytes of valid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace harnessg::eager {

inline constexpr bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }

inline std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += begins_code_point(byte) ? 1 : 0;
  return count;
}

// The byte offset `count` code points after the byte offset `from`; npos when the text ends before.
inline std::size_t byte_offset(std::string_view text, std::size_t from, std::size_t count) {
  std::size_t at = from;
  for (; count > 0; --count) {
    if (at >= text.size()) return std::string_view::npos;
    for (++at; at < text.size() && !begins_code_point(text[at]);) ++at;
  }
  return at;
}

// The code point at `at`, which moves behind it.
inline std::int32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  std::uint32_t c = byte(at);
  const std::size_t more = c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
  if (more > 0) c &= 0x3Fu >> more;
  for (std::size_t i = 1; i <= more; ++i) c = (c << 6) | (byte(at + i) & 0x3Fu);
  at += 1 + more;
  return static_cast<std::int32_t>(c);
}

// `c` is a scalar value: no surrogate.
inline void append_utf8(std::string& out, std::uint32_t c) {
  const auto push = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return push(c);
  if (c < 0x800) {
    push(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    push(0xE0 | (c >> 12));
    push(0x80 | ((c >> 6) & 0x3F));
  } else {
    push(0xF0 | (c >> 18));
    push(0x80 | ((c >> 12) & 0x3F));
    push(0x80 | ((c >> 6) & 0x3F));
  }
  push(0x80 | (c & 0x3F));
}

}  // namespace harnessg::eager
