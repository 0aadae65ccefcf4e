// From spans of characters to tokens: which token belongs to which span (spec 2, section 4).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "credit/advantage.h"
#include "data/result.h"

namespace harnessg {

inline constexpr std::size_t kNoSpan = std::numeric_limits<std::size_t>::max();

// For each token the number of the span it belongs to, or kNoSpan. `tokens` is a tokenizer's offset mapping, in the
// unit of `spans` (characters, as most tokenizers give them). A token that reaches over an edge of a span, such as
// ">\n<", belongs to the span with the most of its characters, of several with as many to the earlier one; text that no
// span covers does not compete, so a token with one character in a span belongs to it. A token without characters
// (special tokens are mapped to 0..0) belongs to none. kInvalidArgument for a token that ends before it begins, and for
// spans that are not in order or overlap.
Result<std::vector<std::size_t>> token_owners(std::span<const ActionSpan> spans, std::span<const ActionSpan> tokens);

// Spreads each turn's credit evenly over the tokens of its span, so that they sum to it; every other token has 0.
// Errors of token_owners(); kInvalidArgument when there is not one span a turn, and for a turn with credit whose span
// has no token: its credit would be lost.
Result<std::vector<double>> token_credit(std::span<const double> credit, std::span<const ActionSpan> spans,
                                         std::span<const ActionSpan> tokens);

}  // namespace harnessg
