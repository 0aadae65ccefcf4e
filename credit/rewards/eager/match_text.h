// The form in which mentions are compared with a text and with each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harnessg::eager {

// What does not count as a difference, besides the kind and amount of white space.
struct MatchOptions {
  // Spaces between a number and its unit: "2 조 원", "2조 원" and "2조원" are one. A number is a run of digits with the
  // Chinese and Korean multipliers behind it; a unit begins with a letter, a currency sign, "%" or a degree sign.
  bool number_spacing = false;
  // Full-width and half-width forms: "２０" and "20", "ｶﾞ" and "ガ".
  bool width = false;

  friend bool operator==(const MatchOptions&, const MatchOptions&) = default;
};

// Runs of white space as one space, none at the ends, and what the options say. `text` is valid UTF-8.
std::string match_form(std::string_view text, const MatchOptions& options);

// Whether match_form would surely return `text` itself; false when it has to be asked.
bool is_match_form(std::string_view text, const MatchOptions& options);

// A text in its form, with where its bytes went.
class MatchText {
 public:
  MatchText() = default;
  MatchText(std::string_view text, const MatchOptions& options);

  const std::string& form() const { return form_; }
  // Of the form; the arguments are byte offsets of `text` at which characters begin or which are its end.
  std::pair<std::size_t, std::size_t> range(std::size_t begin, std::size_t end) const;

 private:
  std::string form_;
  std::vector<std::uint32_t> begins_;  // by byte of `text`; empty when the form is the text
  std::vector<std::uint32_t> ends_;
};

// Offset of the first `needle` in `text` at or after `from`, npos without one; an empty needle is nowhere. Linear.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from = 0);

}  // namespace harnessg::eager
