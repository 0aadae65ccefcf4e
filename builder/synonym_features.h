// What of an entity's names decides about its synonyms (spec 1, section 2).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg {

// Very frequent English words that say nothing about which entity is meant; `token` is case-folded.
bool is_synonym_stop_word(std::string_view token);

struct SynonymFeatures {
  std::vector<std::string> tokens;    // alphanumeric tokens of the canonical form, in order
  std::vector<std::string> content;   // those that are no stop words, without repeats, in order of first appearance
  std::string joined;                 // all tokens without separators
  std::string expansion;              // initials of the content words, repeats included; "" for fewer than two words
  std::vector<std::string> acronyms;  // surface forms that are upper-case acronyms of 3 to 10 letters ("NASA",
                                      // "N.A.S.A."), case-folded, without separators and repeats
  // False for names that get no synonyms: at most 2 alphanumeric characters, a stop word at the end, or up to four
  // tokens with a repeat among them ("Duran Duran").
  bool eligible = false;
};

SynonymFeatures synonym_features(std::string_view canonical_form, std::span<const std::string_view> surfaces);

// Shared tokens / all tokens of two sets given by their sizes; 0 when both are empty.
constexpr double token_jaccard(std::size_t shared, std::size_t a, std::size_t b) {
  return a + b == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(a + b - shared);
}

}  // namespace harnessg
