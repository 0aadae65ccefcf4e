// The settings that profile `default` is made of (spec 1, section 12), one at a time on a hand-made graph.
#include <doctest/doctest.h>

#include <algorithm>

#include "menu/initial_view.h"
#include "menu/lookup.h"
#include "menu/question_links.h"
#include "menu/transition.h"
#include "tests/menu/small_world.h"

using namespace harnessg;

namespace {

constexpr EntityId kAda{0}, kLondon{1}, kEngine{2}, kThames{3};

struct NamedWorld {
  explicit NamedWorld(const SmallWorld& small) : names(small.world().graph), world(small.world()) {
    world.names = &names;
  }
  NameTable names;
  World world;
};

std::vector<std::uint32_t> ids(const View& view) {
  std::vector<std::uint32_t> list;
  for (const VisibleSentence& v : view) list.push_back(index(v.sentence));
  return list;
}

std::vector<EntityId> lookups(const Menu& menu) {
  std::vector<EntityId> list;
  for (const Action& action : menu) {
    if (action.kind == ActionKind::kLookup) list.push_back(action.entity());
  }
  return list;
}

Question question_showing(const SmallWorld& small, std::initializer_list<std::uint32_t> view) {
  Question question;
  question.text = "Which river did Ada see?";
  question.query = small.query();
  for (const std::uint32_t s : view) question.first_view.push_back({SentenceId{s}, kFromSentences});
  return question;
}

std::vector<std::vector<EntityId>> entities_named(const NameTable& names, std::string_view question) {
  std::vector<std::vector<EntityId>> found;
  for (const NamedInQuestion& name : names.find(question)) found.push_back(name.entities);
  return found;
}

}  // namespace

TEST_CASE("a bracketed qualifier is no part of a title's name, unless nothing else is") {
  CHECK(without_qualifier("Jaws (film)") == "Jaws");
  CHECK(without_qualifier("Jaws") == "Jaws");
  CHECK(without_qualifier("(film)") == "(film)");
  CHECK(without_qualifier("Smile :)") == "Smile :)");
}

TEST_CASE("names in a question are found in its order, with a capital, whatever the case of the other letters") {
  const SmallWorld small({0, 0, 0, 0, 0});
  const NameTable names(small.world().graph);
  using Found = std::vector<std::vector<EntityId>>;
  CHECK(entities_named(names, "Was the Engine of LONDON known to Ada?") == Found{{kEngine}, {kLondon}, {kAda}});
  CHECK(entities_named(names, "was the engine known to ada?") == Found{});  // one token without a capital
  CHECK(entities_named(names, "London is where?") == Found{});              // every first word has a capital
  CHECK(entities_named(names, "Is it London's?") == Found{{kLondon}});
  CHECK(names.find("").empty());
}

TEST_CASE("the best sentence of each named title's paragraph leads the first view") {
  SmallWorld small({0.1f, 0.9f, 0.2f, 0.3f, 0.4f});
  small.config.linked_sentences = 2;
  const NamedWorld named(small);
  const View leads = linked_view(named.world, small.query(), named.names.find("Do Engine, London and Ada meet?"));
  CHECK(ids(leads) == std::vector<std::uint32_t>{4, 2});  // two in all, in the question's order
  const View view = led_by(small.config, leads, {{SentenceId{1}, kFromSentences}, {SentenceId{2}, kFromSentences}});
  CHECK(ids(view) == std::vector<std::uint32_t>{4, 2, 1});
  CHECK(view[1].sources == (kOfTitle | kFromSentences));
}

TEST_CASE("an entity of the question is offered as a lookup and says so") {
  SmallWorld small({0, 0, 0, 0, 0});
  Question question = question_showing(small, {4});
  question.linked = {kAda};
  const Menu menu = begin(small.world(), question).outcome.menu;
  CHECK(lookups(menu) == std::vector{kAda, kThames});
  const auto at = std::find_if(menu.begin(), menu.end(), [](const Action& a) { return a.is_of_question(); });
  REQUIRE(at != menu.end());
  CHECK(at->entity() == kAda);
  CHECK_FALSE(at->is_bridge());
}

TEST_CASE("a lookup of a title's entity offers the title's whole paragraph, with the bonus") {
  SmallWorld small({0.5f, 0.3f, 0.45f, 0.2f, 0.6f});
  small.config.title_candidates = 1;
  const NamedWorld named(small);
  // Sentence 4 does not mention the engine: a neighbour without the lever, a sentence of its page with it.
  const View view = lookup_view(named.world, small.query(), kEngine).view;
  CHECK(ids(view) == std::vector<std::uint32_t>{4, 0, 1, 3});
  CHECK(view[0].sources == kOfTitle);
  const RankedView ranked = lookup_view(named.world, small.query(), kEngine);
  CHECK(ranked.scores[0] == doctest::Approx(0.7));
}

TEST_CASE("no more than so many sentences of one paragraph, as long as others wait") {
  SmallWorld small({0.9f, 0.8f, 0.1f, 0.7f, 0.6f});
  small.config.visible_sentences = 3;
  CHECK(ids(lookup_view(small.world(), small.query(), kEngine).view) == std::vector<std::uint32_t>{1, 0, 3});
  small.config.sentences_a_paragraph = 1;
  const View view = lookup_view(small.world(), small.query(), kEngine).view;
  CHECK(ids(view) == std::vector<std::uint32_t>{1, 0, 3});  // two paragraphs only: the third place takes what waits
  small.config.visible_sentences = 2;
  CHECK(ids(lookup_view(small.world(), small.query(), kEngine).view) == std::vector<std::uint32_t>{1, 3});
}

TEST_CASE("mentions are ranked before they are cut where that is asked for") {
  SmallWorld small({0.1f, 0.9f, 0, 0, 0});
  small.config.mention_sentences = 1;
  small.config.visible_sentences = 1;
  CHECK(ids(lookup_view(small.world(), small.query(), kAda).view) == std::vector<std::uint32_t>{1});  // a neighbour
  CHECK(lookup_view(small.world(), small.query(), kAda).view[0].sources == kNeighbour);
  small.config.rank_mentions = 1;
  CHECK(lookup_view(small.world(), small.query(), kAda).view[0].sources == kTarget);
}

TEST_CASE("lookups that show nothing unseen leave the menu, those that open a page come first") {
  SmallWorld small({0.1f, 0.2f, 0.3f, 0.4f, 0.9f});
  small.config.title_candidates = 1;
  small.config.order_by_novelty = 1;
  small.config.compose_query = 1;
  const NamedWorld named(small);
  const Question question = question_showing(small, {0, 1});
  const Menu menu = begin(named.world, question).outcome.menu;
  // Ada shows nothing new. London opens its page (0.3 + bonus), the engine its own (0.9 + bonus): by score.
  CHECK(lookups(menu) == std::vector{kEngine, kLondon});
  CHECK(std::all_of(menu.begin(), menu.end(),
                    [](const Action& a) { return a.kind != ActionKind::kLookup || a.opens_title; }));
}

TEST_CASE("entities of every sentence seen stay on offer where that is asked for") {
  SmallWorld small({0, 0, 0, 0, 0});
  small.config.lookups_of_visible = 1;
  Question question = question_showing(small, {0, 3});
  Transition now = begin(small.world(), question);
  State state = now.next;
  state.visible = {{SentenceId{4}, kTarget}};
  state.acted = true;
  state.last = {ActionKind::kLookup, index(kThames)};
  CHECK(lookups(make_menu(small.world(), question, state, {}, question.query)) == std::vector{kThames});
  small.config.lookups_of_seen = 1;
  CHECK(lookups(make_menu(small.world(), question, state, {}, question.query)) ==
        std::vector{kThames, kAda, kLondon, kEngine});
}

TEST_CASE("a query composed with weight leans towards the selected sentences and keeps unit length") {
  SmallWorld small({0.6f, 0, 0, 0, 0});
  small.config.compose_query = 1;
  const Question question = question_showing(small, {0});
  const std::vector<SentenceId> selected{SentenceId{0}};
  CHECK(composed_query(small.world(), question, selected).vector == small.query().vector);
  CHECK(query_selection(small.world(), selected).empty());
  small.config.selected_weight = 0.5;
  const Query composed = composed_query(small.world(), question, selected);
  CHECK(composed.vector[0] == doctest::Approx(1.3 / std::sqrt(1.3 * 1.3 + 0.4 * 0.4)));
  CHECK(composed.vector[1] == doctest::Approx(0.4 / std::sqrt(1.3 * 1.3 + 0.4 * 0.4)));
  CHECK(query_selection(small.world(), selected).size() == 1);
}
