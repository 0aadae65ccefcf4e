#include "credit/metrics/musique.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "credit/metrics/part_score.h"

namespace harnessg::metrics {
namespace {

// F1 of the lines of one id, and whether their labels are right.
struct Group {
  std::size_t lines = 0;
  std::size_t answerable = 0;
  bool labels_right = true;
  SufficiencyScore f1;
};
using Groups = std::map<std::string_view, Group>;

Status check_lines(std::span<const MusiqueGold> gold, std::span<const MusiquePrediction> given) {
  if (gold.size() != given.size()) {
    return fail(ErrorCode::kBadInput, "{} predictions for {} gold lines; give one a line, in their order", given.size(),
                gold.size());
  }
  for (std::size_t i = 0; i < gold.size(); ++i) {
    if (gold[i].id != given[i].id) {
      return fail(ErrorCode::kBadInput, "line {}: prediction for \"{}\" where the gold line is \"{}\"; keep its order",
                  i + 1, given[i].id, gold[i].id);
    }
    if (gold[i].answerable && (!given[i].answer || !given[i].support)) {
      return fail(ErrorCode::kBadInput, "line {}: no {} predicted for \"{}\", which is answerable; give one", i + 1,
                  given[i].answer ? "support" : "answer", gold[i].id);
    }
  }
  return {};
}

Result<SufficiencyScore> mean_of(const Groups& groups) {
  SufficiencyScore sum;
  for (const auto& [id, group] : groups) {
    if (group.lines != 2 || group.answerable != 1) {
      return fail(ErrorCode::kBadInput,
                  "\"{}\" has {} lines, {} of them answerable; with unanswerable lines in the file every id needs one "
                  "of each kind",
                  id, group.lines, group.answerable);
    }
    if (!group.labels_right) continue;
    sum.answer_f1 += group.f1.answer_f1;
    sum.support_f1 += group.f1.support_f1;
  }
  const auto count = static_cast<double>(groups.size());
  return SufficiencyScore{sum.answer_f1 / count, sum.support_f1 / count};
}

AnswerScore mean_of(const AnswerScore& sum, std::size_t count) {
  if (count == 0) return {};
  return {sum.em / static_cast<double>(count), sum.f1 / static_cast<double>(count)};
}

void add(AnswerScore& sum, const AnswerScore& score) {
  sum.em += score.em;
  sum.f1 += score.f1;
}

}  // namespace

AnswerScore musique_support(const Support& given, const std::set<std::int64_t>& gold) {
  const auto right = static_cast<std::size_t>(std::count_if(given.paragraphs.begin(), given.paragraphs.end(),
                                                            [&gold](std::int64_t p) { return gold.contains(p); }));
  const std::size_t wrong = given.paragraphs.size() - right + given.unreadable.size();
  const PartScore score = score_of_counts(right, wrong, gold.size() - right);
  return {score.em, gold.empty() && wrong == 0 ? 1 : score.f1};
}

Result<MusiqueFileScore> musique_file_score(std::span<const MusiqueGold> gold,
                                            std::span<const MusiquePrediction> given) {
  HARNESSG_RETURN_IF_ERROR(check_lines(gold, given));
  MusiqueFileScore file;
  AnswerScore answers;
  AnswerScore supports;
  Groups groups;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    Group& group = groups[gold[i].id];
    ++group.lines;
    group.labels_right = group.labels_right && given[i].answerable == gold[i].answerable;
    if (!gold[i].answerable) continue;
    const AnswerScore answer = musique_answer(*given[i].answer, gold[i].answers);
    const AnswerScore support = musique_support(*given[i].support, gold[i].support);
    ++group.answerable;
    group.f1 = {answer.f1, support.f1};
    ++file.answerable;
    add(answers, answer);
    add(supports, support);
  }
  file.answer = mean_of(answers, file.answerable);
  file.support = mean_of(supports, file.answerable);
  if (file.answerable < gold.size()) {
    HARNESSG_ASSIGN(file.sufficiency, mean_of(groups));
  }
  return file;
}

}  // namespace harnessg::metrics
