// From credit and outcomes to advantages (spec 2, section 4).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/result.h"

namespace harnessg {

// (R - mean) / (std + epsilon) within each group, std the *sample* deviation (n - 1), as in the reported runs; a group
// of one has advantage R. `groups` names the group of each outcome by any number: episodes of one question.
// kInvalidArgument when the two differ in length.
Result<std::vector<double>> outcome_advantages(std::span<const double> outcomes, std::span<const std::size_t> groups,
                                               double epsilon = 1e-6);

// Positions [begin, end) of a turn's action, in whatever unit the caller counts: characters, code points, tokens.
struct ActionSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Spreads each turn's credit evenly over its span, so that the span sums to it, into an array of `length` zeros. A turn
// without credit needs no span (an empty one). kInvalidArgument for a span that ends past `length` or before it begins,
// is empty but has credit, or overlaps an earlier one; and when there is not one span a turn.
Result<std::vector<double>> spread_credit(std::span<const double> credit, std::span<const ActionSpan> spans,
                                          std::size_t length);

struct SncScale {
  std::size_t support = 0;  // tokens whose credit is not 0, in the whole batch
  double deviation = 0;     // population standard deviation of their credits
  double scale = 0;         // max(deviation, floor): what credits are divided by
};

struct AdvantageOptions {
  double lambda = 0.2;    // weight of credit against outcome
  double clamp = 5;       // scaled credit lies in +-clamp
  double floor = 5e-4;    // of the scale
  double epsilon = 1e-6;  // of the outcome's denominator
};

// `tokens`: the credit of all tokens of a batch, in any order. Over the batch, not per group: that would blow noise up.
SncScale snc_scale(std::span<const double> tokens, double floor = 5e-4);

// clamp(token / scale); no mean is taken off, so the sign stays the local truth.
std::vector<double> snc_advantages(std::span<const double> tokens, const SncScale& scale, double clamp = 5);

// A_out + lambda * A_snc, one a token. Tokens that are not the policy's own are the caller's to mask.
std::vector<double> total_advantages(double outcome, std::span<const double> snc, double lambda = 0.2);

// A whole batch: what each token of each episode is worth.
struct BatchAdvantages {
  SncScale scale;
  std::vector<double> outcome;  // one an episode
  std::vector<double> snc;      // one a token
  std::vector<double> total;    // one a token
};

// `tokens` holds the credits of all episodes one after another, episode i at offsets[i] .. offsets[i + 1].
// kInvalidArgument when lengths do not fit, offsets do not ascend, or an option is not positive (lambda: not finite).
Result<BatchAdvantages> batch_advantages(std::span<const double> outcomes, std::span<const std::size_t> groups,
                                         std::span<const double> tokens, std::span<const std::size_t> offsets,
                                         const AdvantageOptions& options = {});

}  // namespace harnessg
