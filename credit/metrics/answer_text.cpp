#include "credit/metrics/answer_text.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace harnessg::metrics {
namespace {

constexpr std::string_view kAsciiPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr std::array<UChar32, 3> kTriviaQaQuotes = {0x2018, 0x2019, 0xB4};  // the fourth, "`", is ASCII
constexpr UChar32 kZeroWidthNonJoiner = 0x200C;
constexpr UChar32 kZeroWidthJoiner = 0x200D;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Calls use(code point, its bytes) for each code point; bytes that are no UTF-8 come one by one as negative ones.
template <class Use>
void for_each_code_point(std::string_view text, const Use& use) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, text.size(), c);
    use(c, text.substr(begin, at - begin));
  }
}

bool is_ascii_punctuation(UChar32 c) {
  return c > 0 && c < 0x80 && kAsciiPunctuation.find(static_cast<char>(c)) != std::string_view::npos;
}

// What Python's str.split takes for white space.
bool is_space(UChar32 c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// What the boundary \b of the scripts' regular expressions takes for a part of a word.
bool is_word(UChar32 c, AnswerRules rules) {
  if (c < 0) return false;
  if (rules != AnswerRules::kDpr) return c == '_' || (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
  return u_isUAlphabetic(c) || c == kZeroWidthNonJoiner || c == kZeroWidthJoiner ||
         (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}

std::string without_punctuation(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (const char c : text) {
    if (!is_ascii_punctuation(static_cast<unsigned char>(c))) kept += c;
  }
  return kept;
}

std::string blanks_for_punctuation(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for_each_code_point(text, [&kept](UChar32 c, std::string_view bytes) {
    const bool quote = std::find(kTriviaQaQuotes.begin(), kTriviaQaQuotes.end(), c) != kTriviaQaQuotes.end();
    kept += quote || is_ascii_punctuation(c) ? std::string_view(" ") : bytes;
  });
  return kept;
}

bool is_article(std::string_view word) { return word == "a" || word == "an" || word == "the"; }

// A blank in the place of each article.
std::string without_articles(std::string_view text, AnswerRules rules) {
  std::string kept;
  kept.reserve(text.size());
  std::size_t word = std::string::npos;  // where in `kept` the word begins that is not ended yet
  const auto end_word = [&] {
    if (word != std::string::npos && is_article(std::string_view(kept).substr(word)))
      kept.replace(word, kept.size(), " ");
    word = std::string::npos;
  };
  for_each_code_point(text, [&](UChar32 c, std::string_view bytes) {
    if (!is_word(c, rules)) {
      end_word();
    } else if (word == std::string::npos) {
      word = kept.size();
    }
    kept += bytes;
  });
  end_word();
  return kept;
}

std::string join_words(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  bool between = false;
  for_each_code_point(text, [&](UChar32 c, std::string_view bytes) {
    if (is_space(c)) {
      between = !joined.empty();
      return;
    }
    if (between) joined += ' ';
    between = false;
    joined += bytes;
  });
  return joined;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lowered;
  if (is_ascii(text)) {
    lowered.resize(text.size());
    std::transform(text.begin(), text.end(), lowered.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lowered;
  }
  lowered.reserve(text.size());
  icu::StringByteSink<std::string> sink(&lowered);
  UErrorCode error = U_ZERO_ERROR;
  const icu::StringPiece source(text.data(), static_cast<std::int32_t>(text.size()));
  icu::CaseMap::utf8ToLower("", 0, source, sink, nullptr, error);
  return lowered;
}

std::string normalise_answer(std::string_view text, AnswerRules rules) {
  if (rules != AnswerRules::kTriviaQa)
    return join_words(without_articles(without_punctuation(lower_case(text)), rules));
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '_', ' ');
  return join_words(without_articles(blanks_for_punctuation(lower_case(spaced)), rules));
}

std::string normalise_triple_part(std::string_view text) { return join_words(without_punctuation(lower_case(text))); }

std::vector<std::string_view> answer_words(std::string_view normalised) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < normalised.size();) {
    const std::size_t end = std::min(normalised.find(' ', begin), normalised.size());
    words.push_back(normalised.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace harnessg::metrics
