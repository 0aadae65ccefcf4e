#include "credit/context_batch.h"

#include <doctest/doctest.h>

#include "credit/models/lexical_proxy.h"
#include "credit/snc.h"
#include "tests/credit/random_trace.h"

using namespace harnessg;

namespace {

std::vector<std::string> texts(const ContextBatch& batch, std::uint32_t request) {
  const auto context = batch.requests()[request].context;
  return {context.begin(), context.end()};
}

// Half the length of the question and the context, in a made-up unit.
CallableScorer counting(std::size_t& calls, std::size_t& requests_seen) {
  return {"counting", [&](std::span<const ScoreRequest> requests) {
            ++calls;
            requests_seen += requests.size();
            std::vector<Score> scores;
            for (const ScoreRequest& request : requests) {
              scores.emplace_back(1 / (1.0 + static_cast<double>(request.context.size() + request.question.size())));
            }
            return scores;
          }};
}

}  // namespace

TEST_CASE("a step's contexts are what was seen before, and that with what each action newly shows") {
  const std::vector<Trace> traces{
      HandMade().first_view({2, 1}).lookup({1, 5, 4}).alternative(3, {7, 2}).select(5).trace()};
  const ContextBatch batch = ContextBatch::collect(traces).value();
  REQUIRE(batch.episodes()[0].steps.size() == 2);
  const StepContexts& lookup = batch.episodes()[0].steps[0];
  CHECK(texts(batch, lookup.before) == std::vector<std::string>{"sentence 2", "sentence 1"});
  CHECK(texts(batch, lookup.taken) == std::vector<std::string>{"sentence 2", "sentence 1", "sentence 5", "sentence 4"});
  CHECK(texts(batch, lookup.alternatives.at(0)) == std::vector<std::string>{"sentence 2", "sentence 1", "sentence 7"});
  const StepContexts& select = batch.episodes()[0].steps[1];
  CHECK(select.before == lookup.taken);
  CHECK(select.taken == lookup.taken);
  CHECK(batch.requests().size() == 3);
  CHECK(batch.naive_requests() == 5);
}

TEST_CASE("equal contexts of different episodes of a question are one request, of different questions two") {
  const Trace here = HandMade("Where?").first_view({1}).lookup({2}).trace();
  const Trace there = HandMade("There?").first_view({1}).lookup({2}).trace();
  CHECK(ContextBatch::collect(std::vector{here, here, here}).value().requests().size() == 2);
  CHECK(ContextBatch::collect(std::vector{here, there}).value().requests().size() == 4);
}

TEST_CASE("contexts are told apart by their order, and by the question's aliases") {
  const Trace one = HandMade().first_view({1, 2}).answer().trace();
  const Trace other = HandMade().first_view({2, 1}).answer().trace();
  CHECK(ContextBatch::collect(std::vector{one, other}).value().requests().size() == 2);
  Trace with_alias = one;
  with_alias.answers.push_back("Isis");
  CHECK(ContextBatch::collect(std::vector{one, with_alias}).value().requests().size() == 2);
}

TEST_CASE("equal texts share one address, whatever trace they come from") {
  const std::vector<Trace> traces{HandMade("Where?").first_view({1}).answer().trace(),
                                  HandMade("When?").first_view({1}).answer().trace()};
  const ContextBatch batch = ContextBatch::collect(traces).value();
  REQUIRE(batch.requests().size() == 2);
  CHECK(batch.requests()[0].context[0].data() == batch.requests()[1].context[0].data());
}

TEST_CASE("a batch of episodes is one call of the scorer, with fewer requests than contexts") {
  std::vector<Trace> traces;
  for (std::uint64_t seed = 0; seed < 50; ++seed) traces.push_back(random_trace(seed % 10, 5));
  std::size_t calls = 0, requests = 0;
  REQUIRE(snc_credit(traces, counting(calls, requests)).has_value());
  CHECK(calls == 1);
  CHECK(requests < ContextBatch::collect(traces).value().naive_requests() / 5);
}

TEST_CASE("nothing to score is no call") {
  std::size_t calls = 0, requests = 0;
  CHECK(snc_credit(std::span<const Trace>{}, counting(calls, requests)).value().empty());
  CHECK(snc_credit(std::vector{HandMade("?", {}).first_view({1}).answer().trace()}, counting(calls, requests))
            .value()
            .size() == 1);
  CHECK(calls == 0);
}

TEST_CASE("an episode without gold answers has no credit and says so, its neighbours have theirs") {
  const Trace good = HandMade().first_view({1}).lookup({2}).trace();
  const Trace bad = HandMade("Which river?", {" "}).first_view({1}).lookup({2}).trace();
  const auto credit = snc_credit(std::vector{good, bad, good}, LexicalProxy()).value();
  CHECK_FALSE(credit[0].not_scored.has_value());
  REQUIRE(credit[1].not_scored.has_value());
  CHECK(credit[1].not_scored->reason == NotScoredReason::kNoAlias);
  CHECK(credit[1].steps.empty());
  CHECK(credit_per_turn(bad, credit[1]) == std::vector<double>{0, 0});
  CHECK(credit[2].steps.size() == 1);
}

TEST_CASE("an episode with one missing score has no credit rather than a wrong one") {
  const CallableScorer scorer("forgetful", [](std::span<const ScoreRequest> requests) {
    std::vector<Score> scores;
    for (const ScoreRequest& request : requests) {
      const bool slow =
          std::find(request.context.begin(), request.context.end(), "sentence 7") != request.context.end();
      scores.push_back(slow ? Score(tl::unexpected(NotScored{NotScoredReason::kTimedOut, "no answer in 1 s"}))
                            : Score(0.5));
    }
    return scores;
  });
  const Trace with = HandMade().first_view({1}).lookup({2}).alternative(1, {7}).trace();
  const Trace without = HandMade().first_view({1}).lookup({2}).alternative(1, {8}).trace();
  const auto credit = snc_credit(std::vector{with, without}, scorer).value();
  REQUIRE(credit[0].not_scored.has_value());
  CHECK(*credit[0].not_scored == NotScored{NotScoredReason::kTimedOut, "no answer in 1 s"});
  CHECK(credit[0].steps.empty());
  CHECK_FALSE(credit[1].not_scored.has_value());
}

TEST_CASE("an episode's credit does not depend on the batch it is in") {
  std::vector<Trace> traces;
  for (std::uint64_t seed = 0; seed < 30; ++seed) traces.push_back(random_trace(seed, 6));
  std::size_t calls = 0, requests = 0;
  const CallableScorer scorer = counting(calls, requests);
  const auto batch = snc_credit(traces, scorer).value();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const auto alone = snc_credit(std::span<const Trace>(traces).subspan(i, 1), scorer).value();
    CHECK(credit_per_turn(traces[i], alone[0]) == credit_per_turn(traces[i], batch[i]));
  }
}

TEST_CASE("a trace that was played by free text is refused: there is no frontier to compare with") {
  for (const std::string_view arm : {kArmFreeQuery, kArmMatched}) {
    std::vector<Trace> traces{HandMade().first_view({1}).lookup({2}).trace()};
    REQUIRE(ContextBatch::collect(traces).has_value());
    traces[0].arm = arm;
    const Error error = ContextBatch::collect(traces).error();
    CHECK(error.code == ErrorCode::kInvalidArgument);
    CHECK(error.message.find(arm) != std::string::npos);
    CHECK(snc_credit(traces, LexicalProxy()).error() == error);
  }
}

TEST_CASE("a trace without frontiers, or with a sentence that has no text, is refused by name") {
  Trace trace = HandMade().first_view({1}).lookup({2}).alternative(1, {3}).trace();
  trace.with_frontier = false;
  const auto blind = ContextBatch::collect(std::vector{trace});
  REQUIRE_FALSE(blind.has_value());
  CHECK(blind.error().code == ErrorCode::kInvalidArgument);
  CHECK(blind.error().message.find("q1") != std::string::npos);
  trace.with_frontier = true;
  trace.sentences.erase(3);
  CHECK(ContextBatch::collect(std::vector{trace}).error().code == ErrorCode::kBadInput);
}

TEST_CASE("the coalition of all steps has seen what the episode saw, the empty one its first view") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<Trace> traces{random_trace(seed, 5)};
    const ContextBatch batch = ContextBatch::collect(traces, /*with_coalitions=*/true).value();
    const EpisodeContexts& episode = batch.episodes()[0];
    REQUIRE(episode.coalitions.size() == 32);
    CHECK(episode.coalitions.front() == episode.steps.front().before);
    CHECK(episode.coalitions.back() == episode.steps.back().taken);
  }
}
