#include "credit/metrics/joint_evaluation.h"

#include <set>
#include <string_view>
#include <type_traits>

#include "credit/metrics/answer_match.h"

namespace harnessg::metrics {
namespace {

// The answer, then its aliases.
std::vector<std::string> golds_of(const GoldRecord& gold, const Aliases& aliases) {
  std::vector<std::string> golds = {gold.answer};
  if (const auto found = aliases.find(gold.answer_id); found != aliases.end())
    golds.insert(golds.end(), found->second.begin(), found->second.end());
  return golds;
}

PartScore two_wiki_triples(const GoldRecord& gold, const Prediction& given, const Aliases& aliases,
                           const TwoWikiRules& rules) {
  if (!given.triples) return {};
  return rules.version == TwoWikiVersion::kV1_0 ? triples_v1_0(*given.triples, gold.triples)
                                                : triples_v1_1(*given.triples, gold.triples, aliases, rules.counting);
}

void add(HotpotScore& sum, const HotpotScore& score) {
  sum.answer += score.answer;
  sum.facts += score.facts;
  sum.joint += score.joint;
}

void add(TwoWikiScore& sum, const TwoWikiScore& score) {
  sum.answer += score.answer;
  sum.facts += score.facts;
  sum.triples += score.triples;
  sum.joint += score.joint;
}

HotpotScore mean(const HotpotScore& sum, std::size_t count) {
  return {sum.answer / count, sum.facts / count, sum.joint / count};
}

TwoWikiScore mean(const TwoWikiScore& sum, std::size_t count) {
  return {sum.answer / count, sum.facts / count, sum.triples / count, sum.joint / count};
}

template <class Score>
void note_missing(const GoldRecord& gold, const Prediction& given, FileScore<Score>& file) {
  if (!given.answer) file.missing.push_back({gold.id, "answer"});
  if (!given.facts) file.missing.push_back({gold.id, "sp"});
  if (std::is_same_v<Score, TwoWikiScore> && !given.triples) file.missing.push_back({gold.id, "evidence"});
}

template <class Score, class ScoreOne>
Result<FileScore<Score>> file_score(std::span<const GoldRecord> gold, const Predictions& given,
                                    const ScoreOne& score_one) {
  if (gold.empty())
    return fail(ErrorCode::kBadInput, "there is no gold question to average over; give the data set's file");
  FileScore<Score> file;
  Score sum;
  std::set<std::string_view> ids;
  for (const GoldRecord& question : gold) {
    if (!ids.insert(question.id).second)
      return fail(ErrorCode::kBadInput, "two gold questions have the id \"{}\"; remove one", question.id);
    const auto found = given.find(question.id);
    const Prediction& prediction = found == given.end() ? Prediction{} : found->second;
    note_missing(question, prediction, file);
    add(sum, score_one(question, prediction));
  }
  file.questions = gold.size();
  file.mean = mean(sum, gold.size());
  return file;
}

}  // namespace

HotpotScore hotpot_score(const GoldRecord& gold, const Prediction& given) {
  HotpotScore score;
  if (given.answer) score.answer = hotpot_answer(*given.answer, gold.answer);
  if (given.facts) score.facts = hotpot_facts(*given.facts, gold.facts);
  if (given.answer && given.facts) score.joint = joint({score.answer, score.facts});
  return score;
}

TwoWikiScore two_wiki_score(const GoldRecord& gold, const Prediction& given, const Aliases& aliases,
                            const TwoWikiRules& rules) {
  TwoWikiScore score;
  if (given.answer) {
    score.answer = rules.version == TwoWikiVersion::kV1_0 ? hotpot_answer(*given.answer, gold.answer)
                                                          : two_wiki_answer(*given.answer, golds_of(gold, aliases));
  }
  if (given.facts) score.facts = two_wiki_facts(*given.facts, gold.facts, rules.counting);
  score.triples = two_wiki_triples(gold, given, aliases, rules);
  if (given.answer && given.facts && given.triples) score.joint = joint({score.answer, score.facts, score.triples});
  return score;
}

Result<FileScore<HotpotScore>> hotpot_file_score(std::span<const GoldRecord> gold, const Predictions& given) {
  return file_score<HotpotScore>(gold, given, [](const GoldRecord& question, const Prediction& prediction) {
    return hotpot_score(question, prediction);
  });
}

Result<FileScore<TwoWikiScore>> two_wiki_file_score(std::span<const GoldRecord> gold, const Predictions& given,
                                                    const Aliases& aliases, const TwoWikiRules& rules) {
  return file_score<TwoWikiScore>(gold, given, [&](const GoldRecord& question, const Prediction& prediction) {
    return two_wiki_score(question, prediction, aliases, rules);
  });
}

}  // namespace harnessg::metrics
