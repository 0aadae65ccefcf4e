// A stand-in for a frozen answerer that needs no model: how many of the answer's words have been seen.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/scorer.h"

namespace harnessg {

// g = exp(-(1 - f)), f = alias_coverage(context, aliases): between exp(-1), no word of the answer was seen, and 1, all
// were. A proxy: it knows nothing of meaning, order or negation, and "yes" is as good as unseen. Deterministic,
// stateless, thread-safe. Each distinct text (by address) is cut into words once a call.
class LexicalProxy final : public Scorer {
 public:
  std::string_view name() const override { return "lexical-proxy"; }
  Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const override;
};

// max over aliases a of |T(a) n T(C)| / |T(a)|, T(x) = the set of maximal runs of the bytes [A-Za-z0-9], lower-cased;
// every other byte separates. An alias without such a run counts 0.
double alias_coverage(std::span<const std::string_view> context, std::span<const std::string> aliases);

}  // namespace harnessg
