// Whole-file figures of the scripts that compare answers alone: SQuAD 2.0, TriviaQA, and exact match as DPR reads it
// for NQ-open. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credit/metrics/answer_match.h"
#include "data/result.h"

namespace harnessg::metrics {

struct GoldAnswers {
  std::string id;
  std::vector<std::string> answers;  // none: unanswerable
};
using GivenAnswers = std::map<std::string, std::string, std::less<>>;  // by question id

struct MeanScore {
  AnswerScore mean;  // all 0 where there are no questions
  std::size_t questions = 0;
};

// The threshold on "there is no answer" that would have been best; scores as fractions.
struct BestThreshold {
  double score = 0;
  double threshold = 0;

  friend bool operator==(const BestThreshold&, const BestThreshold&) = default;
};

struct SquadFileScore {
  MeanScore all;
  MeanScore with_answer;
  MeanScore without_answer;
  std::optional<BestThreshold> best_em;  // where probabilities were given
  std::optional<BestThreshold> best_f1;
  std::vector<std::string> missing;  // ids without a prediction, which counts 0; the published script dies of one
};

// For each question how probable it is, to the model, that there is no answer. A probability above the threshold
// makes the prediction "no answer": 1 where there is none, else 0.
struct NoAnswer {
  std::map<std::string, double, std::less<>> probabilities;
  double threshold = 1;
};

// Predictions for other questions are ignored, here and below. kBadInput where there is no gold question, an id stands
// twice, or probabilities are given and a question has none.
Result<SquadFileScore> squad_file_score(std::span<const GoldAnswers> gold, const GivenAnswers& given,
                                        const std::optional<NoAnswer>& no_answer = std::nullopt);

struct OpenFileScore {
  AnswerScore mean;  // F1 0 for kDpr, which has none
  double cover = 0;  // mean cover_em by the same normalisation
  std::size_t questions = 0;
  std::vector<std::string> missing;  // ids without a prediction, which counts 0
};

// TriviaQA's script (kTriviaQa), DPR's reader (kDpr), or SQuAD's normalisation with HotpotQA's yes and no (kSquad). A
// question without gold answers counts 0. kBadInput where there is no gold question or an id stands twice.
Result<OpenFileScore> open_file_score(std::span<const GoldAnswers> gold, const GivenAnswers& given, AnswerRules rules);

}  // namespace harnessg::metrics
