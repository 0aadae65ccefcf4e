// Rubrics as data: what an answer is graded by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "credit/rewards/plugin.h"
#include "data/json_records.h"

namespace harnessg::scope {

struct RubricItem {
  std::string text;
  std::string priority;  // "critical", "important", "bonus"; "" or another word: none said

  friend bool operator==(const RubricItem&, const RubricItem&) = default;
};

using Rubric = std::vector<RubricItem>;

inline constexpr std::size_t kLeastItems = 3;
inline constexpr std::size_t kMostItems = 10;

struct RubricRules {
  std::size_t least = kLeastItems;
  std::size_t most = kMostItems;
  bool thoughts_count = false;  // the release takes the first list, also one drafted in a thought
};

// What was read, and the first thing that is wrong with it; a rubric with a fault is not to be used.
struct ReadRubric {
  Rubric items;
  std::string fault;  // one phrase, "" for a usable rubric
};

// <rubrics><rubric priority="...">item</rubric>...</rubrics>: the first list, thoughts and comments left out. An empty
// item is a fault and left out.
ReadRubric read_rubric(std::string_view text, const RubricRules& rules = {});
// {"rubrics": ["item", {"text": "item", "priority": "..."}]} somewhere in a text.
ReadRubric read_json_rubric(std::string_view text, const RubricRules& rules = {});
// A list of strings or of {"text", "priority"?}, of any length; kBadInput with the place.
Result<Rubric> rubric_from_json(const Json& list, const std::string& place);

enum class ItemWeights : std::uint8_t {
  kPriority,  // critical 3, important and none said 2, bonus 1
  kEqual,
};
double item_weight(const RubricItem& item, ItemWeights weights);

struct CoverageRules {
  double least = 0.5;  // share of items with a verdict; below it there is no score
  double missing = 0;  // what an item without a verdict counts
  ItemWeights weights = ItemWeights::kPriority;
};

// Weighted mean of the verdicts, 0 to 1; nullopt for an empty rubric and when too few items were judged. Verdicts stand
// at their items' places: missing ones at the end may be left out, those beyond the rubric are not read.
RewardValue rubric_score(const Rubric& rubric, std::span<const RewardValue> verdicts, const CoverageRules& rules = {});

}  // namespace harnessg::scope
