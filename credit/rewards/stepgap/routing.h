// The decision tree of typed gaps (StepGap, arXiv 2605.24733): what a judge and an NLI model said -> verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace harnessg::stepgap {

enum class Gap : std::uint8_t { kNone, kContradictedClaim, kIrrelevantEvidence, kMissingBridge };
std::string_view gap_name(Gap gap);  // "none", "CC", "IE", "MB"

enum class Variant : std::uint8_t {
  kPaper,
  kReleased,    // only the concluding step is asked about its quote; an inference with a quote has no gap
  kV17Literal,  // as released, and a quote of 4 characters counts without standing in the evidence
};

enum class Entailment : std::uint8_t { kEntails, kNeutral, kContradicts };

// What the judge said of one step.
struct JudgeAnswer {
  bool off_target = false;
  std::string drift = "none";
  bool abstains = false;
  bool abstention_justified = false;
  bool entity_match = true;
  bool found_quote = false;
  std::string quote;
};

struct RoutingOptions {
  Variant variant = Variant::kPaper;
  bool target = true;      // stage A
  bool abstention = true;  // stage B
  bool quote = true;       // stage C; off: there is never a quote
  bool entailment = true;  // stage D; off: a quote is enough
  bool earlier = true;     // stage E; off: without a quote the evidence is irrelevant
};

// The NLI model, asked only where the tree needs it.
struct RoutingQuestions {
  std::function<Entailment(std::string_view quote)> quote;  // does it entail the claim?
  std::function<bool()> earlier;  // does a snippet of an earlier step whose entity matched entail the claim?
};

struct Verdict {
  Gap gap = Gap::kNone;
  std::string path;  // as the released code writes it
};

// `concluding`: the step that answers. `evidence`: the text in which a quote of 5 to 20 words must stand (not in
// kV17Literal).
Verdict route(const JudgeAnswer& answer, bool concluding, std::string_view evidence, const RoutingQuestions& ask,
              const RoutingOptions& options = {});

}  // namespace harnessg::stepgap
