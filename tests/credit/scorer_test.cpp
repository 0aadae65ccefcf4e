#include "credit/models/scorer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "credit/models/lexical_proxy.h"

using namespace harnessg;

namespace {

using Texts = std::vector<std::string_view>;
using Names = std::vector<std::string>;

double coverage(const Texts& context, const Names& aliases) { return alias_coverage(context, aliases); }

Score proxy(const Texts& context, const Names& aliases) {
  const ScoreRequest request{"Which river?", context, aliases};
  return LexicalProxy().score({&request, 1}).value().at(0);
}

// What checked_scores makes of a scorer that says `score`.
Score checked(double score) {
  const CallableScorer scorer("test", [score](std::span<const ScoreRequest>) { return std::vector<Score>{score}; });
  const Names aliases{"x"};
  const ScoreRequest request{"?", {}, aliases};
  return checked_scores(scorer, {&request, 1}).value().at(0);
}

}  // namespace

TEST_CASE("the proxy's coverage is the share of an alias's words, of the best alias") {
  CHECK(coverage({"London lies on the river", "Thames."}, {"The Thames"}) == 1);
  CHECK(coverage({"the Seine"}, {"The Thames"}) == 0.5);
  CHECK(coverage({"the Seine"}, {"The Thames", "Seine"}) == 1);
  CHECK(coverage({}, {"Thames"}) == 0);
}

TEST_CASE("words are runs of ASCII letters and digits: every other byte separates, repeats count once") {
  CHECK(coverage({"caf\xC3\xA9"}, {"caf"}) == 1);
  CHECK(coverage({"O'Neil"}, {"o neil"}) == 1);
  CHECK(coverage({"new"}, {"new new york"}) == 0.5);
  CHECK(coverage({"newyork"}, {"new york"}) == 0);
  CHECK(coverage({"1984-85"}, {"85"}) == 1);
}

TEST_CASE("an alias without a word of that kind counts nothing") {
  CHECK(coverage({"Москва"}, {"Москва"}) == 0);
  CHECK(proxy({"Москва"}, {"Москва"}).value() == std::exp(-1.0));
}

TEST_CASE("the proxy's g runs from exp(-1) to 1") {
  CHECK(proxy({}, {"Thames"}).value() == std::exp(-1.0));
  CHECK(proxy({"the Seine"}, {"The Thames"}).value() == std::exp(-0.5));
  CHECK(proxy({"Thames, the"}, {"The Thames"}).value() == 1);
}

TEST_CASE("requests of one batch do not touch each other") {
  const Names first{"red house"}, second{"blue"};
  const Texts red{"a red door"}, blue{"a blue house"};
  const std::vector<ScoreRequest> requests{
      {"", red, first}, {"", blue, first}, {"", red, second}, {"", blue, second}, {"", {}, first}};
  const auto scores = LexicalProxy().score(requests).value();
  const std::vector<double> exponents{-0.5, -0.5, -1, 0, -1};
  for (std::size_t i = 0; i < requests.size(); ++i) CHECK(scores[i].value() == std::exp(exponents[i]));
}

TEST_CASE("no alias is not scored, which is something else than nothing") {
  const Score score = proxy({"Thames"}, {});
  REQUIRE_FALSE(score.has_value());
  CHECK(score.error().reason == NotScoredReason::kNoAlias);
}

TEST_CASE("numbers outside (0, 1] are not scores") {
  CHECK(checked(1).value() == 1);
  CHECK(checked(1e-300).has_value());
  for (const double nonsense : {0.0, -0.5, 1.0000001, std::nan(""), HUGE_VAL}) {
    const Score score = checked(nonsense);
    REQUIRE_FALSE(score.has_value());
    CHECK(score.error().reason == NotScoredReason::kOutOfRange);
    CHECK(score.error().message.find("test") != std::string::npos);
  }
}

TEST_CASE("a scorer that answers too few, or throws, is an error that names it") {
  const Names aliases{"x"};
  const std::vector<ScoreRequest> requests{{"?", {}, aliases}, {"?", {}, aliases}};
  const CallableScorer lazy("lazy", [](std::span<const ScoreRequest>) { return std::vector<Score>{0.5}; });
  CHECK(checked_scores(lazy, requests).error().code == ErrorCode::kBadInput);
  const CallableScorer broken(
      "broken", [](std::span<const ScoreRequest>) -> std::vector<Score> { throw std::runtime_error("no model"); });
  const auto scores = checked_scores(broken, requests);
  REQUIRE_FALSE(scores.has_value());
  CHECK(scores.error().code == ErrorCode::kUnavailable);
  CHECK(scores.error().message.find("no model") != std::string::npos);
}

TEST_CASE("aliases come without white space around, once each, none empty") {
  CHECK(answer_aliases(Names{"a", " a ", "b", "", "a"}) == Names{"a", "b"});
  CHECK(answer_aliases(Names{"\xC2\xA0new  york\n", "  "}) == Names{"new  york"});
  CHECK(answer_aliases({}).empty());
}
