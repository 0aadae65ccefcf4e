#include "bench/reach_study.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <optional>

#include "bench/answer_sentences.h"
#include "bench/policies.h"
#include "credit/models/lexical_proxy.h"
#include "data/splitmix.h"

namespace harnessg::bench {
namespace {

constexpr std::array<UnitKind, 3> kKinds = {UnitKind::kParagraph, UnitKind::kSentence, UnitKind::kAnswer};

}  // namespace

struct ReachStudy::Impl {
  static Result<Impl> create(const Environment& environment, std::shared_ptr<const Index> index,
                             std::shared_ptr<const Embedder> embedder, const StudyOptions& options) {
    Impl study(environment, options);
    for (const std::string& name : options.policies) {
      HARNESSG_ASSIGN(auto policy, make_policy(name, environment, std::make_shared<LexicalProxy>()));
      study.policies_.push_back(std::move(policy));
    }
    if (options.explain_misses) {
      HARNESSG_ASSIGN(study.explainer_, MissExplainer::create(environment, std::move(index), std::move(embedder)));
    }
    return study;
  }

  Result<QuestionReach> measure(const QuestionRecord& question, std::size_t number) const {
    QuestionReach reach;
    reach.id = question.id;
    HARNESSG_ASSIGN(const Gold gold, resolve(question, reach));
    const Task task{question.question, question.answers, question.id, 0};
    const auto begin = std::chrono::steady_clock::now();
    HARNESSG_RETURN_IF_ERROR(search_seen(task, gold, reach));
    if (options_.selected) HARNESSG_RETURN_IF_ERROR(search_selected(task, gold, reach));
    reach.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    HARNESSG_RETURN_IF_ERROR(play_policies(task, gold, number, reach));
    return reach;
  }

  Result<Gold> resolve(const QuestionRecord& question, QuestionReach& reach) const {
    ResolvedFacts all;
    LevelReach& paragraphs = reach.levels[0];
    LevelReach& sentences = reach.levels[1];
    for (const SupportingFact& fact : question.supporting_facts) {
      QuestionRecord one;
      one.supporting_facts = {fact};
      const ResolvedFacts found = resolver_.resolve(one);
      paragraphs.asked = true;
      sentences.asked |= fact.sentence.has_value();
      if (found.paragraphs.empty()) paragraphs.in_corpus = false;
      if (fact.sentence && found.sentences.empty()) sentences.in_corpus = false;
    }
    all = resolver_.resolve(question);
    reach.missing = all.missing;
    const std::vector<SentenceId> answer = answers_.find(question.answers);
    reach.levels[2].asked = !answer.empty();
    return Gold::create(environment_.index().graph(), all.paragraphs, all.sentences, answer);
  }

 private:
  Impl(const Environment& environment, const StudyOptions& options)
      : environment_(environment),
        options_(options),
        resolver_(environment.index().graph()),
        answers_(environment.index().graph()) {}

  // Positions in `goals` of the levels that can be searched for; goals[i] is all units of a level.
  static std::vector<UnitKind> searchable(const Gold& gold, const QuestionReach& reach, std::vector<UnitMask>& goals) {
    std::vector<UnitKind> kinds;
    for (const UnitKind kind : kKinds) {
      const LevelReach& level = reach.levels[static_cast<std::size_t>(kind)];
      if (!level.asked || !level.in_corpus) continue;
      kinds.push_back(kind);
      goals.push_back(gold.units(kind));
    }
    return kinds;
  }

  Status search_seen(const Task& task, const Gold& gold, QuestionReach& reach) const {
    std::vector<UnitMask> goals;
    const std::vector<UnitKind> kinds = searchable(gold, reach, goals);
    for (std::size_t u = 0; u < gold.size(); ++u) goals.push_back(UnitMask{1} << u);  // each alone, for the reasons
    HARNESSG_ASSIGN(const Episode start, environment_.reset(task));
    OracleOptions options;
    options.transitions = options_.transitions;
    HARNESSG_ASSIGN(const Reach seen, search(environment_, start, gold, goals, options));
    reach.transitions += seen.transitions;
    UnitMask alone = 0;
    for (std::size_t u = 0; u < gold.size(); ++u) {
      if (seen.goals[kinds.size() + u].verdict == Verdict::kReached) alone |= UnitMask{1} << u;
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      LevelReach& level = reach.levels[static_cast<std::size_t>(kinds[i])];
      level.seen = seen.goals[i].verdict;
      level.actions = static_cast<std::uint32_t>(seen.goals[i].path.size());
      HARNESSG_ASSIGN(const UnitMask greedy, greedy_seen(environment_, start, gold, goals[i]));
      level.greedy = greedy == goals[i];
    }
    return explain(task, gold, ~alone, reach);
  }

  Status explain(const Task& task, const Gold& gold, UnitMask not_alone, QuestionReach& reach) const {
    UnitMask missed = 0;
    for (const UnitKind kind : kKinds) {
      LevelReach& level = reach.levels[static_cast<std::size_t>(kind)];
      if (level.asked && !level.in_corpus) level.reason = MissReason::kNotInCorpus;
      if (level.asked && level.in_corpus && level.seen == Verdict::kUnreachable) missed |= gold.units(kind) & not_alone;
    }
    std::vector<MissReason> reasons(gold.size(), MissReason::kNotTogether);
    if (missed != 0 && explainer_) {
      HARNESSG_ASSIGN(reasons, explainer_->explain(task, gold, missed));
    }
    for (const UnitKind kind : kKinds) {
      LevelReach& level = reach.levels[static_cast<std::size_t>(kind)];
      if (level.seen == Verdict::kUnknown) level.reason = MissReason::kUnknown;
      if (level.seen != Verdict::kUnreachable || !level.in_corpus) continue;
      for (UnitMask units = gold.units(kind); units != 0; units &= units - 1)
        level.reason = std::max(level.reason, reasons[static_cast<std::size_t>(std::countr_zero(units))]);
    }
    return {};
  }

  Status search_selected(const Task& task, const Gold& gold, QuestionReach& reach) const {
    std::vector<UnitMask> goals;
    const std::vector<UnitKind> kinds = searchable(gold, reach, goals);
    HARNESSG_ASSIGN(const Episode start, environment_.reset(task));
    OracleOptions options;
    options.found = Found::kSelected;
    options.transitions = options_.transitions;
    HARNESSG_ASSIGN(const Reach selected, search(environment_, start, gold, goals, options));
    reach.transitions += selected.transitions;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      reach.levels[static_cast<std::size_t>(kinds[i])].selected = selected.goals[i].verdict;
    return {};
  }

  Status play_policies(const Task& task, const Gold& gold, std::size_t number, QuestionReach& reach) const {
    for (const auto& policy : policies_) {
      const std::uint32_t rollouts = policy->name().starts_with("random") ? options_.rollouts : 1;
      PolicyReach& played = reach.policies.emplace_back();
      for (std::uint32_t n = 0; n < rollouts; ++n) {
        Task seeded = task;
        seeded.seed = SplitMix::at(options_.seed, number * rollouts + n);
        HARNESSG_ASSIGN(const PolicyRun run, run_policy(environment_, *policy, seeded));
        reach.menu_actions += run.menu_actions;
        reach.menus += run.menus;
        add(run, gold, reach, 1.0 / rollouts, played);
      }
    }
    return {};
  }

  static void add(const PolicyRun& run, const Gold& gold, const QuestionReach& reach, double weight,
                  PolicyReach& played) {
    const EvidenceFound found = evidence_found(gold, run.episode);
    played.at_a_loss += run.at_a_loss > 0 ? weight : 0.0;
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      const UnitMask wanted = gold.units(kKinds[kind]);
      if (!reach.levels[kind].asked || wanted == 0) continue;
      const bool all = reach.levels[kind].in_corpus && (wanted & ~found.seen) == 0;
      played.seen_all[kind] += all ? weight : 0.0;
      played.seen_recall[kind] += weight * recall(found.seen, wanted);
      played.selected_recall[kind] += weight * recall(found.selected, wanted);
    }
  }

  const Environment& environment_;
  const StudyOptions options_;
  FactResolver resolver_;
  AnswerSentences answers_;
  std::vector<std::unique_ptr<Policy>> policies_;
  std::optional<MissExplainer> explainer_;
};

ReachStudy::ReachStudy(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<ReachStudy> ReachStudy::create(const Environment& environment, std::shared_ptr<const Index> index,
                                      std::shared_ptr<const Embedder> embedder, const StudyOptions& options) {
  HARNESSG_ASSIGN(Impl impl, Impl::create(environment, std::move(index), std::move(embedder), options));
  return ReachStudy(std::make_shared<const Impl>(std::move(impl)));
}

Result<QuestionGold> ReachStudy::gold(const QuestionRecord& question) const {
  QuestionReach reach;
  HARNESSG_ASSIGN(Gold gold, impl_->resolve(question, reach));
  return QuestionGold{std::move(gold), std::move(reach)};
}

Result<QuestionReach> ReachStudy::measure(const QuestionRecord& question, std::size_t number) const {
  return impl_->measure(question, number);
}

Result<std::vector<QuestionReach>> study_reach(const Environment& environment, std::shared_ptr<const Index> index,
                                               std::shared_ptr<const Embedder> embedder,
                                               std::span<const QuestionRecord> questions, const StudyOptions& options) {
  HARNESSG_ASSIGN(const ReachStudy study,
                  ReachStudy::create(environment, std::move(index), std::move(embedder), options));
  std::vector<Result<QuestionReach>> rows(questions.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> failed = false;
  const auto measure = [&](std::size_t i) {
    if (failed) return;
    rows[i] = study.measure(questions[i], i);
    if (!rows[i]) failed = true;
    if (options.progress) options.progress(++done);
  };
  tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : static_cast<int>(options.threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, questions.size(), measure, tbb::simple_partitioner{}); });
  std::vector<QuestionReach> all;
  for (auto& row : rows) {
    HARNESSG_ASSIGN(QuestionReach reach, std::move(row));
    all.push_back(std::move(reach));
  }
  return all;
}

}  // namespace harnessg::bench
