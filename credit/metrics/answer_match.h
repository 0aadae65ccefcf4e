// An answer against the gold ones, by the rules of each data set's evaluation script (docs/metrics.md). Pure and
// thread-safe. `golds` are the answer and its aliases in any order; with none every figure is 0 unless said otherwise.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "credit/metrics/answer_text.h"
#include "credit/metrics/part_score.h"

namespace harnessg::metrics {

// EM and F1 where a script has no precision and recall.
struct AnswerScore {
  double em = 0;
  double f1 = 0;

  friend bool operator==(const AnswerScore&, const AnswerScore&) = default;
};

// HotpotQA's script: tokens as multisets; where one of the sides is "yes", "no" or "noanswer" and they differ, F1, P
// and R are 0. Both empty: EM 1, F1 0.
PartScore hotpot_answer(std::string_view given, std::string_view gold);

// The best of several golds: EM and F1 each over all of them, P and R of the first gold with the best F1. What the
// engine reports where a data set has no rules of its own.
PartScore best_hotpot_answer(std::string_view given, std::span<const std::string> golds);

// 2Wiki's script v1.1: hotpot_answer against each gold, the four figures maximised one by one, so F1 need not be that
// of P and R.
PartScore two_wiki_answer(std::string_view given, std::span<const std::string> golds);

// MuSiQue's script: EM and F1 maximised one by one; no rule for yes and no; both empty: EM 1, F1 1.
AnswerScore musique_answer(std::string_view given, std::span<const std::string> golds);

// SQuAD's script 2.0: as MuSiQue's, but golds that normalise to nothing are left out; with none left, only an answer
// that normalises to nothing is right.
AnswerScore squad_answer(std::string_view given, std::span<const std::string> golds);

// TriviaQA's script, with its own normalisation. Both empty: EM 1, F1 0.
AnswerScore triviaqa_answer(std::string_view given, std::span<const std::string> golds);

// Exact match of DPR's reader, usual for NQ-open: whether any gold equals the answer under AnswerRules::kDpr.
bool dpr_em(std::string_view given, std::span<const std::string> golds);

// Whether the words of any gold stand in the answer, one after another, both normalised. Not an exact match and never
// reported as one. A gold that normalises to nothing is covered by an answer that does, and by no other.
bool cover_em(std::string_view given, std::span<const std::string> golds, AnswerRules rules = AnswerRules::kSquad);

}  // namespace harnessg::metrics
