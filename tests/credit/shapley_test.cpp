#include "credit/shapley.h"

#include <doctest/doctest.h>

#include <bit>
#include <numeric>

#include "credit/provenance.h"
#include "credit/snc.h"
#include "tests/credit/random_trace.h"

using namespace harnessg;

namespace {

std::vector<double> random_game(std::uint64_t seed, std::size_t players) {
  Dice dice(seed);
  std::vector<double> values(std::size_t{1} << players);
  for (double& value : values) value = dice.unit();
  return values;
}

// 0.5 without the sentence "gold", 1 with it.
CallableScorer gold_finder() {
  return {"gold finder", [](std::span<const ScoreRequest> requests) {
            std::vector<Score> scores;
            for (const ScoreRequest& request : requests) {
              const bool found =
                  std::find(request.context.begin(), request.context.end(), "gold") != request.context.end();
              scores.emplace_back(found ? 1.0 : 0.5);
            }
            return scores;
          }};
}

}  // namespace

TEST_CASE("Shapley values are efficient: they sum to what all bring together") {
  for (std::size_t players = 0; players <= kMaxShapleyPlayers; ++players) {
    const auto game = random_game(players, players);
    const auto values = shapley(players, game).value();
    CHECK(std::accumulate(values.begin(), values.end(), 0.0) ==
          doctest::Approx(game.back() - game.front()).epsilon(1e-12));
  }
}

TEST_CASE("Shapley values are symmetric: players that bring the same get the same") {
  auto game = random_game(3, 5);
  // Players 1 and 3 are interchangeable.
  for (std::uint32_t m = 0; m < game.size(); ++m) {
    const bool one = (m >> 1 & 1) != 0, three = (m >> 3 & 1) != 0;
    if (one && !three) game[m] = game[(m & ~2u) | 8u];
  }
  const auto values = shapley(5, game).value();
  CHECK(values[1] == doctest::Approx(values[3]).epsilon(1e-12));
  CHECK(values[0] != doctest::Approx(values[1]).epsilon(1e-6));
}

TEST_CASE("a player that brings nothing gets nothing") {
  auto game = random_game(4, 4);
  for (std::uint32_t m = 0; m < game.size(); ++m) game[m] = game[m & ~4u];
  CHECK(shapley(4, game).value()[2] == 0);
}

TEST_CASE("the chain is worth a third to each of its steps: another estimator than enabling credit") {
  const Provenance provenance(chain());
  std::vector<double> game;
  for (std::uint32_t m = 0; m < 8; ++m) game.push_back((provenance.supported(m) & 4u) != 0 ? 1 : 0);
  const auto values = shapley(3, game).value();
  for (const double value : values) CHECK(value == doctest::Approx(1.0 / 3).epsilon(1e-15));
}

TEST_CASE("with a scorer, Shapley credit of the chain is a third of the gain each, in place of r_en") {
  Trace trace = chain();
  trace.sentences[3].text = "gold";
  const auto credit = snc_credit(std::vector{trace}, gold_finder(), {.enabling = Enabling::kShapley}).value();
  for (const StepCredit& step : credit[0].steps) {
    CHECK(step.r_en == doctest::Approx(0.5 / 3).epsilon(1e-15));
    CHECK(step.total == doctest::Approx(0.5 / 3).epsilon(1e-15));
  }
}

TEST_CASE("two lookups that show the same sentence share its gain, though only the first found it new") {
  const Trace trace = HandMade().first_view({1}).lookup({2}).lookup({2}).lookup({4}).text(2, "gold").trace();
  const auto credit = snc_credit(std::vector{trace}, gold_finder(), {.enabling = Enabling::kShapley}).value();
  CHECK(credit[0].steps[0].r_en == doctest::Approx(0.25));
  CHECK(credit[0].steps[1].r_en == doctest::Approx(0.25));
  CHECK(credit[0].steps[2].r_en == 0);
}

TEST_CASE("Shapley credit of random episodes sums to the gain of the whole episode") {
  const CallableScorer scorer("length", [](std::span<const ScoreRequest> requests) {
    std::vector<Score> scores;
    for (const ScoreRequest& request : requests)
      scores.emplace_back(1 / (1.0 + static_cast<double>(request.context.size())));
    return scores;
  });
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<Trace> traces{random_trace(seed, 1 + static_cast<std::uint32_t>(seed % 6))};
    const ContextBatch batch = ContextBatch::collect(traces, true).value();
    const EpisodeScores scores = score_contexts(batch, scorer).value()[0];
    const auto credit = snc_credit(traces, scorer, {.enabling = Enabling::kShapley}).value();
    double sum = 0;
    for (const StepCredit& step : credit[0].steps) sum += step.r_en;
    CHECK(sum == doctest::Approx(scores.steps.back().taken - scores.steps.front().before).epsilon(1e-12));
  }
}

TEST_CASE("more than six steps are an error, not another estimator") {
  CHECK(shapley(7, std::vector<double>(128)).error().code == ErrorCode::kInvalidArgument);
  const auto credit = snc_credit(std::vector{random_trace(1, 7)}, gold_finder(), {.enabling = Enabling::kShapley});
  REQUIRE_FALSE(credit.has_value());
  CHECK(credit.error().code == ErrorCode::kInvalidArgument);
  CHECK(credit.error().message.find("at most 6") != std::string::npos);
}

TEST_CASE("a game needs a value for each coalition") {
  CHECK_FALSE(shapley(3, std::vector<double>(7)).has_value());
  CHECK_FALSE(snc_credit(chain(), scores_of(chain(), {{0}, {0}, {1}}), {.enabling = Enabling::kShapley}).has_value());
}
