#include "bench/policies.h"

#include <doctest/doctest.h>

#include "bench/gold.h"
#include "credit/models/lexical_proxy.h"
#include "tests/bench/chain_world.h"
#include "tests/sample.h"

namespace harnessg::bench {
namespace {

std::unique_ptr<Environment> sample_environment() {
  auto environment = Environment::create(sample_index(), {}, nullptr);
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

std::unique_ptr<Policy> policy_of(std::string_view name, const Environment& environment) {
  auto policy = make_policy(name, environment, std::make_shared<LexicalProxy>());
  REQUIRE_MESSAGE(policy.has_value(), policy.error().message);
  CHECK((*policy)->name() == name);
  return std::move(*policy);
}

PolicyRun run_of(const Environment& environment, const Policy& policy, const Task& task) {
  auto run = run_policy(environment, policy, task);
  REQUIRE_MESSAGE(run.has_value(), run.error().message);
  return std::move(*run);
}

}  // namespace

TEST_CASE("Every policy ends its episodes with an answer within the turn budget") {
  const auto environment = sample_environment();
  for (const std::string& name : policy_names()) {
    if (name == "embedding-greedy") continue;
    const auto policy = policy_of(name, *environment);
    for (const Task& task : sample_tasks()) {
      CAPTURE(name);
      const PolicyRun run = run_of(*environment, *policy, task);
      CHECK(run.episode.ended());
      CHECK(run.episode.turn() <= environment->config().turn_budget);
    }
  }
}

TEST_CASE("A policy plays the same episode again") {
  const auto environment = sample_environment();
  for (const std::string_view name : {"random", "random-search", "preview-greedy"}) {
    const auto policy = policy_of(name, *environment);
    Task task = sample_tasks()[2];
    task.seed = 7;
    CHECK(run_of(*environment, *policy, task).episode == run_of(*environment, *policy, task).episode);
  }
}

TEST_CASE("Random episodes depend on the seed") {
  const auto environment = sample_environment();
  const auto policy = policy_of("random-search", *environment);
  Task task = sample_tasks()[2];
  const PolicyRun first = run_of(*environment, *policy, task);
  std::size_t other = 0;
  for (task.seed = 1; task.seed < 10; ++task.seed)
    other += run_of(*environment, *policy, task).episode.state() == first.episode.state() ? 0 : 1;
  CHECK(other > 0);
}

TEST_CASE("First-lookup takes the first lookup of every menu") {
  const auto environment = sample_environment();
  const auto policy = policy_of("first-lookup", *environment);
  auto episode = environment->reset(sample_tasks()[0]);
  REQUIRE(episode.has_value());
  const auto choice = policy->choose(*episode);
  REQUIRE(choice.has_value());
  for (std::size_t i = 0; i < choice->position; ++i) CHECK(episode->menu()[i].kind != ActionKind::kLookup);
  CHECK(episode->menu()[choice->position].kind == ActionKind::kLookup);
  const PolicyRun run = run_of(*environment, *policy, sample_tasks()[0]);
  CHECK(run.episode.looked_up().size() + run.at_a_loss == environment->config().turn_budget - 2);
}

TEST_CASE("First-lookup without a lookup on the menu says so and answers") {
  const auto environment = chain_environment({{"lookups_otherwise", "0"}});
  const auto policy = policy_of("first-lookup", *environment);
  const PolicyRun run = run_of(*environment, *policy, chain_task());
  CHECK(run.at_a_loss == 1);
  CHECK(run.episode.ended());
  CHECK(run.episode.turn() == 2);
  CHECK(run.episode.looked_up().empty());
}

TEST_CASE("Lexical-greedy selects what matches the question, then looks up") {
  const auto environment = chain_environment();
  const auto policy = policy_of("lexical-greedy", *environment);
  const PolicyRun run = run_of(*environment, *policy, chain_task());
  REQUIRE_FALSE(run.episode.selected().empty());
  CHECK(run.episode.selected()[0] == SentenceId{kAlpha});
  CHECK(run.episode.looked_up().size() == 2);
}

TEST_CASE("Preview-greedy looks up what brings the answer's words") {
  const auto environment = chain_environment();
  const auto policy = policy_of("preview-greedy", *environment);
  const PolicyRun run = run_of(*environment, *policy, chain_task());
  const Gold gold = chain_gold({ParagraphId{kBravo}});
  CHECK(evidence_found(gold, run.episode).seen == 1);
  const auto first = run.episode.looked_up()[0];
  CHECK(chain_index()->graph().canonical(first) == "bravo");
}

TEST_CASE("What a policy needs and has not is an error that says so") {
  const auto environment = sample_environment();
  CHECK(make_policy("best", *environment).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_policy("preview-greedy", *environment).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_policy("embedding-greedy", *environment).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("Recall is the share of what is wanted") {
  CHECK(recall(0b0110, 0b0011) == 0.5);
  CHECK(recall(0b1111, 0b0011) == 1.0);
  CHECK(recall(0, 0) == 1.0);
}

}  // namespace harnessg::bench
