#include "credit/rollout.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "credit/models/lexical_proxy.h"
#include "credit/rollout_report.h"
#include "tests/credit/played_world.h"

using namespace harnessg;

namespace {

const Task kRiver{"Which river is it?", {"the Thames"}, "q1", 7};

struct Played {
  std::vector<Trace> traces;
  std::vector<ReplayedTrace> replayed;

  Played(const Environment& environment, std::vector<Trace> from) : traces(std::move(from)) {
    for (const Trace& trace : traces) {
      auto states = states_before(environment, trace);
      REQUIRE_MESSAGE(states.has_value(), states.error().message);
      replayed.push_back({&trace, std::move(*states)});
    }
  }
};

FinalValue gold(std::vector<SentenceId> sentences) {
  return evidence_recall_value({std::move(sentences)}, EvidenceSet::kSelected);
}

std::vector<EpisodeRollout> credit_of(const Environment& environment, const Played& played, const FinalValue& value,
                                      const RolloutOptions& options = {}) {
  auto credit = rollout_credit(environment, played.replayed, value, options);
  REQUIRE_MESSAGE(credit.has_value(), credit.error().message);
  return std::move(*credit);
}

// The menu of the first view of two_sentences(): A0, A1 select, A2, A3 answer with the same sentences. The number of
// the action that does `kind` to sentence 0.
std::uint32_t on_gold(const Environment& environment, ActionKind kind) {
  const Episode episode = environment.reset(kRiver).value();
  REQUIRE(episode.menu().size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (episode.menu()[i].kind == kind && episode.menu()[i].target == 0) return i;
  }
  return 4;
}

std::string id(std::uint32_t position) { return "A" + std::to_string(position); }

std::vector<std::string> lookups(const Environment& environment, const Task& task) {
  const Episode episode = environment.reset(task).value();
  std::vector<std::string> ids;
  for (std::uint32_t i = 0; i < episode.menu().size(); ++i) {
    if (episode.menu()[i].kind == ActionKind::kLookup) ids.push_back(id(i));
  }
  REQUIRE(ids.size() > 1);
  return ids;
}

double value_of(const StepRollout& step, std::uint32_t position) {
  if (step.taken.position == position) return step.taken.value;
  for (const ActionValue& action : step.alternatives) {
    if (action.position == position) return action.value;
  }
  FAIL("no such action");
  return 0;
}

}  // namespace

TEST_CASE("where every action is the last, the credit is what it brought less what the others would have, exactly") {
  const auto world = two_sentences(2);
  const Played played(*world, {play(*world, kRiver, {id(on_gold(*world, ActionKind::kSelect))})});
  const StepRollout step = credit_of(*world, played, gold({SentenceId{0}})).at(0).steps.at(0);
  CHECK(step.step == 1);
  CHECK(step.taken.value == 1);
  CHECK(step.alternatives.size() == 3);
  CHECK(step.baseline == doctest::Approx(1.0 / 3));  // AnswerWith of the same sentence; the other sentence, twice
  CHECK(step.credit == doctest::Approx(2.0 / 3));
  CHECK(step.standard_error < 1e-15);
}

TEST_CASE("with a turn left the values are the means over what a uniform policy does with it") {
  const auto world = two_sentences(3);
  const std::uint32_t answer = on_gold(*world, ActionKind::kAnswerWith);
  const std::uint32_t select = on_gold(*world, ActionKind::kSelect);
  const Played played(*world, {play(*world, kRiver, {id(answer)})});
  RolloutOptions options;
  options.rollouts = 20'000;
  const StepRollout step = credit_of(*world, played, gold({SentenceId{0}}), options).at(0).steps.at(0);
  CHECK(value_of(step, answer) == 1);
  CHECK(value_of(step, answer ^ 1u) == 0);  // the other sentence
  CHECK(value_of(step, select) == 1);
  // Of Select, AnswerWith and Answer two bring the gold sentence.
  CHECK(std::abs(value_of(step, select ^ 1u) - 2.0 / 3) < 4 * std::sqrt(2.0 / 9 / options.rollouts));
  CHECK(std::abs(step.credit - 4.0 / 9) < 4 * step.standard_error);
  CHECK(step.standard_error == doctest::Approx(std::sqrt(2.0 / 9 / options.rollouts) / 3).epsilon(0.02));
}

TEST_CASE("the value of an end can be the scorer's g of everything seen") {
  const auto world = two_sentences(2);
  const Played played(*world, {play(*world, kRiver, {"A0"})});
  const LexicalProxy scorer;
  const FinalValue value = answer_value({{kRiver.question, kRiver.answers}}, world->index().graph(), scorer);
  const StepRollout step = credit_of(*world, played, value).at(0).steps.at(0);
  CHECK(step.taken.value == 1);  // the first view holds the answer
  CHECK(step.credit == 0);
}

TEST_CASE("equal ends are valued once") {
  const auto world = two_sentences(3);
  const Played played(*world, {play(*world, kRiver, {"A0"})});
  std::size_t asked = 0;
  const FinalValue count = [&](std::span<const FinalState> states) -> Result<std::vector<Score>> {
    asked += states.size();
    return std::vector<Score>(states.size(), 0.5);
  };
  static_cast<void>(credit_of(*world, played, count));
  CHECK(asked == 4);  // selected: 0, 1, 0 then 1, 1 then 0
}

TEST_CASE("results depend neither on threads nor on the batch") {
  const auto world = world_of(small_tables(), 5);
  const Task task{"Who designed the difference engine in London?", {"Charles Babbage"}, "q2", 3};
  const Trace one = play(*world, task, {lookups(*world, task)[0], "A0", "A1"});
  const Trace two = play(*world, kRiver, {"A0"});
  const auto value_for = [](const Played& played) {
    const std::vector<SentenceId> gold{SentenceId{0}, SentenceId{4}};
    return evidence_recall_value(std::vector(played.traces.size(), gold), EvidenceSet::kSelected);
  };
  const Played alone(*world, {one});
  const Played together(*world, {two, one});
  RolloutOptions options;
  options.threads = 1;
  const auto expected = rollout_json(one, credit_of(*world, alone, value_for(alone), options).at(0));
  for (const unsigned threads : {0u, 2u, 8u}) {
    options.threads = threads;
    CHECK(rollout_json(one, credit_of(*world, together, value_for(together), options).at(1)) == expected);
  }
  options.seed = 1;
  CHECK(rollout_json(one, credit_of(*world, alone, value_for(alone), options).at(0)) != expected);
}

TEST_CASE("compared with the frontier, only lookups have credit") {
  const auto world = world_of(small_tables(), 4);
  const Task task{"Who designed the difference engine in London?", {"Charles Babbage"}, "q2", 3};
  const Played played(*world, {play(*world, task, {lookups(*world, task)[0], "A0"})});
  RolloutOptions options;
  options.alternatives = RolloutAlternatives::kFrontier;
  const auto steps = credit_of(*world, played, gold({SentenceId{0}}), options).at(0).steps;
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].alternatives.size() == played.traces[0].steps[1].frontier.size());
  CHECK_FALSE(steps[0].alternatives.empty());
  CHECK(steps[1].alternatives.empty());
  CHECK(steps[1].credit == 0);

  Played without(*world, {played.traces[0]});
  without.traces[0].with_frontier = false;
  const auto refused = rollout_credit(*world, without.replayed, gold({SentenceId{0}}), options);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("an end without a value leaves its trace without credit, and the others alone") {
  const auto world = two_sentences(3);
  const Trace trace = play(*world, kRiver, {"A0"});
  const Played played(*world, {trace, trace});
  const FinalValue value = evidence_recall_value({{}, {SentenceId{0}}}, EvidenceSet::kSeen);
  const auto credit = credit_of(*world, played, value);
  REQUIRE(credit[0].not_scored.has_value());
  CHECK(credit[0].not_scored->reason == NotScoredReason::kNoAlias);
  CHECK(credit[0].steps.empty());
  CHECK(credit[1].steps.size() == 1);
  const auto line = nlohmann::json::parse(rollout_json(trace, credit[0]));
  CHECK(line["not_scored"]["reason"] == "no_alias");
  CHECK(explain_rollout(trace, credit[1]).find("step 1 SELECT A0: credit +0.0000") != std::string::npos);
}

TEST_CASE("options and policies that make no sense are refused or leave no credit") {
  const auto world = two_sentences(3);
  const Played played(*world, {play(*world, kRiver, {"A0"})});
  RolloutOptions options;
  options.rollouts = 1;
  CHECK(rollout_credit(*world, played.replayed, gold({}), options).error().code == ErrorCode::kInvalidArgument);
  options.rollouts = 2;
  options.policy = [](const Episode& episode, SplitMix&) { return episode.menu().size(); };
  CHECK(credit_of(*world, played, gold({SentenceId{0}}), options).at(0).not_scored.has_value());
  options.policy = [](const Episode&, SplitMix&) -> std::size_t { throw std::runtime_error("no idea"); };
  const auto credit = credit_of(*world, played, gold({SentenceId{0}}), options);
  CHECK(credit.at(0).not_scored.value().message.find("no idea") != std::string::npos);
}

TEST_CASE("a trace is played again only where it was recorded") {
  const auto world = two_sentences(3);
  const Trace trace = play(*world, kRiver, {"A0", "nonsense"});
  const auto states = states_before(*world, trace).value();
  REQUIRE(states.size() == 2);
  CHECK(states[0].episode == world->reset(kRiver).value());
  CHECK(states[1].step == 2);
  CHECK(states[1].episode.turn() == 2);

  CHECK(states_before(*two_sentences(4), trace).error().message.find("turn_budget") != std::string::npos);
  CHECK(states_before(*world_of(small_tables(), 3), trace).error().code == ErrorCode::kWrongIndex);
  Trace changed = trace;
  changed.steps[1].position = 1;
  CHECK(states_before(*world, changed).error().code == ErrorCode::kWrongIndex);
}
