#include "bench/collapse.h"

#include <doctest/doctest.h>

#include "bench/bootstrap.h"

namespace harnessg::bench {
namespace {

Played saw(std::initializer_list<std::uint32_t> rows, std::string form) {
  Played played;
  for (const std::uint32_t row : rows) played.seen.push_back(SentenceId{row});
  played.form = std::move(form);
  return played;
}

}  // namespace

TEST_CASE("Different actions that show the same sentences are one class") {
  const std::vector<Played> rollouts{saw({1, 2, 3}, "a"), saw({3, 2, 1}, "b"), saw({1, 2, 4}, "c"),
                                     saw({1, 2, 3}, "a")};
  const GroupCollapse collapse = group_collapse(rollouts);
  CHECK(collapse.classes == 2);
  CHECK(collapse.query_forms == 0.75);
}

TEST_CASE("Sets that overlap by 0.8 are alike, also by way of a third") {
  // Neighbours overlap by 8 / 10, the ends by 7 / 11.
  const std::vector<Played> rollouts{saw({0, 1, 2, 3, 4, 5, 6, 7, 8}, "a"), saw({1, 2, 3, 4, 5, 6, 7, 8, 9}, "b"),
                                     saw({2, 3, 4, 5, 6, 7, 8, 9, 10}, "c"), saw({50}, "d")};
  const GroupCollapse collapse = group_collapse(rollouts);
  CHECK(collapse.classes == 4);
  CHECK(collapse.classes_alike == 2);
}

TEST_CASE("A group without a difference in reward has no advantage") {
  CHECK(zero_advantage(std::vector<double>{0.1, 0.1, 0.1}));
  CHECK_FALSE(zero_advantage(std::vector<double>{0.1, 0.1, 0.2}));
}

TEST_CASE("What is done counts by its target, not by the id that the menu gave it") {
  Trace trace;
  const auto lookup = [](std::uint32_t position, std::uint32_t target, bool news) {
    TraceStep step;
    step.event = Event::kLookup;
    step.position = position;
    for (std::uint32_t other = 0; other < position; ++other) step.menu_before.push_back({ActionKind::kSelect, other});
    step.menu_before.push_back({ActionKind::kLookup, target});
    if (news) step.outcome.new_sentences.push_back(SentenceId{9});
    return step;
  };
  trace.steps = {TraceStep{}, lookup(3, 7, true), lookup(5, 7, false)};
  const Played played = played_of(trace);
  CHECK(played.form == "LOOKUP 7\nLOOKUP 7\n");
  CHECK(played.lookups == 2);
  CHECK(played.with_news == 1);
  CHECK(played.repeated == 1);
}

TEST_CASE("A bootstrap interval holds the mean and shrinks with the number of values") {
  std::vector<double> few;
  std::vector<double> many;
  for (int i = 0; i < 1000; ++i) {
    if (i < 20) few.push_back(i % 2);
    many.push_back(i % 2);
  }
  const auto wide = bootstrap_interval(few, 1000, 0.95, 1);
  const auto narrow = bootstrap_interval(many, 1000, 0.95, 1);
  CHECK(wide.first < 0.5);
  CHECK(wide.second > 0.5);
  // 1.96 standard errors of the mean: 0.031 to either side.
  CHECK(narrow.first == doctest::Approx(0.469).epsilon(0.02));
  CHECK(narrow.second == doctest::Approx(0.531).epsilon(0.02));
  CHECK(bootstrap_interval(few, 1000, 0.95, 1) == wide);
  CHECK(bootstrap_interval(std::vector<double>{0.25}, 100, 0.95, 0) == std::pair(0.25, 0.25));
}

}  // namespace harnessg::bench
