#include "builder/title_search.h"

#include <algorithm>
#include <atomic>

namespace harnessg {
namespace {

constexpr std::size_t kMostNamesakes = 64;   // looked at for one occurrence
constexpr std::size_t kMostTitles = 4;       // named by one occurrence
constexpr std::size_t kStem = 5;             // letters by which a qualifier's word is known again
constexpr std::size_t kShortestSupport = 3;  // bytes of a qualifier's word that must be found

void count_one(std::uint32_t& counter) {
  std::atomic_ref<std::uint32_t>(counter).fetch_add(1, std::memory_order_relaxed);
}

// "directed" and "director" have one; words of other scripts are theirs whole.
std::string_view stem_of(std::string_view word, std::size_t size) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return std::all_of(word.begin(), word.end(), is_ascii) ? word.substr(0, size) : word;
}

}  // namespace

void TitleSearch::run(std::uint32_t paragraph, std::vector<TitleMatch>& matches) {
  paragraph_ = paragraph;
  stems_.clear();
  const std::uint32_t first = paragraph == 0 ? 0 : tables_.sentence_ends[paragraph - 1];
  for (std::uint32_t s = first; s < tables_.sentence_ends[paragraph]; ++s) search_sentence(s, matches);
}

void TitleSearch::search_sentence(std::uint32_t sentence, std::vector<TitleMatch>& matches) {
  const std::uint32_t begin = tables_.text_begins[sentence];
  sentence_ = tables_.texts[paragraph_].substr(begin, tables_.text_ends[sentence] - begin);
  read_name_words(sentence_, words_);
  std::size_t free = 0;  // the first word that is in no name yet
  for (std::size_t at = 0; at < words_.size(); ++at) {
    TitleNames::Place place;
    if (!names_.begin(words_[at], place)) continue;
    if (place.name != TitleNames::kNone) count_use(words_[at], place.name);
    if (at < free) continue;
    const Found found = longest(at, place);
    if (found.last == at) continue;
    free = found.last;
    name_titles(found, sentence, matches);
  }
}

void TitleSearch::count_use(const NameWord& word, std::uint32_t name) {
  WordUse& use = uses_[name];
  if (word.letters == WordCase::kLower) count_one(use.small);
  if (word.letters == WordCase::kCaseless) count_one(use.caseless);
  if (word.capital() && word.joint != WordJoint::kBreak) count_one(use.capital);
}

TitleSearch::Found TitleSearch::longest(std::size_t first, TitleNames::Place place) {
  Found best{first, first, TitleNames::kNone};
  for (std::size_t last = first + 1;; ++last) {
    const Found found{first, last, place.name};
    if (place.name != TitleNames::kNone && is_bounded(first, last) && any_fits(found)) best = found;
    if (last == words_.size() || !names_.go_on(words_[last], place)) return best;
  }
}

// "half- brother of London-based": a name does not begin or end inside a word, nor in a compound of names.
bool TitleSearch::is_bounded(std::size_t first, std::size_t last) const {
  if (words_[first].joint == WordJoint::kInside && words_[first].letters != WordCase::kCaseless) return false;
  if (words_[first].joint == WordJoint::kHyphen && words_[first - 1].capital()) return false;
  if (last == words_.size()) return true;
  const NameWord& next = words_[last];
  if (next.joint == WordJoint::kHyphen) return !next.capital();
  return next.joint != WordJoint::kInside || next.in(sentence_) == "s" || next.letters == WordCase::kCaseless;
}

// The word before counts where its capital is not the sentence's, and unless it tells a person's office or role.
bool TitleSearch::in_row_of_capitals(std::size_t first, std::size_t last) const {
  constexpr std::uint32_t kOffice = kRegalTitle | kHonorific | kRoleWord;
  if (first > 1 && words_[first].joint == WordJoint::kSpace && words_[first - 1].capital() &&
      (word_classes_of(words_[first - 1].in(sentence_)) & kOffice) == 0) {
    return true;
  }
  return last < words_.size() && words_[last].joint == WordJoint::kSpace && words_[last].capital();
}

// Whether the words are written as the title is.
bool TitleSearch::fits(std::uint32_t paragraph, std::size_t first, std::size_t last) {
  const std::string_view name = title_name(tables_.titles[paragraph]);
  read_name_words(name, title_words_);
  if (title_words_.size() != last - first) return false;
  for (std::size_t i = 0; i < title_words_.size(); ++i) {
    const NameWord& expected = title_words_[i];
    const NameWord& word = words_[first + i];
    if (!equal_folded(expected.in(name), word.in(sentence_))) return false;
    if (i > 0 && word.joint == WordJoint::kBreak && expected.joint != WordJoint::kBreak) return false;
    if (expected.letters == WordCase::kUpper && word.letters != WordCase::kUpper) return false;
    if (expected.letters == WordCase::kCapital && !word.capital()) return false;
  }
  return last - first > 1 || title_words_[0].letters == words_[first].letters;
}

bool TitleSearch::any_fits(const Found& found) {
  if (found.last == found.first + 1 && in_row_of_capitals(found.first, found.last)) return false;
  bool any = false;
  std::size_t seen = 0;
  names_.for_each_title(found.name, [&](std::uint32_t title) {
    any = fits(title, found.first, found.last);
    return !any && ++seen < kMostNamesakes;
  });
  return any;
}

void TitleSearch::make_stems() {
  const std::string_view text = tables_.texts[paragraph_];
  std::vector<NameWord> words;
  read_name_words(text, words);
  for (const NameWord& word : words) {
    for (std::size_t size = kShortestSupport; size <= kStem; ++size)
      stems_.push_back(folded_hash(stem_of(word.in(text), size)));
  }
  std::sort(stems_.begin(), stems_.end());
}

// Whether the title's qualifier can be read off this paragraph.
bool TitleSearch::is_supported(std::uint32_t paragraph) {
  if (stems_.empty()) make_stems();
  const std::string_view qualifier = title_qualifier(tables_.titles[paragraph]);
  read_name_words(qualifier, qualifier_words_);
  return !qualifier_words_.empty() &&
         std::all_of(qualifier_words_.begin(), qualifier_words_.end(), [&](const NameWord& word) {
           const std::uint64_t stem = folded_hash(stem_of(word.in(qualifier), kStem));
           return word.end - word.begin < kShortestSupport || std::binary_search(stems_.begin(), stems_.end(), stem);
         });
}

// Whether a qualified title may be meant that nothing in the paragraph supports.
bool TitleSearch::stands_alone(const Found& found) const {
  if (in_row_of_capitals(found.first, found.last)) return false;
  const auto names = std::span(words_).subspan(found.first, found.last - found.first);
  return std::count_if(names.begin(), names.end(), [&](const NameWord& word) {
           return (word_classes_of(word.in(sentence_)) & kFunctionWord) == 0;
         }) >= 2;
}

// Fills candidates_ with the titles of the name; true when the paragraph's own is among them, which is left out.
bool TitleSearch::collect(const Found& found) {
  candidates_.clear();
  bool own = false;
  std::size_t seen = 0;
  names_.for_each_title(found.name, [&](std::uint32_t title) {
    if (fits(title, found.first, found.last)) {
      const bool qualified = !title_qualifier(tables_.titles[title]).empty();
      if (tables_.title_entities[title] == tables_.title_entities[paragraph_])
        own = true;
      else
        candidates_.push_back({title, qualified, qualified && is_supported(title)});
    }
    return ++seen < kMostNamesakes;
  });
  return own;
}

void TitleSearch::name_titles(const Found& found, std::uint32_t sentence, std::vector<TitleMatch>& matches) {
  const bool own = collect(found);
  const bool any_supported =
      std::any_of(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return c.supported; });
  const bool alone = stands_alone(found);
  const bool single = found.last == found.first + 1;
  std::size_t given = 0;
  for (const Candidate& candidate : candidates_) {
    const bool meant = candidate.supported || (!own && (!candidate.qualified || (!any_supported && alone)));
    if (!meant || given == kMostTitles) continue;
    ++given;
    const bool sure = candidate.supported && found.first > 0;
    matches.push_back({{sentence, words_[found.first].begin, words_[found.last - 1].end, candidate.paragraph},
                       single && !sure ? found.name : TitleNames::kNone});
  }
}

}  // namespace harnessg
