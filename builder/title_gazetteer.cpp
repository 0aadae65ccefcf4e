#include "builder/title_gazetteer.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <string_view>

#include "builder/title_names.h"
#include "builder/title_search.h"

namespace harnessg {
namespace {

constexpr std::size_t kBlock = 64;        // paragraphs of one task
constexpr std::size_t kLongestName = 32;  // words; a longer title is not looked for
constexpr std::uint32_t kSmallRatio = 4;  // one small among so many capitals makes a common word
constexpr std::uint64_t kHubShare = 100;  // one sentence in so many makes a common word, in scripts without case
constexpr std::uint32_t kFewSentences = 10;

bool has_two_letters(std::string_view word) {
  const auto first_byte = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return std::count_if(word.begin(), word.end(), first_byte) >= 2;
}

// Whether a name of this one word can be looked for at all.
bool can_be_name(const NameWord& word, std::string_view name) {
  constexpr std::uint32_t kNever = kMonthWord | kWeekdayWord | kNationality | kFunctionWord;
  if (word.letters == WordCase::kLower || !has_two_letters(word.in(name))) return false;
  return word.letters == WordCase::kUpper || (word_classes_of(word.in(name)) & kNever) == 0;
}

bool is_searched(const std::vector<NameWord>& words, std::string_view name) {
  const auto no_letter = [](const NameWord& word) { return word.letters == WordCase::kNone; };
  if (words.size() > kLongestName || std::all_of(words.begin(), words.end(), no_letter)) return false;
  return words.size() != 1 || can_be_name(words[0], name);
}

// Each title once, by its first paragraph.
TitleNames names_of(const GraphTables& tables) {
  TitleNames names;
  std::vector<bool> seen;
  std::vector<NameWord> words;
  for (std::uint32_t p = 0; p < tables.titles.size(); ++p) {
    if (tables.title_entities[p] == kNoEntity) continue;
    const std::uint32_t entity = index(tables.title_entities[p]);
    if (entity >= seen.size()) seen.resize(2 * std::size_t{entity} + 1);
    if (seen[entity]) continue;
    seen[entity] = true;
    const std::string_view name = title_name(tables.titles[p]);
    read_name_words(name, words);
    if (is_searched(words, name)) names.add(words, p);
  }
  return names;
}

bool is_common(const WordUse& use, std::uint64_t sentences) {
  if (use.caseless > kFewSentences && use.caseless * kHubShare > sentences) return true;
  return std::uint64_t{use.small} * kSmallRatio > use.capital;
}

}  // namespace

std::vector<TitleOccurrence> find_titles(const GraphTables& tables) {
  const TitleNames names = names_of(tables);
  std::vector<WordUse> uses(names.name_count());
  const std::size_t paragraphs = tables.titles.size();
  std::vector<std::vector<TitleMatch>> found((paragraphs + kBlock - 1) / kBlock);
  tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t block) {
    TitleSearch search(tables, names, uses);
    for (std::size_t p = block * kBlock; p < std::min(paragraphs, (block + 1) * kBlock); ++p)
      search.run(static_cast<std::uint32_t>(p), found[block]);
  });
  std::vector<TitleOccurrence> occurrences;
  for (std::vector<TitleMatch>& block : found) {
    for (const TitleMatch& match : block) {
      const bool common =
          match.single_word != TitleNames::kNone && is_common(uses[match.single_word], tables.text_begins.size());
      if (!common) occurrences.push_back(match.occurrence);
    }
    block = {};
  }
  return occurrences;
}

}  // namespace harnessg
