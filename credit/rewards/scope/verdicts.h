// Verdicts as judges and graders write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "credit/rewards/plugin.h"

namespace harnessg::scope {

enum class VerdictForm : std::uint8_t {
  kItem,  // <score>1</score>, or the bare number: one item a call
  kList,  // <scores>1, 0, 1</scores>, or the bare list: all items at once
  kXml,   // <evaluation><rubric_assessment><rubric/><reasoning/><score/></rubric_assessment></evaluation>
  kJson,  // [{"rubric", "reasoning", "score"}]
};

struct ReadVerdicts {
  struct Item {
    std::size_t place = 0;  // of the item, from 0
    std::string rubric;     // where the form names it
    std::string reasoning;
    double score = 0;

    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;  // those that were read
  bool valid = false;       // everything was there and read

  double mean() const;  // over those read, 0 without any
  // At their places; nullopt where there is none.
  std::vector<RewardValue> by_place() const;
};

struct VerdictRules {
  bool half_points = false;  // 0.5 is a verdict, as in the release; else only 0 and 1 are
};

// Thoughts are taken out first; of several tags or blocks the first counts.
ReadVerdicts read_verdicts(std::string_view text, VerdictForm form, const VerdictRules& rules = {});

// A gate's <score>1</score> or <score>0</score>; nullopt: it cannot be read.
std::optional<bool> read_gate(std::string_view text);

// Whether the gates pass: all were read and at least `required` (default: all) said yes. nullopt, "not judged", when
// one cannot be read; no gate at all does not pass.
std::optional<bool> gates_pass(const std::vector<std::optional<bool>>& gates, std::optional<std::size_t> required = {});

}  // namespace harnessg::scope
