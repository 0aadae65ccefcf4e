// A stand-in for a grader, deterministic and without a model: an item is met when the answer holds its words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg {

// Whether the answer holds at least `share` of each item's content words: its case-folded words but for function words
// and words such as "states" that speak of the answer. An item without content words is not met. It knows nothing of
// meaning: a negated fact is met, a paraphrase is not. Precondition: valid UTF-8.
std::vector<bool> items_covered(std::span<const std::string> items, std::string_view answer, double share = 0.6);

}  // namespace harnessg
