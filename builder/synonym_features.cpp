#include "builder/synonym_features.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "data/text.h"

namespace harnessg {
namespace {

// Sorted. Prepositions of time and place that set a name apart from another ("after", "during") are not in it.
constexpr std::array<std::string_view, 37> kStopWords = {
    "a",   "an",    "and",  "are", "as",   "at",   "be",   "by",    "for",   "from", "had", "has", "have",
    "he",  "her",   "his",  "in",  "into", "is",   "it",   "its",   "of",    "on",   "or",  "she", "that",
    "the", "their", "this", "to",  "was",  "were", "when", "where", "which", "who",  "with"};
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

constexpr std::size_t kShortName = 4;
constexpr std::size_t kMinAcronym = 3;
constexpr std::size_t kMaxAcronym = 10;

std::string_view first_character(std::string_view text) {
  int32_t end = 0;
  U8_FWD_1(text.data(), end, static_cast<int32_t>(text.size()));
  return text.substr(0, static_cast<std::size_t>(end));
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool has_repeat(const std::vector<std::string>& tokens) {
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (std::find(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens[i]) !=
        tokens.begin() + static_cast<std::ptrdiff_t>(i))
      return true;
  return false;
}

// The acronym's letters, case-folded, when the surface is one word of capitals or single capitals between separators;
// "" otherwise.
std::string acronym_of(std::string_view surface) {
  std::size_t letters = 0, run = 0, runs = 0, longest = 0;
  std::string capitals;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(surface.data());
  for (int32_t at = 0, size = static_cast<int32_t>(surface.size()); at < size;) {
    const int32_t begin = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    if (c < 0 || u_isdigit(c)) return {};
    if (!u_isalpha(c)) {
      run = 0;
      continue;
    }
    if (!u_isupper(c)) return {};
    capitals.append(surface.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin)));
    runs += run == 0;
    longest = std::max(longest, ++run);
    if (++letters > kMaxAcronym) return {};
  }
  if (letters < kMinAcronym || (runs > 1 && longest > 1)) return {};
  return fold_case(capitals);
}

}  // namespace

bool is_synonym_stop_word(std::string_view token) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), token);
}

SynonymFeatures synonym_features(std::string_view canonical_form, std::span<const std::string_view> surfaces) {
  SynonymFeatures features;
  features.tokens = alphanumeric_tokens(canonical_form);
  std::size_t content_words = 0;
  for (const std::string& token : features.tokens) {
    features.joined += token;
    if (is_synonym_stop_word(token)) continue;
    ++content_words;
    features.expansion += first_character(token);
    if (std::find(features.content.begin(), features.content.end(), token) == features.content.end())
      features.content.push_back(token);
  }
  if (content_words < 2) features.expansion.clear();
  for (const std::string_view surface : surfaces) {
    std::string acronym = acronym_of(surface);
    if (acronym.empty()) continue;
    if (std::find(features.acronyms.begin(), features.acronyms.end(), acronym) == features.acronyms.end())
      features.acronyms.push_back(std::move(acronym));
  }
  features.eligible = character_count(features.joined) > 2 && !is_synonym_stop_word(features.tokens.back()) &&
                      !(features.tokens.size() <= kShortName && has_repeat(features.tokens));
  return features;
}

}  // namespace harnessg
