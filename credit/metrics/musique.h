// MuSiQue's evaluation: answer, supporting paragraphs, and whether the model knew that the context suffices. Pure and
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "credit/metrics/answer_match.h"
#include "data/result.h"

namespace harnessg::metrics {

// Numbers of paragraphs, of whatever numbering both sides share: MuSiQue's idx, or ParagraphIds of a graph.
struct Support {
  std::set<std::int64_t> paragraphs;
  std::set<std::string> unreadable;  // what a prediction holds in the place of a number, as JSON text: never right

  friend bool operator==(const Support&, const Support&) = default;
};

struct MusiqueGold {
  std::string id;                    // of MuSiQue-Full, two lines share one
  std::vector<std::string> answers;  // the answer, then its aliases
  bool answerable = true;
  std::set<std::int64_t> support;
};

// nullopt: the file has null there, which is fine where it is not read.
struct MusiquePrediction {
  std::string id;
  std::optional<std::string> answer;
  std::optional<Support> support;
  std::optional<bool> answerable;  // never right when nullopt
};

// EM and F1 of sets; both empty: 1 and 1.
AnswerScore musique_support(const Support& given, const std::set<std::int64_t>& gold);

// Over pairs of an answerable and an unanswerable line of one id: the F1 of the answerable line where both lines were
// told apart rightly, else 0; mean over ids.
struct SufficiencyScore {
  double answer_f1 = 0;
  double support_f1 = 0;

  friend bool operator==(const SufficiencyScore&, const SufficiencyScore&) = default;
};

struct MusiqueFileScore {
  AnswerScore answer;   // means over the answerable lines, whatever the prediction says on answerability
  AnswerScore support;  // the script prints its F1 only
  std::size_t answerable = 0;
  std::optional<SufficiencyScore> sufficiency;  // where any gold line is unanswerable
};

// Line by line: both lists have the same ids in the same order. Of no lines every figure is 0. kBadInput, naming the
// line, where the ids differ, an answerable line has no answer or support predicted, or lines of MuSiQue-Full are no
// pairs of an answerable and an unanswerable one.
Result<MusiqueFileScore> musique_file_score(std::span<const MusiqueGold> gold,
                                            std::span<const MusiquePrediction> given);

}  // namespace harnessg::metrics
