#include "credit/rewards/stepgap/routing.h"

#include <fmt/format.h>

namespace harnessg::stepgap {
namespace {

constexpr std::size_t kShortestQuote = 4;  // bytes, as the released code has it
constexpr std::size_t kFewestWords = 5;
constexpr std::size_t kMostWords = 20;

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

bool quote_counts(const JudgeAnswer& answer, std::string_view evidence, const RoutingOptions& options) {
  if (!options.quote || !answer.found_quote || answer.quote.size() < kShortestQuote) return false;
  if (options.variant == Variant::kV17Literal) return true;
  const std::size_t words = count_words(answer.quote);
  return words >= kFewestWords && words <= kMostWords && evidence.find(answer.quote) != std::string_view::npos;
}

Verdict with_quote(const JudgeAnswer& answer, bool concluding, const RoutingQuestions& ask,
                   const RoutingOptions& options) {
  if (options.variant != Variant::kPaper && !concluding) return {Gap::kNone, "1(found)->inference->no_gap"};
  if (!options.entailment) return {Gap::kNone, "1(found)->no_gap"};
  switch (ask.quote(answer.quote)) {
    case Entailment::kEntails:
      return {Gap::kNone, "1(found)->2A(NLI:entailment)->no_gap"};
    case Entailment::kNeutral:
      return {Gap::kMissingBridge, "1(found)->2A(NLI:neutral)->missing_bridge"};
    case Entailment::kContradicts:
      break;
  }
  return {Gap::kContradictedClaim, "1(found)->2A(NLI:contradiction)->unsupported_claim"};
}

Verdict without_quote(bool concluding, const RoutingQuestions& ask, const RoutingOptions& options) {
  const bool supported = options.earlier && ask.earlier();
  if (concluding) {
    return supported ? Verdict{Gap::kNone, "1(not_found)->2B(cross_verified)->no_gap"}
                     : Verdict{Gap::kIrrelevantEvidence, "1(not_found)->2B(not_cross_verified)->insufficient_context"};
  }
  return supported ? Verdict{Gap::kNone, "1(not_found)->inf->cross_verified->no_gap"}
                   : Verdict{Gap::kIrrelevantEvidence, "1(not_found)->inference->insufficient_context"};
}

}  // namespace

std::string_view gap_name(Gap gap) {
  switch (gap) {
    case Gap::kNone:
      return "none";
    case Gap::kContradictedClaim:
      return "CC";
    case Gap::kIrrelevantEvidence:
      return "IE";
    case Gap::kMissingBridge:
      return "MB";
  }
  return "none";
}

Verdict route(const JudgeAnswer& answer, bool concluding, std::string_view evidence, const RoutingQuestions& ask,
              const RoutingOptions& options) {
  if (options.target && answer.off_target) {
    return {Gap::kContradictedClaim, fmt::format("-1(off_target:{})", answer.drift)};
  }
  if (options.abstention && answer.abstains) {
    return answer.abstention_justified ? Verdict{Gap::kNone, "0(abstention)->accurate->no_gap"}
                                       : Verdict{Gap::kContradictedClaim, "0(abstention)->inaccurate->gap"};
  }
  if (options.quote && !answer.entity_match) {
    return {Gap::kIrrelevantEvidence, "1(entity_mismatch)->insufficient_context"};
  }
  return quote_counts(answer, evidence, options) ? with_quote(answer, concluding, ask, options)
                                                 : without_quote(concluding, ask, options);
}

}  // namespace harnessg::stepgap
