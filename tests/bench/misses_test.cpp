#include "bench/misses.h"

#include <doctest/doctest.h>

#include "bench/answer_sentences.h"
#include "bench/gold.h"
#include "bench/oracle.h"
#include "tests/bench/chain_world.h"

namespace harnessg::bench {
namespace {

// Actions of a shortest way to see a paragraph; nullopt: there is none.
std::optional<std::size_t> actions_to(const Environment& environment, ChainParagraph paragraph,
                                      Found found = Found::kSeen) {
  const Gold gold = chain_gold({ParagraphId{paragraph}});
  const UnitMask goal = 1;
  const auto start = environment.reset(chain_task());
  REQUIRE_MESSAGE(start.has_value(), start.error().message);
  OracleOptions options;
  options.found = found;
  const auto reach = search(environment, *start, gold, std::span(&goal, 1), options);
  REQUIRE_MESSAGE(reach.has_value(), reach.error().message);
  if (reach->goals[0].verdict != Verdict::kReached) return std::nullopt;
  return reach->goals[0].path.size();
}

MissReason reason_of(const Environment& environment, ChainParagraph paragraph) {
  REQUIRE_FALSE(actions_to(environment, paragraph).has_value());
  const auto explainer = MissExplainer::create(environment, chain_index(), nullptr);
  REQUIRE_MESSAGE(explainer.has_value(), explainer.error().message);
  const auto reasons = explainer->explain(chain_task(), chain_gold({ParagraphId{paragraph}}), 1);
  REQUIRE_MESSAGE(reasons.has_value(), reasons.error().message);
  return reasons->at(0);
}

}  // namespace

TEST_CASE("In a chain of paragraphs each is one lookup behind the one before") {
  const auto environment = chain_environment();
  CHECK(actions_to(*environment, kAlpha) == 0);
  CHECK(actions_to(*environment, kBravo) == 1);
  CHECK(actions_to(*environment, kCharlie) == 2);
  CHECK(actions_to(*environment, kDelta) == 3);
  CHECK_FALSE(actions_to(*environment, kUnnamed).has_value());
}

TEST_CASE("Selecting takes one action more than seeing, and the last action may be AnswerWith") {
  const auto environment = chain_environment({{"turn_budget", "5"}});
  CHECK(actions_to(*environment, kAlpha, Found::kSelected) == 1);
  CHECK(actions_to(*environment, kDelta, Found::kSelected) == 4);  // three lookups, AnswerWith on turn 5
}

TEST_CASE("A paragraph that longer episodes reach is out of turns") {
  CHECK(reason_of(*chain_environment({{"turn_budget", "4"}}), kDelta) == MissReason::kOutOfTurns);
}

TEST_CASE("A paragraph behind a lookup that menus have no room for is off the menu") {
  const auto environment = chain_environment({{"lookups_otherwise", "0"}, {"lookups_after_select", "0"}});
  CHECK(reason_of(*environment, kDelta) == MissReason::kOffMenu);
}

TEST_CASE("A paragraph whose mention is cut off a lookup's candidates is over a cap") {
  const auto environment = chain_environment({{"mention_sentences", "1"}});
  CHECK(reason_of(*environment, kDelta) == MissReason::kOverCap);
}

TEST_CASE("A candidate that never makes it into a view is ranked below") {
  const auto environment = chain_environment({{"visible_sentences", "1"}});
  CHECK(reason_of(*environment, kDelta) == MissReason::kRankedBelow);
}

TEST_CASE("A paragraph that nothing names has no path, one without entities has no entity") {
  const auto environment = chain_environment();
  CHECK(reason_of(*environment, kUnnamed) == MissReason::kNoPath);
  CHECK(reason_of(*environment, kBare) == MissReason::kNoEntity);
}

TEST_CASE("Answers are whole words of title or text, whatever their case; yes and no are said by nothing") {
  const AnswerSentences answers(chain_index()->graph());
  const auto find = [&](std::vector<std::string> texts) { return answers.find(texts); };
  CHECK(find({"wed charlie"}) == std::vector<SentenceId>{SentenceId{kBravo}});
  CHECK(find({"Charlie", "Echo"}) ==
        std::vector<SentenceId>{SentenceId{kBravo}, SentenceId{kCharlie}, SentenceId{kUnnamed}});
  CHECK(find({"Charl"}).empty());
  CHECK(find({"Charlie Charlie"}).empty());  // the title and the text do not run on
  CHECK(find({"no"}).empty());
  CHECK(find({"yes", "?"}).empty());
}

TEST_CASE("A unit is found by each of its sentences and by no other") {
  const Gold gold = chain_gold({ParagraphId{kBravo}, ParagraphId{kDelta}}, {SentenceId{kBravo}, SentenceId{kCharlie}});
  CHECK(gold.units(UnitKind::kParagraph) == 0b011);
  CHECK(gold.units(UnitKind::kSentence) == 0);
  CHECK(gold.units(UnitKind::kAnswer) == 0b100);
  CHECK(gold.found_by(SentenceId{kBravo}) == 0b101);
  CHECK(gold.found_by(SentenceId{kDelta}) == 0b010);
  CHECK(gold.found_by(SentenceId{kAlpha}) == 0);
}

}  // namespace harnessg::bench
