// A study of reach as figures (one JSON object a line on stdout) and as tables (stderr).
#pragma once

#include <map>
#include <span>
#include <string>

#include "bench/reach_study.h"

namespace harnessg::bench {

struct ReportOptions {
  std::string set;                        // put behind every figure's name: "seen_paragraphs_2wiki"
  std::map<std::string, double> targets;  // figure name without the set -> least value; others have no target
  std::vector<std::string> policies;      // of the study, in its order
  double seconds = 0;                     // that the study took
  bool selected = true;                   // whether selecting was searched
};

// Prints every figure; true when all that have a target hold. Shares are over the questions that have gold of that
// kind, those whose gold the corpus lacks included; questions the search gave up on count as not reached and are told.
bool print_reach(std::span<const QuestionReach> rows, const ReportOptions& options);

}  // namespace harnessg::bench
