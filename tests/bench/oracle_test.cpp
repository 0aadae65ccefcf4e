#include "bench/oracle.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "bench/answer_sentences.h"
#include "bench/misses.h"
#include "bench/reach_study.h"
#include "data/questions.h"
#include "tests/bench/brute_force.h"
#include "tests/sample.h"

namespace harnessg::bench {
namespace {

const std::vector<QuestionRecord>& sample_questions() {
  static const std::vector<QuestionRecord> questions = [] {
    auto read = read_questions(std::filesystem::path(HARNESSG_SOURCE_DIR) / "data" / "sample" / "questions.jsonl");
    REQUIRE_MESSAGE(read.has_value(), read.error().message);
    return std::move(*read);
  }();
  return questions;
}

std::unique_ptr<Environment> sample_environment(std::vector<std::pair<std::string, std::string>> settings,
                                                const char* profile_name = "released") {
  EnvironmentOptions options;
  auto config = profile(profile_name);
  REQUIRE(config.has_value());
  options.config = *config;
  for (const auto& [name, value] : settings) REQUIRE(set_field(options.config, name, value).has_value());
  auto environment = Environment::create(sample_index(), options, nullptr);
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

Gold gold_of(const QuestionRecord& question) {
  static const FactResolver resolver(sample_index()->graph());
  static const AnswerSentences answers(sample_index()->graph());
  const ResolvedFacts facts = resolver.resolve(question);
  auto gold = Gold::create(sample_index()->graph(), facts.paragraphs, facts.sentences, answers.find(question.answers));
  REQUIRE_MESSAGE(gold.has_value(), gold.error().message);
  return std::move(*gold);
}

// All paragraphs, all sentences, the answer, each unit alone, and pairs.
std::vector<UnitMask> many_goals(const Gold& gold) {
  std::vector<UnitMask> goals;
  for (const UnitKind kind : {UnitKind::kParagraph, UnitKind::kSentence, UnitKind::kAnswer}) {
    if (gold.units(kind) != 0) goals.push_back(gold.units(kind));
  }
  for (std::size_t u = 0; u < gold.size(); ++u) goals.push_back(UnitMask{1} << u);
  return goals;
}

Episode start_of(const Environment& environment, const QuestionRecord& question) {
  auto episode = environment.reset({question.question, question.answers, question.id, 0});
  REQUIRE_MESSAGE(episode.has_value(), episode.error().message);
  return std::move(*episode);
}

// The units that an episode has found after a path.
UnitMask play(const Environment& environment, Episode episode, const Gold& gold, const GoalReach& reach, Found found) {
  for (const std::uint16_t position : reach.path) {
    const auto outcome = environment.step(episode, std::size_t{position});
    REQUIRE(outcome.has_value());
    REQUIRE_FALSE(outcome->invalid);
  }
  CHECK_FALSE(episode.truncated());
  return found == Found::kSeen ? gold.found_by_all(episode.seen()) : gold.found_by_all(episode.selected());
}

// Compares the oracle with brute force for every goal of one question; returns how many goals were out of reach.
std::size_t compare(const Environment& environment, const QuestionRecord& question, const OracleOptions& options) {
  const Gold gold = gold_of(question);
  // One goal at a time, since each goal alone leaves out the most.
  std::size_t unreachable = 0;
  const Episode start = start_of(environment, question);
  const std::vector<UnitMask> goals = many_goals(gold);
  const auto fewest = BruteForce(environment, gold, goals, options.found).fewest_actions(start, options.actions);
  for (std::size_t g = 0; g < goals.size(); ++g) {
    const auto reach = search(environment, start, gold, std::span(&goals[g], 1), options);
    REQUIRE_MESSAGE(reach.has_value(), reach.error().message);
    const GoalReach& goal = reach->goals[0];
    CAPTURE(question.id);
    CAPTURE(g);
    REQUIRE(goal.verdict == (fewest.contains(g) ? Verdict::kReached : Verdict::kUnreachable));
    if (!fewest.contains(g)) {
      ++unreachable;
      continue;
    }
    CHECK(goal.path.size() == fewest.at(g));
    CHECK((goals[g] & ~play(environment, start, gold, goal, options.found)) == 0);
  }
  return unreachable;
}

}  // namespace

TEST_CASE("What the oracle says can be seen is what trying every sequence finds, by as few actions") {
  const auto environment = sample_environment({});
  std::size_t unreachable = 0;
  for (const QuestionRecord& question : sample_questions()) {
    OracleOptions options;
    options.actions = 2;
    unreachable += compare(*environment, question, options);
  }
  CHECK(unreachable > 0);  // both verdicts occur
}

TEST_CASE("What the oracle says can be selected is what trying every sequence finds, by as few actions") {
  const auto environment = sample_environment({});
  std::size_t unreachable = 0;
  for (const QuestionRecord& question : sample_questions()) {
    OracleOptions options;
    options.found = Found::kSelected;
    options.actions = 2;
    unreachable += compare(*environment, question, options);
  }
  CHECK(unreachable > 0);
}

TEST_CASE("Three actions through a narrow menu agree with brute force, for seen and for selected") {
  const auto environment =
      sample_environment({{"visible_sentences", "3"}, {"lookups_after_select", "4"}, {"lookups_otherwise", "3"}});
  std::size_t unreachable = 0;
  for (const QuestionRecord& question : std::span(sample_questions()).first(12)) {
    for (const Found found : {Found::kSeen, Found::kSelected}) {
      OracleOptions options;
      options.found = found;
      options.actions = 3;
      unreachable += compare(*environment, question, options);
    }
  }
  CHECK(unreachable > 0);
}

TEST_CASE("Four actions through a narrow menu agree with brute force") {
  const auto environment =
      sample_environment({{"visible_sentences", "2"}, {"lookups_after_select", "3"}, {"lookups_otherwise", "2"}});
  std::size_t unreachable = 0;
  for (const QuestionRecord& question : sample_questions()) {
    for (const Found found : {Found::kSeen, Found::kSelected}) {
      OracleOptions options;
      options.found = found;
      options.actions = 4;
      unreachable += compare(*environment, question, options);
    }
  }
  CHECK(unreachable > 0);
}

TEST_CASE("With every lever of profile default the oracle agrees with brute force") {
  const auto wide = sample_environment({}, "default");
  const auto narrow = sample_environment(
      {{"visible_sentences", "2"}, {"lookups_after_select", "3"}, {"lookups_otherwise", "2"}}, "default");
  std::size_t unreachable = 0;
  for (const QuestionRecord& question : sample_questions()) {
    for (const Found found : {Found::kSeen, Found::kSelected}) {
      OracleOptions options;
      options.found = found;
      options.actions = 1;
      unreachable += compare(*wide, question, options);
      options.actions = 4;
      unreachable += compare(*narrow, question, options);
    }
  }
  CHECK(unreachable > 0);
}

TEST_CASE("The bound on what a lookup can show changes the work and no verdict") {
  const auto environment = sample_environment({});
  std::size_t with = 0;
  std::size_t without = 0;
  for (const QuestionRecord& question : std::span(sample_questions()).first(10)) {
    const Gold gold = gold_of(question);
    const std::vector<UnitMask> goals = many_goals(gold);
    const Episode start = start_of(*environment, question);
    OracleOptions options;
    options.actions = 3;
    const auto bounded = search(*environment, start, gold, goals, options);
    options.bound = false;
    const auto free = search(*environment, start, gold, goals, options);
    REQUIRE(bounded.has_value());
    REQUIRE(free.has_value());
    for (std::size_t g = 0; g < goals.size(); ++g) {
      CHECK(bounded->goals[g].verdict == free->goals[g].verdict);
      CHECK(bounded->goals[g].path.size() == free->goals[g].path.size());
    }
    with += bounded->transitions;
    without += free->transitions;
  }
  CHECK(with < without);
}

TEST_CASE("A search that is not given enough transitions says that it gave up") {
  const auto environment = sample_environment({});
  std::size_t gave_up = 0;
  for (const QuestionRecord& question : sample_questions()) {
    const Gold gold = gold_of(question);
    const UnitMask goal = gold.units(UnitKind::kSentence);
    const Episode start = start_of(*environment, question);
    const bool in_first_view = (goal & ~gold.found_by_all(start.seen())) == 0;
    OracleOptions options;
    options.transitions = 0;
    const auto reach = search(*environment, start, gold, std::span(&goal, 1), options);
    REQUIRE(reach.has_value());
    CHECK(reach->gave_up() == !in_first_view);
    gave_up += reach->gave_up() ? 1 : 0;
  }
  CHECK(gave_up > 0);
}

TEST_CASE("More actions than the turn budget leaves are refused") {
  const auto environment = sample_environment({});
  const QuestionRecord& question = sample_questions()[0];
  const Gold gold = gold_of(question);
  const std::vector<UnitMask> goals = {gold.units(UnitKind::kParagraph)};
  OracleOptions options;
  options.actions = 5;
  const auto reach = search(*environment, start_of(*environment, question), gold, goals, options);
  REQUIRE_FALSE(reach.has_value());
  CHECK(reach.error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("The greedy oracle never sees more than the exact one, and sees what it says") {
  const auto environment = sample_environment({});
  std::size_t exact_only = 0;
  for (const QuestionRecord& question : sample_questions()) {
    const Gold gold = gold_of(question);
    const UnitMask goal = gold.units(UnitKind::kSentence);
    const Episode start = start_of(*environment, question);
    const auto greedy = greedy_seen(*environment, start, gold, goal);
    const auto exact = search(*environment, start, gold, std::span(&goal, 1), {});
    REQUIRE(greedy.has_value());
    REQUIRE(exact.has_value());
    if (*greedy == goal) CHECK(exact->goals[0].verdict == Verdict::kReached);
    exact_only += *greedy != goal && exact->goals[0].verdict == Verdict::kReached ? 1 : 0;
  }
  CHECK(exact_only > 0);
}

TEST_CASE("A study says the same for any number of threads") {
  const auto environment = sample_environment({});
  StudyOptions options;
  options.policies = {"first-lookup", "random", "lexical-greedy", "preview-greedy"};
  std::vector<std::vector<QuestionReach>> studies;
  for (const unsigned threads : {1u, 2u}) {
    options.threads = threads;
    auto rows = study_reach(*environment, sample_index(), nullptr, sample_questions(), options);
    REQUIRE_MESSAGE(rows.has_value(), rows.error().message);
    studies.push_back(std::move(*rows));
  }
  for (std::size_t i = 0; i < sample_questions().size(); ++i) {
    CAPTURE(i);
    CHECK(studies[0][i].transitions == studies[1][i].transitions);
    for (std::size_t level = 0; level < 3; ++level) {
      CHECK(studies[0][i].levels[level].seen == studies[1][i].levels[level].seen);
      CHECK(studies[0][i].levels[level].selected == studies[1][i].levels[level].selected);
      CHECK(studies[0][i].levels[level].reason == studies[1][i].levels[level].reason);
    }
    for (std::size_t p = 0; p < options.policies.size(); ++p)
      CHECK(studies[0][i].policies[p].seen_recall == studies[1][i].policies[p].seen_recall);
  }
}

}  // namespace harnessg::bench
