#include "credit/models/content_words_grader.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::array<std::string_view, 44> kNoContent = {
    "a",    "an",   "and",      "answer", "are",  "as", "at",  "be",   "by",         "describes", "explains",
    "for",  "from", "had",      "has",    "have", "he", "her", "his",  "identifies", "in",        "is",
    "it",   "its",  "mentions", "names",  "of",   "on", "or",  "s",    "says",       "she",       "states",
    "that", "the",  "their",    "they",   "this", "to", "was", "were", "which",      "who",       "with"};
static_assert(std::is_sorted(kNoContent.begin(), kNoContent.end()));

bool has_content(const std::string& word) { return !std::binary_search(kNoContent.begin(), kNoContent.end(), word); }

}  // namespace

std::vector<bool> items_covered(std::span<const std::string> items, std::string_view answer, double share) {
  const std::vector<std::string> words = alphanumeric_tokens(answer);
  const std::unordered_set<std::string_view> given(words.begin(), words.end());
  std::vector<bool> covered;
  for (const std::string& item : items) {
    double wanted = 0;
    double found = 0;
    for (const std::string& word : alphanumeric_tokens(item)) {
      if (!has_content(word)) continue;
      wanted += 1;
      found += given.contains(word) ? 1 : 0;
    }
    covered.push_back(wanted > 0 && found >= share * wanted);
  }
  return covered;
}

}  // namespace harnessg
