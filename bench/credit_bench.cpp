// credit_bench INDEX QUESTIONS: what step credit costs, what it saves the scorer, and what it says of random episodes.
// Figures as JSON lines on stdout (bench/figure.h), a table on stderr. Exit status 1 when a target does not hold.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "bench/answer_sentences.h"
#include "bench/figure.h"
#include "bench/measure.h"
#include "bench/policies.h"
#include "credit/context_batch.h"
#include "credit/models/lexical_proxy.h"
#include "credit/rollout.h"
#include "credit/snc.h"
#include "data/questions.h"
#include "data/splitmix.h"
#include "engine/environment.h"
#include "menu/config.h"

namespace {

using namespace harnessg;
using namespace harnessg::bench;

constexpr std::size_t kGroup = 8;
constexpr std::size_t kTimedGroups = 125;
constexpr std::uint32_t kTimedActions = 5;
constexpr int kRepetitions = 5;
constexpr double kSeconds = 0.5;
constexpr double kShare = 0.1;
constexpr double kSaved = 0.6;

bool all_hold = true;

void figure(const std::string& name, double value, const std::string& unit, const std::string& target, bool holds,
            const nlohmann::ordered_json& details = nlohmann::ordered_json::object()) {
  all_hold = all_hold && holds;
  print_figure(name, rounded(value), unit, target, holds, details);
}

Task task_of(const QuestionRecord& question, std::uint64_t number) {
  return {question.question, question.answers, question.id, SplitMix::at(0, number)};
}

// A draw among what searches, so that an episode has all its steps; every menu is previewed whole before.
Status play_previewed(const Environment& environment, Episode& episode, std::vector<Outcome>& previews) {
  SplitMix bits(episode.seed());
  for (std::uint32_t taken = 0; taken < kTimedActions && !episode.over(); ++taken) {
    HARNESSG_RETURN_IF_ERROR(environment.preview_all(episode, previews));
    std::vector<std::size_t> searching;
    for (std::size_t i = 0; i < episode.menu().size(); ++i) {
      const ActionKind kind = episode.menu()[i].kind;
      if (kind == ActionKind::kSelect || kind == ActionKind::kLookup) searching.push_back(i);
    }
    if (searching.empty()) break;
    HARNESSG_RETURN_IF_ERROR(environment.step(episode, searching[bits.next() % searching.size()]));
  }
  return {};
}

struct Cost {
  Samples stepping, recording, credit;
  std::size_t episodes = 0;
  std::size_t steps = 0;
};

// Caches are empty at the start of each repetition.
Status time_once(std::shared_ptr<const Index> index, const EnvironmentOptions& options,
                 std::span<const QuestionRecord> questions, Cost& cost) {
  HARNESSG_ASSIGN(const auto environment, Environment::create(std::move(index), options, nullptr));
  std::vector<Episode> episodes;
  std::vector<Outcome> previews;
  double begin = process_seconds();
  for (std::size_t i = 0; i < questions.size() * kGroup; ++i) {
    HARNESSG_ASSIGN(Episode episode, environment->reset(task_of(questions[i / kGroup], i)));
    HARNESSG_RETURN_IF_ERROR(play_previewed(*environment, episode, previews));
    episodes.push_back(std::move(episode));
  }
  cost.stepping.add(process_seconds() - begin);
  begin = process_seconds();
  std::vector<Trace> traces;
  for (const Episode& episode : episodes) {
    HARNESSG_ASSIGN(Trace trace, environment->trace(episode, true));
    traces.push_back(std::move(trace));
  }
  cost.recording.add(process_seconds() - begin);
  begin = process_seconds();
  HARNESSG_ASSIGN(const auto credit, snc_credit(traces, LexicalProxy()));
  cost.credit.add(process_seconds() - begin);
  cost.episodes = credit.size();
  cost.steps = 0;
  for (const EpisodeCredit& one : credit) cost.steps += one.steps.size();
  return {};
}

Status print_cost(const std::shared_ptr<const Index>& index, const EnvironmentOptions& options,
                  std::span<const QuestionRecord> questions) {
  Cost cost;
  const auto some = questions.first(std::min(kTimedGroups, questions.size()));
  for (int i = 0; i < kRepetitions; ++i) HARNESSG_RETURN_IF_ERROR(time_once(index, options, some, cost));
  const double credit = cost.credit.median();
  const double stepping = cost.stepping.median();
  const double recording = cost.recording.median();
  const nlohmann::ordered_json details{{"episodes", cost.episodes},
                                       {"steps", cost.steps},
                                       {"stepping_seconds", rounded(stepping)},
                                       {"recording_seconds", rounded(recording)},
                                       {"clock", "all threads of the process"},
                                       {"repetitions", kRepetitions},
                                       {"profile", options.config.profile}};
  const std::string suffix = "_" + options.config.profile;
  figure("snc_1000_episodes_seconds" + suffix, credit, "s", "<= 0.5", credit <= kSeconds, details);
  const double share = credit / stepping;
  figure("snc_share_of_stepping" + suffix, share, "", "<= 0.1", share <= kShare,
         {{"note", "credit of recorded traces over stepping with previews"}});
  const double whole = (credit + recording) / stepping;
  figure("recording_and_snc_share_of_stepping" + suffix, whole, "", "<= 0.1", whole <= kShare,
         {{"note", "Environment::trace plays each episode again, with its frontiers"}});
  return {};
}

struct Question {
  QuestionRecord record;
  Gold gold;
  std::vector<SentenceId> sentences;  // gold
};

// The first `most` whose gold sentences are all in the corpus and whose answer some sentence says.
Result<std::vector<Question>> with_gold(const Graph& graph, std::span<const QuestionRecord> questions,
                                        std::size_t most) {
  const FactResolver resolver(graph);
  const AnswerSentences answers(graph);
  std::vector<Question> kept;
  for (const QuestionRecord& question : questions) {
    if (kept.size() == most) break;
    const ResolvedFacts facts = resolver.resolve(question);
    const std::vector<SentenceId> answer = answers.find(question.answers);
    if (facts.sentences.empty() || !facts.missing.empty() || answer.empty()) continue;
    HARNESSG_ASSIGN(Gold gold, Gold::create(graph, facts.paragraphs, facts.sentences, answer));
    kept.push_back({question, std::move(gold), facts.sentences});
  }
  return kept;
}

// Whether a step brought a gold sentence, or an entity that one which is not seen yet names.
struct Brought {
  bool gold = false;
  bool bridge = false;
};

std::vector<Brought> what_steps_brought(const Graph& graph, const Question& question, const Trace& trace) {
  std::vector<Brought> brought;
  std::vector<SentenceId> left = question.sentences;
  for (const TraceStep& step : trace.steps) {
    Brought one;
    for (const SentenceId s : step.outcome.new_sentences) one.gold |= std::erase(left, s) > 0;
    for (const EntityId e : step.outcome.produced_entities) {
      one.bridge |= std::any_of(left.begin(), left.end(), [&](SentenceId s) { return graph.mentions(s, e); });
    }
    brought.push_back(one);
  }
  return brought;
}

struct Signs {
  std::size_t steps = 0, helpful = 0, with_credit = 0, right = 0, right_of_gold = 0, positive = 0, positive_right = 0;
  std::size_t helpful_with_credit = 0;

  void add(const Brought& brought, double credit) {
    const bool helped = brought.gold || brought.bridge;
    ++steps;
    helpful += helped ? 1 : 0;
    if (credit == 0) return;
    ++with_credit;
    helpful_with_credit += helped ? 1 : 0;
    right += (credit > 0) == helped ? 1 : 0;
    right_of_gold += (credit > 0) == brought.gold ? 1 : 0;
    positive += credit > 0 ? 1 : 0;
    positive_right += credit > 0 && helped ? 1 : 0;
  }
};

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void print_signs(const Signs& all, const std::string& which, const std::string& suffix) {
  const std::size_t one_sign = std::max(all.helpful_with_credit, all.with_credit - all.helpful_with_credit);
  figure("sign_accuracy_" + which + suffix, ratio(all.right, all.with_credit), "", "-", true,
         {{"steps", all.steps},
          {"steps_with_credit", all.with_credit},
          {"share_that_helped", rounded(ratio(all.helpful, all.steps))},
          {"positive_that_helped", rounded(ratio(all.positive_right, all.positive))},
          {"positive", all.positive},
          {"had_all_one_sign", rounded(ratio(one_sign, all.with_credit))},
          {"against_gold_sentences_alone", rounded(ratio(all.right_of_gold, all.with_credit))}});
}

// kGroup traces a question.
Result<std::vector<Trace>> play_groups(const Environment& environment, std::span<const Question> questions) {
  HARNESSG_ASSIGN(const auto policy, make_policy("random", environment));
  std::vector<Trace> traces;
  for (std::size_t i = 0; i < questions.size() * kGroup; ++i) {
    HARNESSG_ASSIGN(const PolicyRun run, run_policy(environment, *policy, task_of(questions[i / kGroup].record, i)));
    HARNESSG_ASSIGN(Trace trace, environment.trace(run.episode, true));
    traces.push_back(std::move(trace));
  }
  return traces;
}

Status print_requests(std::span<const Trace> traces, const std::string& suffix) {
  std::size_t asked = 0;
  std::size_t naive = 0;
  for (std::size_t begin = 0; begin < traces.size(); begin += kGroup) {
    HARNESSG_ASSIGN(const ContextBatch batch, ContextBatch::collect(traces.subspan(begin, kGroup)));
    asked += batch.requests().size();
    naive += batch.naive_requests();
  }
  const double saved = 1 - ratio(asked, naive);
  figure("scorer_requests_saved" + suffix, saved, "", ">= 0.6", saved >= kSaved,
         {{"requests", asked}, {"naive", naive}, {"groups", traces.size() / kGroup}});
  return {};
}

Status print_groups(const Environment& environment, std::span<const Question> questions, const std::string& suffix) {
  HARNESSG_ASSIGN(const std::vector<Trace> traces, play_groups(environment, questions));
  HARNESSG_RETURN_IF_ERROR(print_requests(traces, suffix));
  HARNESSG_ASSIGN(const auto credit, snc_credit(traces, LexicalProxy()));
  std::size_t flat = 0;
  std::size_t flat_with_credit = 0;
  Signs all;
  Signs lookups;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    std::size_t found = 0;
    bool credited = false;
    for (std::size_t i = q * kGroup; i < (q + 1) * kGroup; ++i) {
      const Trace& trace = traces[i];
      const Gold& gold = questions[q].gold;
      found += (gold.found_by_all(trace.seen) & gold.units(UnitKind::kAnswer)) != 0 ? 1 : 0;
      const auto brought = what_steps_brought(environment.index().graph(), questions[q], trace);
      for (const StepCredit& step : credit[i].steps) {
        credited |= step.total != 0;
        all.add(brought[step.step], step.total);
        if (trace.steps[step.step].event == Event::kLookup) lookups.add(brought[step.step], step.total);
      }
    }
    const bool same = found == 0 || found == kGroup;
    flat += same ? 1 : 0;
    flat_with_credit += same && !credited ? 1 : 0;
  }
  const nlohmann::ordered_json details{{"groups", questions.size()},
                                       {"outcome", "1 where a seen sentence says the answer: a reader without faults"}};
  figure("zero_advantage_groups_outcome" + suffix, ratio(flat, questions.size()), "", "-", true, details);
  const double left = ratio(flat_with_credit, questions.size());
  figure("zero_advantage_groups_outcome_and_snc" + suffix, left, "", "< outcome alone", flat_with_credit < flat);
  print_signs(all, "steps", suffix);
  print_signs(lookups, "lookups", suffix);
  return {};
}

// Ranks from 0, equal values the mean of theirs.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<double> out;
  for (const double v : values) {
    const auto below = std::count_if(values.begin(), values.end(), [&](double other) { return other < v; });
    const auto equal = std::count(values.begin(), values.end(), v);
    out.push_back(static_cast<double>(below) + static_cast<double>(equal - 1) / 2);
  }
  return out;
}

// Of two lists of one length; nullopt where one of them has no variance.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = ranks(a);
  const std::vector<double> y = ranks(b);
  const double mean = (static_cast<double>(x.size()) - 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

// A first menu's lookups: what the proxy gives each, and what playing on from each gives.
struct FirstMenu {
  std::vector<double> proxy, evidence, answer;
};

std::vector<double> values_of(const EpisodeRollout& rollout, std::span<const std::size_t> lookups) {
  std::vector<double> values(lookups.size());
  const StepRollout& step = rollout.steps.front();
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    if (step.taken.position == lookups[i]) values[i] = step.taken.value;
    for (const ActionValue& other : step.alternatives) {
      if (other.position == lookups[i]) values[i] = other.value;
    }
  }
  return values;
}

Result<std::vector<double>> proxy_values(const Environment& environment, const Episode& episode,
                                         const QuestionRecord& question, std::span<const std::size_t> lookups) {
  const Graph& graph = environment.index().graph();
  const LexicalProxy proxy;
  std::vector<double> values;
  for (const std::size_t position : lookups) {
    HARNESSG_ASSIGN(const Outcome outcome, environment.preview(episode, position));
    std::vector<std::string_view> context;
    for (const SentenceId s : episode.seen()) context.push_back(graph.text(s));
    for (const SentenceId s : outcome.new_sentences) context.push_back(graph.text(s));
    const std::vector<std::string> aliases = answer_aliases(question.answers);
    const ScoreRequest request{question.question, context, aliases};
    HARNESSG_ASSIGN(const auto scores, proxy.score({&request, 1}));
    values.push_back(scores.front().value_or(0));
  }
  return values;
}

Result<std::optional<FirstMenu>> first_menu(const Environment& environment, const Question& question,
                                            std::uint64_t number) {
  HARNESSG_ASSIGN(Episode episode, environment.reset(task_of(question.record, number)));
  std::vector<std::size_t> lookups;
  for (std::size_t i = 0; i < episode.menu().size(); ++i) {
    if (episode.menu()[i].kind == ActionKind::kLookup) lookups.push_back(i);
  }
  if (lookups.size() < 2) return std::optional<FirstMenu>();
  FirstMenu menu;
  HARNESSG_ASSIGN(menu.proxy, proxy_values(environment, episode, question.record, lookups));
  HARNESSG_RETURN_IF_ERROR(environment.step(episode, lookups.front()));
  HARNESSG_ASSIGN(const Trace trace, environment.trace(episode));
  HARNESSG_ASSIGN(auto states, states_before(environment, trace));
  const ReplayedTrace replayed{&trace, std::move(states)};
  const auto evidence = evidence_recall_value({question.sentences}, EvidenceSet::kSeen);
  HARNESSG_ASSIGN(const auto by_evidence, rollout_credit(environment, {&replayed, 1}, evidence));
  menu.evidence = values_of(by_evidence.front(), lookups);
  const LexicalProxy proxy;
  const auto answer =
      answer_value({{question.record.question, question.record.answers}}, environment.index().graph(), proxy);
  HARNESSG_ASSIGN(const auto by_answer, rollout_credit(environment, {&replayed, 1}, answer));
  menu.answer = values_of(by_answer.front(), lookups);
  return std::optional(std::move(menu));
}

void print_spearman(std::span<const FirstMenu> menus, std::vector<double> FirstMenu::*values, const std::string& name,
                    const std::string& what) {
  double sum = 0;
  std::size_t counted = 0;
  std::size_t flat_proxy = 0;
  for (const FirstMenu& menu : menus) {
    const auto [low, high] = std::minmax_element(menu.proxy.begin(), menu.proxy.end());
    flat_proxy += *low == *high ? 1 : 0;
    const std::optional<double> one = spearman(menu.proxy, menu.*values);
    if (!one) continue;
    sum += *one;
    ++counted;
  }
  figure(name, counted == 0 ? 0 : sum / static_cast<double>(counted), "", "-", true,
         {{"menus", menus.size()},
          {"menus_counted", counted},
          {"menus_without_variance", menus.size() - counted},
          {"of_them_of_the_proxy", flat_proxy},
          {"rollouts", RolloutOptions().rollouts},
          {"of", what}});
}

Status print_agreement(const Environment& environment, std::span<const Question> questions, const std::string& suffix) {
  std::vector<FirstMenu> menus;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    HARNESSG_ASSIGN(auto menu, first_menu(environment, questions[i], i));
    if (menu) menus.push_back(std::move(*menu));
  }
  print_spearman(menus, &FirstMenu::evidence, "spearman_proxy_rollout_evidence" + suffix,
                 "share of gold sentences seen in the end");
  print_spearman(menus, &FirstMenu::answer, "spearman_proxy_rollout_answer" + suffix, "the proxy's g in the end");
  return {};
}

Status run(const std::string& folder, const std::string& file, std::size_t count) {
  HARNESSG_ASSIGN(const std::vector<QuestionRecord> records, read_questions(file));
  HARNESSG_ASSIGN(const std::shared_ptr<const Index> index, Index::open(folder));
  HARNESSG_ASSIGN(const auto questions, with_gold(index->graph(), records, count));
  for (const char* name : {"default", "released"}) {
    EnvironmentOptions options;
    HARNESSG_ASSIGN(options.config, profile(name));
    options.config.scoring = Scoring::kLexical;
    HARNESSG_RETURN_IF_ERROR(print_cost(index, options, records));
    HARNESSG_ASSIGN(const auto environment, Environment::create(index, options, nullptr));
    HARNESSG_RETURN_IF_ERROR(print_groups(*environment, questions, std::string("_") + name));
    HARNESSG_RETURN_IF_ERROR(print_agreement(*environment, questions, std::string("_") + name));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  std::string file;
  std::size_t count = 200;
  CLI::App app{"What step credit costs, saves and says", "credit_bench"};
  app.add_option("index", folder, "Index folder without vectors")->required();
  app.add_option("questions", file, "Questions with gold, in any format the engine reads")->required();
  app.add_option("--questions", count, "Questions of the groups and of the rollouts");
  CLI11_PARSE(app, argc, argv);
  const Status done = run(folder, file, count);
  if (done) return all_hold ? 0 : 1;
  std::fprintf(stderr, "credit_bench: %s\n", done.error().message.c_str());
  return 1;
}
