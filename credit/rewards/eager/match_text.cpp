#include "credit/rewards/eager/match_text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstring>

#include "credit/rewards/eager/code_points.h"

namespace harnessg::eager {
namespace {

// Behind digits they belong to the number: ten, hundred, thousand, ten thousand, hundred million, 10^12, 10^16.
bool is_multiplier(UChar32 c) {
  static constexpr std::u32string_view kMultipliers = U"십백천만억조경十百千万萬億亿兆京";
  return kMultipliers.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

bool begins_unit(UChar32 c) { return u_isalpha(c) || c == '%' || c == 0xB0 || u_charType(c) == U_CURRENCY_SYMBOL; }

bool has_width(UChar32 c) {
  const int type = u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE);
  return type == U_DT_WIDE || type == U_DT_NARROW;
}

class FormWriter {
 public:
  explicit FormWriter(const MatchOptions& options) : options_(options) {}

  void space() { pending_ = !form_.empty(); }

  // Returns where the character's own bytes begin in the form.
  std::size_t character(UChar32 c) {
    if (options_.width && has_width(c)) c = plain(c);
    const bool spaced = pending_ && !(options_.number_spacing && in_number_ && begins_unit(c));
    if (spaced) {
      form_ += ' ';
      last_ = ' ';
    }
    pending_ = false;
    in_number_ = u_isdigit(c) || (in_number_ && !spaced && is_multiplier(c));
    if (const UChar32 whole = options_.width ? compose(last_, c) : U_SENTINEL; whole >= 0) {
      form_.resize(last_begin_);
      c = whole;
    }
    last_begin_ = form_.size();
    append_utf8(form_, static_cast<std::uint32_t>(c));
    last_ = c;
    return last_begin_;
  }

  std::string& form() { return form_; }

 private:
  static const icu::Normalizer2* normalizer(bool compatible) {
    UErrorCode error = U_ZERO_ERROR;
    return compatible ? icu::Normalizer2::getNFKCInstance(error) : icu::Normalizer2::getNFCInstance(error);
  }

  static UChar32 plain(UChar32 c) {
    UErrorCode error = U_ZERO_ERROR;
    const icu::UnicodeString folded = normalizer(true)->normalize(icu::UnicodeString(c), error);
    return U_SUCCESS(error) && folded.countChar32() == 1 ? folded.char32At(0) : c;
  }

  // Half-width sound marks stand behind their letter.
  static UChar32 compose(UChar32 before, UChar32 mark) {
    return mark == 0x3099 || mark == 0x309A ? normalizer(false)->composePair(before, mark) : U_SENTINEL;
  }

  const MatchOptions& options_;
  std::string form_;
  std::size_t last_begin_ = 0;
  UChar32 last_ = ' ';
  bool pending_ = false;
  bool in_number_ = false;
};

// Calls `visit(begin, end, code point)` for every character.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const UChar32 c = next_code_point(text, at);
    visit(begin, at, c);
  }
}

}  // namespace

std::string match_form(std::string_view text, const MatchOptions& options) {
  if (is_match_form(text, options)) return std::string(text);
  FormWriter writer(options);
  for_each_character(text, [&](std::size_t, std::size_t, UChar32 c) {
    u_isUWhiteSpace(c) ? writer.space() : static_cast<void>(writer.character(c));
  });
  return std::move(writer.form());
}

bool is_match_form(std::string_view text, const MatchOptions& options) {
  char before = ' ';
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (static_cast<unsigned char>(c) >= 0x80u || (c >= '\t' && c <= '\r') || (c == ' ' && before == ' ')) return false;
    if (options.number_spacing && digit) return false;
    before = c;
  }
  return text.empty() || before != ' ';
}

MatchText::MatchText(std::string_view text, const MatchOptions& options) {
  if (is_match_form(text, options)) {
    form_ = text;
    return;
  }
  FormWriter writer(options);
  begins_.resize(text.size() + 1);
  ends_.resize(text.size() + 1);
  for_each_character(text, [&](std::size_t begin, std::size_t end, UChar32 c) {
    std::size_t at = writer.form().size();
    u_isUWhiteSpace(c) ? writer.space() : static_cast<void>(at = writer.character(c));
    begins_[begin] = static_cast<std::uint32_t>(at);
    ends_[end] = static_cast<std::uint32_t>(writer.form().size());
  });
  form_ = std::move(writer.form());
  begins_[text.size()] = static_cast<std::uint32_t>(form_.size());
  if (form_ != text) return;
  begins_.clear();
  ends_.clear();
}

std::pair<std::size_t, std::size_t> MatchText::range(std::size_t begin, std::size_t end) const {
  if (begins_.empty()) return {begin, end};
  return {begins_[begin], ends_[end]};
}

std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
  if (needle.empty() || from >= text.size()) return std::string_view::npos;
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
}

}  // namespace harnessg::eager
