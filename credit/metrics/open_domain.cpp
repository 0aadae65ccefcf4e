#include "credit/metrics/open_domain.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace harnessg::metrics {
namespace {

Status check_questions(std::span<const GoldAnswers> gold) {
  if (gold.empty())
    return fail(ErrorCode::kBadInput, "there is no gold question to average over; give the data set's file");
  std::set<std::string_view> ids;
  for (const GoldAnswers& question : gold) {
    if (!ids.insert(question.id).second)
      return fail(ErrorCode::kBadInput, "two gold questions have the id \"{}\"; remove one", question.id);
  }
  return {};
}

// One question on its way to the sums.
struct Scored {
  AnswerScore score;
  bool has_answer = false;
  bool missing = true;
  bool given_any = false;  // the prediction is not empty
  double no_answer = 0;    // probability
};

void add(const AnswerScore& score, MeanScore& sum) {
  sum.mean.em += score.em;
  sum.mean.f1 += score.f1;
  ++sum.questions;
}

void divide(MeanScore& sum) {
  if (sum.questions == 0) return;
  sum.mean.em /= static_cast<double>(sum.questions);
  sum.mean.f1 /= static_cast<double>(sum.questions);
}

// Raises the threshold over the questions, surest of an answer first, and keeps where the sum was highest. An answered
// question without an answer costs what "no answer" had earned there.
BestThreshold best_threshold(std::span<const Scored> by_probability, double AnswerScore::*figure) {
  double sum = static_cast<double>(
      std::count_if(by_probability.begin(), by_probability.end(), [](const Scored& one) { return !one.has_answer; }));
  BestThreshold best{sum, 0};
  for (const Scored& one : by_probability) {
    sum += one.has_answer ? one.score.*figure : one.given_any ? -1 : 0;
    if (sum > best.score) best = {sum, one.no_answer};
  }
  best.score /= static_cast<double>(by_probability.size());
  return best;
}

Status take_probabilities(std::span<const GoldAnswers> gold, const NoAnswer& no_answer, std::vector<Scored>& scored) {
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const auto found = no_answer.probabilities.find(gold[i].id);
    if (found == no_answer.probabilities.end())
      return fail(ErrorCode::kBadInput, "no probability of \"no answer\" for \"{}\"; give one a question", gold[i].id);
    scored[i].no_answer = found->second;
  }
  return {};
}

void find_best_thresholds(std::vector<Scored> scored, SquadFileScore& file) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.no_answer < b.no_answer; });
  file.best_em = best_threshold(scored, &AnswerScore::em);
  file.best_f1 = best_threshold(scored, &AnswerScore::f1);
}

AnswerScore open_score(const std::string& given, const std::vector<std::string>& golds, AnswerRules rules) {
  if (rules == AnswerRules::kTriviaQa) return triviaqa_answer(given, golds);
  if (rules == AnswerRules::kDpr) return {dpr_em(given, golds) ? 1.0 : 0.0, 0};
  const PartScore score = best_hotpot_answer(given, golds);
  return {score.em, score.f1};
}

}  // namespace

Result<SquadFileScore> squad_file_score(std::span<const GoldAnswers> gold, const GivenAnswers& given,
                                        const std::optional<NoAnswer>& no_answer) {
  HARNESSG_RETURN_IF_ERROR(check_questions(gold));
  SquadFileScore file;
  std::vector<Scored> scored;
  for (const GoldAnswers& question : gold) {
    Scored& one = scored.emplace_back();
    one.has_answer = !question.answers.empty();
    const auto found = given.find(question.id);
    if (found == given.end()) {
      file.missing.push_back(question.id);
      continue;
    }
    one.missing = false;
    one.score = squad_answer(found->second, question.answers);
    one.given_any = !found->second.empty();
  }
  if (no_answer) HARNESSG_RETURN_IF_ERROR(take_probabilities(gold, *no_answer, scored));
  for (const Scored& one : scored) {
    const bool says_none = no_answer && !one.missing && one.no_answer > no_answer->threshold;
    const double none = one.has_answer ? 0 : 1;
    const AnswerScore score = says_none ? AnswerScore{none, none} : one.score;
    add(score, file.all);
    add(score, one.has_answer ? file.with_answer : file.without_answer);
  }
  for (MeanScore* const mean : {&file.all, &file.with_answer, &file.without_answer}) divide(*mean);
  if (no_answer) find_best_thresholds(std::move(scored), file);
  return file;
}

Result<OpenFileScore> open_file_score(std::span<const GoldAnswers> gold, const GivenAnswers& given, AnswerRules rules) {
  HARNESSG_RETURN_IF_ERROR(check_questions(gold));
  OpenFileScore file;
  MeanScore sum;
  double covered = 0;
  for (const GoldAnswers& question : gold) {
    const auto found = given.find(question.id);
    if (found == given.end()) {
      file.missing.push_back(question.id);
      add({}, sum);
      continue;
    }
    add(open_score(found->second, question.answers, rules), sum);
    covered += cover_em(found->second, question.answers, rules) ? 1 : 0;
  }
  divide(sum);
  file.mean = sum.mean;
  file.questions = sum.questions;
  file.cover = covered / static_cast<double>(sum.questions);
  return file;
}

}  // namespace harnessg::metrics
