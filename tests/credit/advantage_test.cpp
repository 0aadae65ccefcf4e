#include "credit/advantage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace harnessg;

namespace {

using Doubles = std::vector<double>;
using Sizes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("outcome advantages use the sample deviation within the group") {
  const Doubles advantages = outcome_advantages(Doubles{1, 0, 5, 3}, Sizes{0, 0, 9, 9}).value();
  CHECK(advantages[0] == doctest::Approx(0.5 / (std::sqrt(0.5) + 1e-6)).epsilon(1e-15));
  CHECK(advantages[1] == -advantages[0]);
  CHECK(advantages[2] == doctest::Approx(1 / (std::sqrt(2.0) + 1e-6)).epsilon(1e-15));
}

TEST_CASE("a group of one has advantage R, exactly") {
  CHECK(outcome_advantages(Doubles{0.4, 1, 0}, Sizes{1, 2, 2}).value()[0] == 0.4);
}

TEST_CASE("a group of equal outcomes says nothing") {
  CHECK(outcome_advantages(Doubles{0.5, 0.5, 0.5, 0.5}, Sizes{0, 0, 0, 0}).value() == Doubles{0, 0, 0, 0});
}

TEST_CASE("outcomes without a group each are refused") {
  CHECK(outcome_advantages(Doubles{1, 2}, Sizes{0}).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("a turn's credit is spread evenly over its span, which sums to it") {
  const Doubles tokens =
      spread_credit(Doubles{0.9, 0, -0.4}, std::vector<ActionSpan>{{1, 4}, {4, 4}, {6, 8}}, 9).value();
  CHECK(tokens[0] == 0);
  CHECK(tokens[3] == 0.9 / 3);
  CHECK(std::accumulate(tokens.begin() + 1, tokens.begin() + 4, 0.0) == doctest::Approx(0.9).epsilon(1e-15));
  CHECK(tokens[5] == 0);
  CHECK(tokens[7] == -0.2);
}

TEST_CASE("spans that cannot hold their credit are refused") {
  const auto spread = [](Doubles credit, std::vector<ActionSpan> spans) {
    return spread_credit(credit, spans, 5).has_value();
  };
  CHECK(spread({1}, {{0, 5}}));
  CHECK_FALSE(spread({1}, {{0, 6}}));
  CHECK_FALSE(spread({1}, {{3, 2}}));
  CHECK_FALSE(spread({1}, {{2, 2}}));
  CHECK_FALSE(spread({1, 1}, {{0, 3}, {2, 4}}));
  CHECK_FALSE(spread({1, 1}, {{0, 3}}));
}

TEST_CASE("token credits 0.7 and 0.4 are divided by 0.15, and no mean is taken off") {
  const Doubles tokens{0, 0.7, 0, 0.4};
  const SncScale scale = snc_scale(tokens);
  CHECK(scale.support == 2);
  CHECK(scale.scale == doctest::Approx(0.15).epsilon(1e-15));
  CHECK(snc_advantages(tokens, scale)[1] == doctest::Approx(0.7 / 0.15).epsilon(1e-15));
  CHECK(snc_advantages(tokens, scale)[0] == 0);
}

TEST_CASE("without spread among the tokens the floor is the scale, and the clamp holds: also for a single token") {
  CHECK(snc_advantages(Doubles{0.5, 0.5}, snc_scale(Doubles{0.5, 0.5})) == Doubles{5, 5});
  CHECK(snc_advantages(Doubles{-0.3, 0}, snc_scale(Doubles{-0.3, 0})) == Doubles{-5, 0});
  CHECK(snc_advantages(Doubles{1e-6, -1e-6}, snc_scale(Doubles{1e-6, -1e-6}))[0] == doctest::Approx(0.002));
  CHECK(snc_scale(Doubles{0, 0}).support == 0);
  CHECK(snc_advantages(Doubles{0, 0}, snc_scale(Doubles{0, 0})) == Doubles{0, 0});
}

TEST_CASE("credit breaks the tie of a group whose outcomes are equal") {
  const BatchAdvantages batch =
      batch_advantages(Doubles{0, 0}, Sizes{0, 0}, Doubles{0.7, 0, 0, -0.4, 0.4}, Sizes{0, 2, 5}).value();
  CHECK(batch.outcome == Doubles{0, 0});
  CHECK(batch.total[0] > 0.2);
  CHECK(batch.total[1] == 0);
  CHECK(batch.total[3] < 0);
}

TEST_CASE("the total is the outcome plus lambda times the scaled credit, episode by episode") {
  const Doubles outcomes{1, 0, 0.25};
  const Sizes groups{4, 4, 5};
  const Doubles tokens{0.1, 0, 0.3, 0.2};
  const AdvantageOptions options{.lambda = 0.5, .clamp = 1.5};
  const BatchAdvantages batch = batch_advantages(outcomes, groups, tokens, Sizes{0, 2, 2, 4}, options).value();
  for (std::size_t token = 0; token < 4; ++token) {
    CHECK(batch.total[token] == batch.outcome[token < 2 ? 0 : 2] + 0.5 * batch.snc[token]);
    CHECK(std::abs(batch.snc[token]) <= 1.5);
  }
}

TEST_CASE("offsets that do not fit, and options that mean nothing, are refused") {
  const auto ok = [](Sizes offsets, const AdvantageOptions& options = {}) {
    return batch_advantages(Doubles{1, 0}, Sizes{0, 0}, Doubles{1, 2, 3}, offsets, options).has_value();
  };
  CHECK(ok({0, 1, 3}));
  CHECK_FALSE(ok({0, 3}));
  CHECK_FALSE(ok({0, 2, 1}));
  CHECK_FALSE(ok({0, 4, 3}));
  CHECK_FALSE(ok({1, 1, 3}));
  CHECK_FALSE(ok({0, 1, 3}, {.floor = 0}));
  CHECK_FALSE(ok({0, 1, 3}, {.lambda = INFINITY}));
}
