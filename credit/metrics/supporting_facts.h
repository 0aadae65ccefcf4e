// Supporting facts as HotpotQA and 2Wiki evaluate them: sets of (title, sentence). Pure and thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "credit/metrics/part_score.h"

namespace harnessg::metrics {

struct Fact {
  std::string title;
  std::int64_t sentence = 0;  // from 0, in the paragraph
  // What a prediction holds in the place of a fact, as JSON text: it is never right, and of equal ones one counts. ""
  // for a fact.
  std::string unreadable;

  friend auto operator<=>(const Fact&, const Fact&) = default;
};

// How 2Wiki's scripts count what stands in a prediction twice.
enum class Counting : unsigned char {
  kDistinct,     // once
  kAsPublished,  // as the scripts do, for comparison with published figures: two spellings of a title are two right
                 // facts; a gold triple named by two aliases is found twice (recall and F1 above 1)
};

// Titles compare byte for byte; repeats count once. Both empty: EM 1, the rest 0.
PartScore hotpot_facts(std::span<const Fact> given, std::span<const Fact> gold);

// Titles compare in lower case.
PartScore two_wiki_facts(std::span<const Fact> given, std::span<const Fact> gold,
                         Counting counting = Counting::kDistinct);

}  // namespace harnessg::metrics
