#include "credit/metrics/answer_match.h"

#include <algorithm>
#include <array>
#include <vector>

namespace harnessg::metrics {
namespace {

constexpr std::array<std::string_view, 3> kNoParts = {"yes", "no", "noanswer"};

bool has_no_parts(std::string_view normalised) {
  return std::find(kNoParts.begin(), kNoParts.end(), normalised) != kNoParts.end();
}

// F1, precision and recall over the words of two normalised texts as multisets; `em` is left 0.
PartScore word_overlap(std::string_view given, std::string_view gold) {
  std::vector<std::string_view> left = answer_words(given);
  std::vector<std::string_view> right = answer_words(gold);
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::vector<std::string_view> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  PartScore score;
  if (both.empty()) return score;
  const auto shared = static_cast<double>(both.size());
  score.precision = shared / static_cast<double>(left.size());
  score.recall = shared / static_cast<double>(right.size());
  score.f1 = f1_of(score.precision, score.recall);
  return score;
}

PartScore hotpot_normalised(std::string_view given, std::string_view gold) {
  PartScore score;
  if (given == gold || (!has_no_parts(given) && !has_no_parts(gold))) score = word_overlap(given, gold);
  score.em = given == gold ? 1 : 0;
  return score;
}

// SQuAD's: two texts without words are equal in F1 as well.
AnswerScore squad_normalised(std::string_view given, std::string_view gold) {
  const double equal = given == gold ? 1 : 0;
  return {equal, given.empty() || gold.empty() ? equal : word_overlap(given, gold).f1};
}

void raise(AnswerScore& best, const AnswerScore& score) {
  best.em = std::max(best.em, score.em);
  best.f1 = std::max(best.f1, score.f1);
}

bool has_run(const std::vector<std::string_view>& words, const std::vector<std::string_view>& run) {
  return std::search(words.begin(), words.end(), run.begin(), run.end()) != words.end();
}

}  // namespace

PartScore hotpot_answer(std::string_view given, std::string_view gold) {
  return hotpot_normalised(normalise_answer(given), normalise_answer(gold));
}

PartScore best_hotpot_answer(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given);
  PartScore best;
  double em = 0;
  for (std::size_t i = 0; i < golds.size(); ++i) {
    const PartScore score = hotpot_normalised(normalised, normalise_answer(golds[i]));
    em = std::max(em, score.em);
    if (i == 0 || score.f1 > best.f1) best = score;
  }
  best.em = em;
  return best;
}

PartScore two_wiki_answer(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given);
  PartScore best;
  for (const std::string& gold : golds) {
    const PartScore score = hotpot_normalised(normalised, normalise_answer(gold));
    best.em = std::max(best.em, score.em);
    best.f1 = std::max(best.f1, score.f1);
    best.precision = std::max(best.precision, score.precision);
    best.recall = std::max(best.recall, score.recall);
  }
  return best;
}

AnswerScore musique_answer(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given);
  AnswerScore best;
  for (const std::string& gold : golds) raise(best, squad_normalised(normalised, normalise_answer(gold)));
  return best;
}

AnswerScore squad_answer(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given);
  AnswerScore best;
  bool any = false;
  for (const std::string& gold : golds) {
    const std::string normalised_gold = normalise_answer(gold);
    if (normalised_gold.empty()) continue;
    any = true;
    raise(best, squad_normalised(normalised, normalised_gold));
  }
  return any ? best : squad_normalised(normalised, "");
}

AnswerScore triviaqa_answer(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given, AnswerRules::kTriviaQa);
  AnswerScore best;
  for (const std::string& gold : golds) {
    const std::string normalised_gold = normalise_answer(gold, AnswerRules::kTriviaQa);
    raise(best, {normalised == normalised_gold ? 1.0 : 0.0, word_overlap(normalised, normalised_gold).f1});
  }
  return best;
}

bool dpr_em(std::string_view given, std::span<const std::string> golds) {
  const std::string normalised = normalise_answer(given, AnswerRules::kDpr);
  return std::any_of(golds.begin(), golds.end(),
                     [&](const std::string& gold) { return normalise_answer(gold, AnswerRules::kDpr) == normalised; });
}

bool cover_em(std::string_view given, std::span<const std::string> golds, AnswerRules rules) {
  const std::string normalised = normalise_answer(given, rules);
  const std::vector<std::string_view> words = answer_words(normalised);
  return std::any_of(golds.begin(), golds.end(), [&](const std::string& gold) {
    const std::string normalised_gold = normalise_answer(gold, rules);
    const std::vector<std::string_view> run = answer_words(normalised_gold);
    return run.empty() ? words.empty() : has_run(words, run);
  });
}

}  // namespace harnessg::metrics
