#include "credit/snc.h"

#include <doctest/doctest.h>

#include <cmath>

#include "credit/models/lexical_proxy.h"
#include "credit/provenance.h"
#include "tests/credit/random_trace.h"

using namespace harnessg;

namespace {

std::vector<double> values(const EpisodeCredit& credit, double StepCredit::*field) {
  std::vector<double> result;
  for (const StepCredit& step : credit.steps) result.push_back(step.*field);
  return result;
}

EpisodeCredit credit_of(const Trace& trace, const std::vector<Gains>& gains, const SncOptions& options = {}) {
  const auto credit = snc_credit(trace, scores_of(trace, gains), options);
  REQUIRE_MESSAGE(credit.has_value(), credit.error().message);
  return *credit;
}

// One lookup with the gain `taken`, against alternatives at A1, A2, ...
EpisodeCredit one_lookup(double taken, const std::vector<double>& alternatives, const SncOptions& options = {}) {
  HandMade episode;
  episode.first_view({1}).lookup({2});
  for (std::uint32_t i = 0; i < alternatives.size(); ++i) episode.alternative(i + 1, {10 + i});
  return credit_of(episode.trace(), {{taken, alternatives}}, options);
}

constexpr double kNothing = 0;

}  // namespace

TEST_CASE("the chain S1 -> S2 -> (gain 1) has enabling credit 1, 1, 0") {
  const EpisodeCredit credit = credit_of(chain(), {{0}, {0}, {1}});
  CHECK(values(credit, &StepCredit::r_en) == std::vector<double>{1, 1, 0});
  CHECK(values(credit, &StepCredit::total) == std::vector<double>{1, 1, 0});
  CHECK(credit.edges == std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {2, 3}});
}

TEST_CASE("with gamma a half, a step hands on half of what it received and all of its own gain") {
  const EpisodeCredit credit = credit_of(chain(), {{0}, {0.2}, {1}}, {.gamma = 0.5});
  CHECK(credit.steps[1].r_en == 1);
  CHECK(credit.steps[0].r_en == doctest::Approx(0.2 + 0.5).epsilon(1e-15));
}

TEST_CASE("two predecessors share equally") {
  const Trace trace = HandMade().first_view({1, 2}).select(1).select(2).lookup({3}).trace();
  CHECK(values(credit_of(trace, {{0}, {0}, {0.6}}), &StepCredit::r_en) == std::vector<double>{0.3, 0.3, 0});
}

TEST_CASE("the frontier term is the gain less the mean, or the greatest, of the alternatives' gains") {
  CHECK(one_lookup(0.3, {0.1, 0.2}).steps[0].r_fr == doctest::Approx(0.15));
  CHECK(one_lookup(0.3, {0.1, 0.2}, {.baseline = Baseline::kMax}).steps[0].r_fr == doctest::Approx(0.1));
  CHECK(one_lookup(0.3, {}).steps[0].r_fr == kNothing);
}

TEST_CASE("gains in the dead zone are nothing, before and after the baseline is taken off") {
  CHECK(one_lookup(9e-5, {0}).steps[0].r_fr == kNothing);
  CHECK(one_lookup(1e-4, {0}).steps[0].r_fr == 1e-4);
  CHECK(one_lookup(1.5e-4, {1e-4}).steps[0].r_fr == kNothing);
  CHECK(one_lookup(-9.9e-5, {2e-4}).steps[0].r_fr == -2e-4);
  CHECK(one_lookup(0.2, {0}, {.dead_zone = 0.25}).steps[0].gain == kNothing);
}

TEST_CASE("alternatives that gain what the action gains leave it nothing, whichever of them was taken") {
  CHECK(one_lookup(0.3, {0.3, 0.3, 0.3}).steps[0].r_fr == kNothing);
  // Two lookups show the same sentence; either is taken, the other is the alternative.
  const LexicalProxy scorer;
  for (const std::uint32_t taken : {0u, 1u}) {
    const Trace trace =
        HandMade().first_view({1}).lookup({2}).at(taken).alternative(1 - taken, {2}).text(2, "the Thames").trace();
    const auto credit = snc_credit(std::vector{trace}, scorer).value();
    CHECK(credit[0].steps[0].gain > 0.5);
    CHECK(credit[0].steps[0].r_fr == kNothing);
  }
}

TEST_CASE("an alternative with the action's own context pulls its credit towards nothing") {
  const double alone = one_lookup(0.6, {0, 0}).steps[0].r_fr;
  const double twin = one_lookup(0.6, {0, 0, 0.6}).steps[0].r_fr;
  CHECK(alone == doctest::Approx(0.6));
  CHECK(twin == doctest::Approx(0.4));
  CHECK(one_lookup(0.6, {0.6}).steps[0].r_fr == kNothing);
}

TEST_CASE("the action taken is not its own alternative, even where a trace says so") {
  const Trace trace = HandMade().first_view({1}).lookup({2}).at(3).alternative(3, {2}).alternative(4, {5}).trace();
  const EpisodeCredit credit = credit_of(trace, {{0.3, {9.0, 0.1}}});
  CHECK(credit.steps[0].r_fr == doctest::Approx(0.2));
  REQUIRE(credit.steps[0].frontier.size() == 1);
  CHECK(credit.steps[0].frontier[0].position == 4);
}

TEST_CASE("steps that reveal nothing have no frontier term, but carry enabling credit") {
  const Trace trace = HandMade().first_view({1}).select(1).lookup({2}).answer().trace();
  const EpisodeCredit credit = credit_of(trace, {{0}, {0.4}, {0}});
  CHECK(values(credit, &StepCredit::r_fr) == std::vector<double>{0, 0, 0});
  CHECK(values(credit, &StepCredit::r_en) == std::vector<double>{0.4, 0, 0});
}

TEST_CASE("protected, a step that enabled something is not blamed for its frontier") {
  const Trace trace = HandMade().first_view({1}).lookup({2}, {}, {9}).alternative(1, {3}).lookup({4}, {9}).trace();
  const std::vector<Gains> gains{{0, {0.4}}, {0.5}};
  const EpisodeCredit plain = credit_of(trace, gains);
  const EpisodeCredit safe = credit_of(trace, gains, {.protect_enabling = true});
  CHECK(plain.steps[0].total == doctest::Approx(0.1));
  CHECK(safe.steps[0].total == 0.5);
  CHECK(safe.steps[0].r_fr == -0.4);
}

TEST_CASE("alpha and beta weigh the two terms") {
  const Trace trace = HandMade().first_view({1}).lookup({2}, {}, {9}).alternative(1, {3}).lookup({4}, {9}).trace();
  CHECK(credit_of(trace, {{0.4, {0.1}}, {0.5}}, {.alpha = 0.5, .beta = 2}).steps[0].total ==
        doctest::Approx(0.15 + 1.0));
}

TEST_CASE(
    "credit is conserved in random episodes: received is handed back, and at gamma 1 the sources hold what flowed in") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Trace trace = random_trace(seed, 1 + static_cast<std::uint32_t>(seed % 9));
    const EpisodeScores scores = random_scores(trace, seed + 1);
    for (const double gamma : {0.0, 0.5, 0.9, 1.0}) {
      SncOptions options{.gamma = gamma};
      if (seed % 2 == 1) options.shuffle_edges = seed;
      const auto credit = snc_credit(trace, scores, options);
      REQUIRE_MESSAGE(credit.has_value(), credit.error().message);
      std::map<std::size_t, std::vector<std::size_t>> from;
      for (const auto& [t, u] : credit->edges) from[u].push_back(t);
      double received = 0, handed_back = 0, at_sources = 0, flowed_in = 0;
      for (const StepCredit& step : credit->steps) {
        received += step.r_en;
        (from.contains(step.step) ? handed_back : at_sources) +=
            from.contains(step.step) ? step.gain + gamma * step.r_en : step.r_en;
        flowed_in += from.contains(step.step) ? step.gain : 0;
      }
      CHECK(std::abs(received - handed_back) < 1e-12);
      if (gamma == 1) CHECK(std::abs(at_sources - flowed_in) < 1e-12);
    }
  }
}

TEST_CASE("the conservation check finds credit that got lost") {
  const Provenance provenance(chain());
  const std::vector<double> gains{0, 0, 1};
  CHECK(check_conservation(provenance, gains, std::vector<double>{1, 1, 0}, 1).has_value());
  CHECK_FALSE(check_conservation(provenance, gains, std::vector<double>{0.5, 1, 0}, 1).has_value());
  CHECK_FALSE(check_conservation(provenance, gains, std::vector<double>{0.5, 1, 0}, 0.75).has_value());
}

TEST_CASE("shuffled edges are those of the episode itself, wherever it stands in a batch") {
  const LexicalProxy scorer;
  std::vector<Trace> traces;
  for (std::uint64_t seed = 0; seed < 20; ++seed) traces.push_back(random_trace(seed, 6));
  const SncOptions options{.shuffle_edges = 7};
  const auto batch = snc_credit(traces, scorer, options).value();
  std::size_t differ = 0;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const auto alone = snc_credit(std::span<const Trace>(traces).subspan(i, 1), scorer, options).value();
    CHECK(alone[0].edges == batch[i].edges);
    CHECK(values(alone[0], &StepCredit::total) == values(batch[i], &StepCredit::total));
    differ += snc_credit(std::span<const Trace>(traces).subspan(i, 1), scorer, {.shuffle_edges = 8}).value()[0].edges !=
              batch[i].edges;
  }
  CHECK(differ > 5);
}

TEST_CASE("the harvest bonus goes to the first Select that brings the answer's words, once") {
  HandMade episode("Which river?", {"the Thames"});
  episode.first_view({1, 2, 3})
      .text(1, "Of the river.")
      .text(2, "London lies on THE  \"Thames\".")
      .text(3, "the Thames again");
  const Trace trace = episode.select(1).select(2).select(3).trace();
  const EpisodeCredit credit = credit_of(trace, {{0}, {0}, {0}}, {.harvest_bonus = 0.3});
  CHECK(values(credit, &StepCredit::bonus) == std::vector<double>{0, 0.3, 0});
  CHECK(credit.steps[1].total == 0.3);
  CHECK(values(credit_of(trace, {{0}, {0}, {0}}), &StepCredit::bonus) == std::vector<double>{0, 0, 0});
}

TEST_CASE("words of the answer apart from each other, or only seen, earn no harvest bonus") {
  HandMade episode("Which river?", {"the Thames"});
  episode.first_view({1, 2}).text(1, "the river Thames").text(2, "the Thames");
  CHECK(credit_of(episode.select(1).trace(), {{0}}, {.harvest_bonus = 0.3}).steps[0].bonus == kNothing);
}

TEST_CASE("options out of range are named") {
  CHECK(check({}).has_value());
  CHECK(check({.gamma = 1.5}).error().message.find("gamma") != std::string::npos);
  CHECK(check({.gamma = std::nan("")}).error().code == ErrorCode::kInvalidArgument);
  CHECK_FALSE(check({.dead_zone = -1}).has_value());
  CHECK_FALSE(check({.alpha = INFINITY}).has_value());
  CHECK_FALSE(check({.enabling = Enabling::kShapley, .shuffle_edges = 1}).has_value());
  CHECK_FALSE(snc_credit(std::vector<Trace>{}, LexicalProxy(), {.gamma = -1}).has_value());
}

TEST_CASE("scores of another trace are refused") {
  const auto credit = snc_credit(chain(), scores_of(HandMade().first_view({1}).answer().trace(), {{0}}), {});
  REQUIRE_FALSE(credit.has_value());
  CHECK(credit.error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("credit by turn has a value for every step of the trace, nothing for INIT and blocked turns") {
  const Trace trace = HandMade().first_view({1}).blocked().select(1).lookup({2}).trace();
  CHECK(credit_per_turn(trace, credit_of(trace, {{0}, {0.25}})) == std::vector<double>{0, 0, 0.25, 0});
}
