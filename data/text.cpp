#include "data/text.h"

#include <fmt/format.h>
#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <memory>

namespace harnessg {
namespace {

constexpr UChar32 kCombiningDotAbove = 0x307;
constexpr UChar32 kSmallSigma = 0x3C3;
constexpr std::string_view kSmallSigmaBytes = "\xCF\x83";
constexpr std::string_view kFinalSigmaBytes = "\xCF\x82";

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii(c); });
}

// The code point at `at`, which moves past it; negative where the bytes are no UTF-8.
UChar32 next_code_point(std::string_view text, std::size_t& at) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  UChar32 c = 0;
  U8_NEXT(bytes, at, text.size(), c);
  return c;
}

std::size_t previous_boundary(std::string_view text, std::size_t end) {
  do {
    --end;
  } while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  return end;
}

// Bytes of the White_Space character at `at`, 0 where there is another one.
std::size_t white_space_length(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_ascii(c)) return c == ' ' || (c >= '\t' && c <= '\r') ? 1 : 0;
  if (c != '\xC2' && (c < '\xE1' || c > '\xE3')) return 0;
  std::size_t end = at;
  return u_isUWhiteSpace(next_code_point(text, end)) ? end - at : 0;
}

bool is_letter_mark_or_digit(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0; }

// Marks that surround a name without being of it: all punctuation, but of ASCII only sentence marks, brackets and
// quotation marks, so that "C#", "100%" and "Kyung-" stay as they are.
bool is_surrounding(UChar32 c) {
  if (c < 0x80)
    return c > 0 && std::string_view("\"'`.,:;!?()[]{}").find(static_cast<char>(c)) != std::string_view::npos;
  return u_ispunct(c) || c == 0xB4;  // acute accent in the place of a quotation mark
}

std::string_view strip_surrounding(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t next = begin;
    const UChar32 c = next_code_point(text, next);
    if (!is_surrounding(c) && !u_isUWhiteSpace(c)) break;
    begin = next;
  }
  std::size_t end = text.size();
  while (end > begin) {
    const std::size_t last = previous_boundary(text, end);
    std::size_t next = last;
    const UChar32 c = next_code_point(text, next);
    if (!is_surrounding(c) && !u_isUWhiteSpace(c)) break;
    end = last;
  }
  return text.substr(begin, end - begin);
}

// Full case folding makes every sigma a medial one; names keep the final one where a word ends.
void restore_final_sigma(std::string& folded) {
  for (std::size_t at = folded.find(kSmallSigmaBytes); at != std::string::npos;
       at = folded.find(kSmallSigmaBytes, at + kSmallSigmaBytes.size())) {
    const std::size_t end = at + kSmallSigmaBytes.size();
    std::size_t before = at == 0 ? 0 : previous_boundary(folded, at);
    std::size_t after = end;
    const bool in_word = at > 0 && is_letter_mark_or_digit(next_code_point(folded, before));
    const bool ends_word = end == folded.size() || !is_letter_mark_or_digit(next_code_point(folded, after));
    if (in_word && ends_word) folded.replace(at, kSmallSigmaBytes.size(), kFinalSigmaBytes);
  }
}

std::string fold_name_case(std::string_view text) {
  std::string folded = fold_case(text);
  restore_final_sigma(folded);
  return folded;
}

std::string join_words(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (const std::string_view word : split_words(text)) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

bool is_space_folded(std::string_view text) {
  bool after_space = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = white_space_length(text, at);
    if (length > 0 && (after_space || text[at] != ' ')) return false;
    after_space = length > 0;
  }
  return text.empty() || !after_space;
}

// Whether the dot that folding "İ" leaves behind ends a token: in keys it does, as recorded ("i stanbul").
enum class DotOfI : bool { kInside, kEndsToken };

// Calls use(token) for each maximal run of letters, marks and digits.
template <class Use>
void for_each_token(std::string_view folded, DotOfI dot, const Use& use) {
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t start = at;
    const char first = folded[at];
    bool word = false;
    if (is_ascii(first)) {
      word = is_ascii_letter(first) || is_ascii_digit(first);
      ++at;
    } else {
      const UChar32 c = next_code_point(folded, at);
      const bool is_dot = c == kCombiningDotAbove && start > 0 && folded[start - 1] == 'i';
      word = is_letter_mark_or_digit(c) && !(is_dot && dot == DotOfI::kEndsToken);
    }
    if (!word && inside) use(folded.substr(begin, start - begin));
    if (word && !inside) begin = start;
    inside = word;
  }
  if (inside) use(folded.substr(begin));
}

// Making a break iterator takes 0.3 ms: one a thread, for good.
icu::BreakIterator& thread_word_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode error = U_ZERO_ERROR;
    return std::unique_ptr<icu::BreakIterator>(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  }();
  return *iterator;
}

// Calls use(word) for each ICU word, white space and punctuation among them.
template <class Use>
void for_each_word(std::string_view folded, const Use& use) {
  UErrorCode error = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, folded.data(), static_cast<std::int64_t>(folded.size()), &error);
  icu::BreakIterator& words = thread_word_iterator();
  words.setText(&source, error);
  auto begin = static_cast<std::size_t>(words.first());
  for (std::int32_t end = words.next(); end != icu::BreakIterator::DONE; end = words.next()) {
    use(folded.substr(begin, static_cast<std::size_t>(end) - begin));
    begin = static_cast<std::size_t>(end);
  }
  utext_close(&source);
}

}  // namespace

std::string text_rules_version() { return fmt::format("1 (ICU {}, Unicode {})", U_ICU_VERSION, U_UNICODE_VERSION); }

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    if (is_ascii(text[at])) {
      ++at;
    } else if (next_code_point(text, at) < 0) {
      return start;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> split_words(std::string_view text, std::size_t most) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size() && words.size() < most;) {
    const std::size_t space = white_space_length(text, at);
    if (space == 0) {
      ++at;
      continue;
    }
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    at += space;
    begin = at;
  }
  if (begin < text.size() && words.size() < most) words.push_back(text.substr(begin));
  return words;
}

std::string_view trim_space(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t length = white_space_length(text, begin);
    if (length == 0) break;
    begin += length;
  }
  text.remove_prefix(begin);
  // A white space takes one to three bytes, and none is the end of a longer character.
  for (bool found = true; found && !text.empty();) {
    found = false;
    for (std::size_t length = 1; length <= std::min<std::size_t>(3, text.size()) && !found; ++length) {
      found = white_space_length(text, text.size() - length) == length;
      if (found) text.remove_suffix(length);
    }
  }
  return text;
}

std::string fold_space(std::string_view text) { return is_space_folded(text) ? std::string(text) : join_words(text); }

std::string fold_case(std::string_view text) {
  std::string folded;
  if (is_ascii(text)) {
    folded.resize(text.size());
    std::transform(text.begin(), text.end(), folded.begin(), ascii_lower);
    return folded;
  }
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2& rules = *icu::Normalizer2::getNFKCCasefoldInstance(error);
  folded.reserve(text.size());
  icu::StringByteSink<std::string> sink(&folded);
  const icu::StringPiece source(text.data(), static_cast<std::int32_t>(text.size()));
  rules.normalizeUTF8(0, source, sink, nullptr, error);
  return folded;
}

std::string canonical_form(std::string_view surface) {
  const std::string_view name = strip_surrounding(surface);
  return name.empty() ? fold_space(surface) : fold_space(fold_name_case(name));
}

std::vector<std::string> alphanumeric_tokens(std::string_view text) {
  std::vector<std::string> tokens;
  for_each_token(fold_name_case(text), DotOfI::kEndsToken,
                 [&tokens](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

std::string identity_key(std::string_view surface) {
  std::string key;
  for_each_token(fold_name_case(surface), DotOfI::kEndsToken, [&key](std::string_view token) {
    if (!key.empty()) key += ' ';
    key += token;
  });
  return key.empty() ? canonical_form(surface) : key;
}

std::vector<std::string> lexical_terms(std::string_view text) {
  const std::string folded = fold_case(text);
  std::vector<std::string> terms;
  const auto use = [&terms](std::string_view term) { terms.emplace_back(term); };
  // ICU breaks no run of ASCII letters and digits, so its words are not needed to find those.
  if (is_ascii(folded)) {
    for_each_token(folded, DotOfI::kInside, use);
  } else {
    for_each_word(folded, [&use](std::string_view word) { for_each_token(word, DotOfI::kInside, use); });
  }
  return terms;
}

}  // namespace harnessg
