#include "bench/episode_figures.h"

#include <array>
#include <vector>

#include "bench/policies.h"
#include "credit/metrics/answer_match.h"
#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "credit/metrics/trace_prediction.h"

namespace harnessg::bench {
namespace {

using Figures = std::map<std::string, double>;

constexpr std::array<const char*, 3> kLevels = {"paragraphs", "sentences", "answer"};

// By the rules of the data set's own script; precision and recall where it has them.
metrics::PartScore answer_score(const AskedQuestion& asked, const std::string& given) {
  const std::vector<std::string>& golds = asked.question.record.answers;
  const auto plain = [](const metrics::AnswerScore& score) { return metrics::PartScore{score.em, score.f1, 0, 0}; };
  switch (asked.kind) {
    case DatasetKind::kTwoWiki:
      return metrics::two_wiki_answer(given, golds);
    case DatasetKind::kMusique:
      return plain(metrics::musique_answer(given, golds));
    case DatasetKind::kTriviaqa:
      return plain(metrics::triviaqa_answer(given, golds));
    case DatasetKind::kNq:
      return {metrics::dpr_em(given, golds) ? 1.0 : 0.0, metrics::squad_answer(given, golds).f1, 0, 0};
    default:
      return metrics::best_hotpot_answer(given, golds);
  }
}

void add_answer(const AskedQuestion& asked, const Played& played, Figures& figures) {
  const auto& golds = asked.question.record.answers;
  if (golds.empty()) return;
  figures["answered"] = played.answered ? 1 : 0;
  const metrics::PartScore score = played.answered ? answer_score(asked, played.answer) : metrics::PartScore{};
  figures["EM"] = score.em;
  figures["F1"] = score.f1;
  figures["cover EM"] = played.answered && metrics::cover_em(played.answer, golds) ? 1 : 0;
}

// Supporting facts and the joint score by HotpotQA's and 2Wiki's scripts, support by MuSiQue's.
void add_support(const AskedQuestion& asked, const Played& played, Figures& figures) {
  if (asked.kind == DatasetKind::kMusique) {
    figures["support F1"] = metrics::musique_support(metrics::selected_support(asked.graph, played.selected),
                                                     metrics::gold_support(asked.paragraphs))
                                .f1;
    return;
  }
  const bool two_wiki = asked.kind == DatasetKind::kTwoWiki;
  if (!asked.gold.levels.levels[1].asked || (!two_wiki && asked.kind != DatasetKind::kHotpot)) return;
  metrics::Prediction given;
  given.facts.emplace();
  if (played.answered) given.answer = played.answer;
  for (const SentenceId s : played.selected)
    given.facts->push_back({std::string(asked.graph.title(asked.graph.paragraph(s))), asked.graph.position(s), ""});
  const metrics::GoldRecord gold = gold_record(asked.question);
  if (two_wiki) {
    const metrics::PartScore facts = metrics::two_wiki_facts(*given.facts, gold.facts);
    figures["support EM"] = facts.em;
    figures["support F1"] = facts.f1;
    return;
  }
  const metrics::HotpotScore score = metrics::hotpot_score(gold, given);
  figures["support EM"] = score.facts.em;
  figures["support F1"] = score.facts.f1;
  figures["joint EM"] = score.joint.em;
  figures["joint F1"] = score.joint.f1;
}

void add_evidence(const AskedQuestion& asked, const Played& played, Figures& figures) {
  const Gold& gold = asked.gold.gold;
  const UnitMask seen = gold.found_by_all(played.seen);
  const UnitMask selected = gold.found_by_all(played.selected);
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    const LevelReach& reach = asked.gold.levels.levels[level];
    const UnitMask wanted = gold.units(static_cast<UnitKind>(level));
    if (!reach.asked) continue;
    const std::string name = kLevels[level];
    const bool all = reach.in_corpus && wanted != 0 && (wanted & ~seen) == 0;
    figures["all seen, " + name] = all ? 1 : 0;
    if (level == static_cast<std::size_t>(UnitKind::kAnswer)) continue;  // one unit: its recall is "all seen"
    figures["recall of seen, " + name] = wanted == 0 ? 0 : recall(seen, wanted);
    figures["recall of selected, " + name] = wanted == 0 ? 0 : recall(selected, wanted);
  }
}

Figures figures_of(const AskedQuestion& asked, const Played& played) {
  Figures figures;
  add_evidence(asked, played, figures);
  add_answer(asked, played, figures);
  add_support(asked, played, figures);
  figures["turns"] = static_cast<double>(played.turns);
  figures["blocked turns"] = static_cast<double>(played.blocked);
  figures["lookups"] = static_cast<double>(played.lookups);
  figures["lookups with news"] = static_cast<double>(played.with_news);
  figures["repeated lookups"] = static_cast<double>(played.repeated);
  return figures;
}

// Rewards of a group by figure; a group whose questions lack the figure has none.
void add_zero_advantage(const std::vector<Figures>& rollouts, const char* figure, const std::string& prefix,
                        Figures& values) {
  std::vector<double> rewards;
  for (const Figures& figures : rollouts) {
    if (const auto at = figures.find(figure); at != figures.end()) rewards.push_back(at->second);
  }
  if (rewards.size() == rollouts.size()) values[prefix + "ACR, " + figure] = zero_advantage(rewards) ? 1 : 0;
}

}  // namespace

void add_episode_figures(const AskedQuestion& asked, const std::string& player, std::span<const Played> rollouts,
                         std::map<std::string, double>& values) {
  if (rollouts.empty()) return;
  std::vector<Figures> all;
  const auto count = static_cast<double>(rollouts.size());
  for (const Played& played : rollouts) {
    all.push_back(figures_of(asked, played));
    for (const auto& [name, value] : all.back()) values["play/" + player + "/" + name] += value / count;
  }
  if (rollouts.size() < 2) return;
  const std::string prefix = "collapse/" + player + "/";
  const GroupCollapse collapse = group_collapse(rollouts);
  values[prefix + "classes"] = static_cast<double>(collapse.classes);
  values[prefix + "classes at 0.8"] = static_cast<double>(collapse.classes_alike);
  values[prefix + "two classes or more"] = collapse.classes > 1 ? 1 : 0;
  values[prefix + "two classes or more at 0.8"] = collapse.classes_alike > 1 ? 1 : 0;
  values[prefix + "query forms"] = collapse.query_forms;
  for (const char* reward : {"EM", "F1", "recall of seen, paragraphs", "all seen, answer"})
    add_zero_advantage(all, reward, prefix, values);
}

}  // namespace harnessg::bench
