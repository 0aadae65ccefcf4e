// One paragraph's part in finding titles: which names stand in its sentences, and which titles they mean.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "builder/name_words.h"
#include "builder/recogniser_words.h"
#include "builder/title_gazetteer.h"
#include "builder/title_names.h"
#include "data/graph.h"

namespace harnessg {

// How the corpus writes a name of one word. Counted by many threads with std::atomic_ref.
struct WordUse {
  std::uint32_t small = 0;
  std::uint32_t capital = 0;   // inside a clause
  std::uint32_t caseless = 0;  // in scripts without case
};

struct TitleMatch {
  TitleOccurrence occurrence;
  std::uint32_t single_word = TitleNames::kNone;  // the name, where it must be no common word
};

// Buffers for many paragraphs; one thread at a time. What it refers to must outlive it.
class TitleSearch {
 public:
  TitleSearch(const GraphTables& tables, const TitleNames& names, std::vector<WordUse>& uses)
      : tables_(tables), names_(names), uses_(uses) {}

  // Appends the paragraph's matches in order. By what rules: find_titles (builder/title_gazetteer.h).
  void run(std::uint32_t paragraph, std::vector<TitleMatch>& matches);

 private:
  // Words [first, last) of the sentence and the name they are; last is first where there is none.
  struct Found {
    std::size_t first = 0;
    std::size_t last = 0;
    std::uint32_t name = TitleNames::kNone;
  };
  struct Candidate {
    std::uint32_t paragraph = 0;
    bool qualified = false;
    bool supported = false;
  };

  void search_sentence(std::uint32_t sentence, std::vector<TitleMatch>& matches);
  void count_use(const NameWord& word, std::uint32_t name);
  Found longest(std::size_t first, TitleNames::Place place);
  bool is_bounded(std::size_t first, std::size_t last) const;
  bool in_row_of_capitals(std::size_t first, std::size_t last) const;
  bool fits(std::uint32_t paragraph, std::size_t first, std::size_t last);
  bool any_fits(const Found& found);
  void name_titles(const Found& found, std::uint32_t sentence, std::vector<TitleMatch>& matches);
  bool collect(const Found& found);
  void make_stems();
  bool is_supported(std::uint32_t paragraph);
  bool stands_alone(const Found& found) const;

  const GraphTables& tables_;
  const TitleNames& names_;
  std::vector<WordUse>& uses_;
  std::uint32_t paragraph_ = 0;
  std::string_view sentence_;
  std::vector<NameWord> words_;        // of the sentence
  std::vector<NameWord> title_words_;  // of the title that is compared
  std::vector<Candidate> candidates_;  // of the name that is looked at
  std::vector<NameWord> qualifier_words_;
  std::vector<std::uint64_t> stems_;  // of the paragraph's words, sorted; made when they are needed
};

}  // namespace harnessg
