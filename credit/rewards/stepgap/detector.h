// Verdicts on the steps of an episode: what a judge said of them, and an NLI model where the decision tree asks it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/not_judged.h"
#include "credit/rewards/stepgap/routing.h"

namespace harnessg::stepgap {

struct ReasoningStep {
  std::string claim;                  // what the policy said; the hypothesis of the NLI model
  bool concluding = false;            // it answers the question
  std::vector<std::string> evidence;  // snippets that came with this step
};

using Nli = std::function<Judged<Entailment>(std::string_view premise, std::string_view hypothesis)>;

// The verdict on steps[position]; answers[i] is what the judge said of steps[i], for i <= position. Later steps are not
// looked at, so the verdict in a running episode is the one afterwards. A quote is looked for in each snippet of the
// step, and of all earlier steps when it is the concluding one. Stage E asks about the earlier snippets whose step was
// judged to match, latest first, the first 300 characters of each, and stops at the first that entails. Not judged:
// the judge, or the NLI model where it was asked, has not judged; kUnreadable where there is no claim to judge.
Judged<Verdict> check_step(std::span<const ReasoningStep> steps, std::span<const Judged<JudgeAnswer>> answers,
                           std::size_t position, const Nli& nli, const RoutingOptions& options = {});

}  // namespace harnessg::stepgap
