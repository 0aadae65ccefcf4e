#include <doctest/doctest.h>

#include <algorithm>

#include "menu/bridge.h"
#include "menu/initial_view.h"
#include "menu/lookup.h"
#include "menu/transition.h"
#include "tests/menu/small_world.h"

using namespace harnessg;

namespace {

constexpr EntityId kAda{0}, kLondon{1}, kEngine{2}, kThames{3}, kFrench{4};

std::vector<std::uint32_t> ids(const View& view) {
  std::vector<std::uint32_t> list;
  for (const VisibleSentence& v : view) list.push_back(index(v.sentence));
  return list;
}

// An episode that begins with the given view.
struct Play {
  explicit Play(const SmallWorld& small, std::initializer_list<std::uint32_t> view)
      : world(small.world()), query(small.query()) {
    question.text = "Which river did Ada see?";
    for (const std::uint32_t s : view) question.first_view.push_back({SentenceId{s}, kFromSentences});
    question.nearest_entities = {kThames, kAda};
    now = begin(world, question);
  }

  const Menu& menu() const { return now.outcome.menu; }
  std::size_t position(ActionKind kind, std::uint32_t target) const {
    return static_cast<std::size_t>(
        std::find_if(menu().begin(), menu().end(),
                     [&](const Action& a) { return a.kind == kind && a.target == target; }) -
        menu().begin());
  }
  void act(ActionKind kind, std::uint32_t target) {
    const std::size_t at = position(kind, target);
    REQUIRE(at < menu().size());
    now = advance(world, question, now.next, menu(), at, query);
  }
  std::vector<std::uint32_t> lookups() const {
    std::vector<std::uint32_t> list;
    for (const Action& a : menu()) {
      if (a.kind == ActionKind::kLookup) list.push_back(a.target);
    }
    return list;
  }

  World world;
  Query query;
  Question question;
  Transition now;
};

}  // namespace

TEST_CASE("the first view fuses by reciprocal rank, exactly, ties to the smaller id") {
  Config config;
  FirstViewLists lists;
  lists.paragraph_sentences = {{7, 0.9f}, {3, 0.8f}};
  lists.global_sentences = {{3, 0.9f}, {7, 0.8f}, {5, 0.1f}};
  lists.entity_sentences = {{9, 0.5f}};
  // 3 and 7 both have 1/61 + 1/62; 9 has 1/61; 5 has 1/63.
  CHECK(ids(fuse(config, lists)) == std::vector<std::uint32_t>{3, 7, 9, 5});
  CHECK(fuse(config, lists)[0].sources == (kFromParagraphs | kFromSentences));
}

TEST_CASE("list 3 of the first view is ordered by the sum with the entity's score, before it is cut") {
  // s1 and s3 mention entities; with the bonus of "Ada" (0.25 x 0.9) s1 passes s3.
  SmallWorld small({0.1f, 0.5f, 0.1f, 0.55f, 0.1f});
  small.config.list_length = 1;
  CHECK(first_view_lists(small.world(), small.query()).entity_sentences.front().id == 1);
}

TEST_CASE("a lookup shows mentions, synonyms' mentions and neighbours, mentions first where scores are near") {
  const SmallWorld small({0.50f, 0.30f, 0.55f, 0.2f, 0.9f});
  // London: s0, s2 mention it (+0.10), s1 is a neighbour of s0; nothing else.
  CHECK(ids(lookup_view(small.world(), small.query(), kLondon).view) == std::vector<std::uint32_t>{2, 0, 1});
  const SmallWorld related({0.50f, 0.30f, 0.55f, 0.2f, 0.9f}, /*synonyms=*/true);
  // Ada: s0, s1; her synonym's s3 and its neighbour s4, which scores best of all.
  const View view = lookup_view(related.world(), related.query(), kAda).view;
  CHECK(ids(view) == std::vector<std::uint32_t>{4, 0, 1, 3});
  CHECK(view[0].sources == kNeighbour);
  CHECK(view[3].sources == kSimilar);
}

TEST_CASE("a mixed query is the question and what was selected, cut to the word budget, the question never") {
  SmallWorld small({0, 0, 0, 0, 0});
  const SentenceId selected[] = {SentenceId{2}, SentenceId{0}};
  CHECK(mixed_query(small.world(), " which\n river ? ", selected) ==
        "which river ? London lies on the Thames. Ada lived in London.");
  small.config.query_words = 5;
  CHECK(mixed_query(small.world(), "which river ?", selected) == "which river ? London lies");
  CHECK(mixed_query(small.world(), "a b c d e f g", selected) == "a b c d e f g");
}

TEST_CASE("after the first view: Select and AnswerWith for each sentence, lookups of what they mention, no Answer") {
  const SmallWorld small({0, 0, 0, 0, 0});
  const Play play(small, {0, 3});
  const Menu wanted{{ActionKind::kSelect, 0},
                    {ActionKind::kSelect, 3},
                    {ActionKind::kAnswerWith, 0},
                    {ActionKind::kAnswerWith, 3},
                    {ActionKind::kLookup, index(kAda), SentenceId{0}, kNoEntity},
                    {ActionKind::kLookup, index(kLondon), SentenceId{0}, kNoEntity},
                    {ActionKind::kLookup, index(kEngine), SentenceId{3}, kNoEntity}};
  CHECK(play.menu() == wanted);  // "French" is evidence, never a target
}

TEST_CASE("after Select: the sentence's entities, then bridge targets, each with its anchor") {
  const SmallWorld small({0, 0, 0, 0, 0});
  Play play(small, {0, 3});
  play.act(ActionKind::kSelect, 0);
  CHECK(ids(play.now.next.visible) == std::vector<std::uint32_t>{0, 3});
  // Own: Ada, London. Bridged: Thames (with London in s2; near the question), engine (with Ada in s1).
  CHECK(play.lookups() == std::vector<std::uint32_t>{index(kAda), index(kLondon), index(kThames), index(kEngine)});
  const Action& thames = play.menu()[play.position(ActionKind::kLookup, index(kThames))];
  CHECK(thames.is_bridge());
  CHECK(thames.anchor == kLondon);
  const Action& ada = play.menu()[play.position(ActionKind::kLookup, index(kAda))];
  CHECK_FALSE(ada.is_bridge());
  CHECK(ada.anchor == kLondon);  // a row for an entity of the sentence itself gives it an anchor, nothing else
  CHECK(play.menu().back().kind == ActionKind::kAnswer);
}

TEST_CASE("a lookup is offered once an episode, and replaces what is visible") {
  const SmallWorld small({0.5f, 0.4f, 0.3f, 0.2f, 0.1f});
  Play play(small, {0, 3});
  play.act(ActionKind::kLookup, index(kLondon));
  CHECK(ids(play.now.next.visible) == std::vector<std::uint32_t>{0, 2, 1});
  CHECK(std::ranges::equal(play.now.outcome.new_sentences, std::vector{SentenceId{2}, SentenceId{1}}));
  CHECK(
      std::ranges::equal(play.now.next.seen, std::vector{SentenceId{0}, SentenceId{3}, SentenceId{2}, SentenceId{1}}));
  CHECK(play.position(ActionKind::kLookup, index(kLondon)) == play.menu().size());
}

TEST_CASE("provenance: what a step consumed and produced") {
  const SmallWorld small({0.5f, 0.4f, 0.3f, 0.2f, 0.1f});
  Play play(small, {0, 3});
  play.act(ActionKind::kSelect, 0);
  CHECK(std::ranges::equal(play.now.outcome.consumed_sentences, std::vector{SentenceId{0}}));
  CHECK(std::ranges::equal(play.now.outcome.produced_entities, std::vector{kAda, kLondon}));
  CHECK(play.now.outcome.new_sentences.empty());
  play.act(ActionKind::kLookup, index(kThames));
  CHECK(std::ranges::equal(play.now.outcome.consumed_sentences, std::vector{SentenceId{0}}));
  CHECK(std::ranges::equal(play.now.outcome.used_entities, std::vector{kLondon, kThames}));
  CHECK(std::ranges::equal(play.now.outcome.new_sentences, std::vector{SentenceId{2}, SentenceId{4}}));
  CHECK(std::ranges::equal(play.now.outcome.produced_entities, std::vector{kLondon, kThames}));
}

TEST_CASE(
    "bridge rows: class, then reasons, then nearness to the question, then id; a source only through a sentence") {
  const SmallWorld small({0, 0, 0, 0, 0}, /*synonyms=*/true);
  Play play(small, {1});
  play.act(ActionKind::kSelect, 1);  // sources: Ada, engine; each other's synonyms
  const auto rows = bridge_rows(play.world, play.question, play.now.next);
  REQUIRE(rows.size() >= 2);
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const BridgeRow& r) { return r.source == kAda && r.target == kEngine; });
  REQUIRE(row != rows.end());
  CHECK(row->structural_rank == 1);
  CHECK(row->reasons == 0b0011);  // same selected sentence, same sentence; the synonym edge does not count for a source
  for (const BridgeRow& r : rows) CHECK(r.source != r.target);
}
