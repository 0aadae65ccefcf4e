// What the episodes of a pool need embedded: one call a batch, and the same results.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "engine/pool.h"
#include "tests/engine/word_embedder.h"
#include "tests/sample.h"

using namespace harnessg;

namespace {

std::shared_ptr<const Index> vector_index() {
  static const auto index = sample_index_with(WordEmbedder());
  return index;
}

// Profile `released` encodes "question + selected" anew after every Select.
std::shared_ptr<const Environment> environment_with(std::shared_ptr<const WordEmbedder> embedder,
                                                    EnvironmentOptions options = {}) {
  auto environment = Environment::create(vector_index(), std::move(options), std::move(embedder));
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

std::unique_ptr<EpisodePool> pool_of(std::shared_ptr<const Environment> environment, std::size_t size, unsigned threads,
                                     WhenOver when_over = WhenOver::kSkip) {
  auto pool = EpisodePool::create(std::move(environment), {size, threads, when_over});
  REQUIRE_MESSAGE(pool.has_value(), pool.error().message);
  return std::move(*pool);
}

std::vector<Task> tasks(std::size_t count) {
  std::vector<Task> list;
  for (std::size_t n = 0; n < count; ++n) {
    list.push_back(sample_tasks()[n % sample_tasks().size()]);
    list.back().seed = episode_seed(3, n);
  }
  return list;
}

// A Select where there is one, then a lookup, by turns.
std::size_t choice(const Episode& episode) {
  const ActionKind wanted = episode.turn() % 2 == 1 ? ActionKind::kSelect : ActionKind::kLookup;
  const auto at = std::find_if(episode.menu().begin(), episode.menu().end(),
                               [&](const Action& action) { return action.kind == wanted; });
  return at == episode.menu().end() ? 0 : static_cast<std::size_t>(at - episode.menu().begin());
}

std::vector<std::size_t> choices(const EpisodePool& pool) {
  std::vector<std::size_t> positions;
  for (std::size_t slot = 0; slot < pool.size(); ++slot)
    positions.push_back(pool.episode(slot)->over() ? 0 : choice(*pool.episode(slot)));
  return positions;
}

std::vector<std::size_t> all_slots(const EpisodePool& pool) {
  std::vector<std::size_t> slots(pool.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  return slots;
}

}  // namespace

TEST_CASE("reset, step and preview of a pool each call the embedder at most once") {
  for (const unsigned threads : {1u, 4u}) {
    const auto embedder = std::make_shared<WordEmbedder>();
    const auto pool = pool_of(environment_with(embedder), 60, threads);
    REQUIRE(pool->reset(tasks(60)).has_value());
    CHECK(embedder->calls() == 1);
    CHECK(embedder->texts() == sample_tasks().size());
    std::size_t embedded = 0;
    while (!pool->episode(0)->over()) {
      for (const bool preview : {true, false}) {
        const std::size_t before = embedder->calls();
        const std::size_t texts = embedder->texts();
        if (preview) {
          REQUIRE(pool->preview_all().has_value());
        } else {
          REQUIRE(pool->step(choices(*pool)).has_value());
        }
        CHECK(embedder->calls() <= before + 1);
        embedded += embedder->texts() - texts;
      }
    }
    CHECK(embedded > sample_tasks().size());  // mixed queries of the selections
  }
}

TEST_CASE("steps that are sent are embedded in one call too") {
  const auto embedder = std::make_shared<WordEmbedder>();
  const auto pool = pool_of(environment_with(embedder), 60, 4);
  REQUIRE(pool->reset(tasks(60)).has_value());
  REQUIRE(pool->step(choices(*pool)).has_value());
  const std::size_t before = embedder->calls();
  REQUIRE(pool->send(all_slots(*pool), choices(*pool)).has_value());
  const auto results = pool->receive(60).value();
  CHECK(embedder->calls() == before + 1);
  CHECK(std::ranges::all_of(results, [](const SlotResult& result) { return result.event == SlotEvent::kStepped; }));
}

TEST_CASE("episodes that start again start together") {
  const auto embedder = std::make_shared<WordEmbedder>();
  EnvironmentOptions forgetful;
  forgetful.question_cache = 0;
  forgetful.query_cache = 0;
  const auto pool = pool_of(environment_with(embedder, forgetful), 30, 2, WhenOver::kRestart);
  REQUIRE(pool->reset(tasks(30)).has_value());
  const std::vector<std::size_t> blocked(30, 1000);
  while (!pool->episode(0)->over()) REQUIRE(pool->step(blocked).has_value());
  const std::size_t before = embedder->calls();
  const auto results = pool->step(blocked).value();
  CHECK(embedder->calls() == before + 1);
  CHECK(std::ranges::all_of(results, [](const SlotResult& result) { return result.event == SlotEvent::kReset; }));
}

TEST_CASE("episodes with vectors end as they do alone, for any pool, threads, profile and room to remember") {
  EnvironmentOptions usual;
  EnvironmentOptions composed;
  composed.config = profile("default").value();
  EnvironmentOptions novel;  // previews need a text for every Select, too
  novel.config.order_by_novelty = 1;
  EnvironmentOptions forgetful;
  forgetful.query_cache = 0;
  forgetful.question_cache = 0;
  forgetful.memory_bytes = 0;
  EnvironmentOptions cramped;
  cramped.query_cache = 3;
  cramped.memory_bytes = 4000;
  for (const EnvironmentOptions& options : {usual, composed, novel, forgetful, cramped}) {
    const auto embedder = std::make_shared<WordEmbedder>();
    const auto environment = environment_with(embedder, options);
    std::vector<std::string> expected;
    for (const Task& task : tasks(40)) {
      Episode episode = environment->reset(task).value();
      while (!episode.over()) REQUIRE(environment->step(episode, choice(episode)).has_value());
      expected.push_back(episode.save());
    }
    for (const auto& [size, threads] : {std::pair{40u, 1u}, std::pair{40u, 4u}}) {
      const auto pool = pool_of(environment_with(embedder, options), size, threads);
      REQUIRE(pool->reset(tasks(size)).has_value());
      for (std::size_t turn = 0; turn < 8; ++turn) {
        if (turn % 2 == 0) REQUIRE(pool->preview_all().has_value());
        REQUIRE(pool->step(choices(*pool)).has_value());
      }
      for (std::size_t slot = 0; slot < size; ++slot) CHECK(pool->episode(slot)->save() == expected[slot]);
    }
  }
}

TEST_CASE("an embedder that fails for one question leaves the other slots alone") {
  for (const unsigned threads : {1u, 4u}) {
    const auto environment = environment_with(std::make_shared<WordEmbedder>("unspeakable"));
    const auto pool = pool_of(environment, 40, threads);
    std::vector<Task> given = tasks(40);
    given[7].question = "Who was the unspeakable one?";
    const auto results = pool->reset(given).value();
    for (std::size_t slot = 0; slot < 40; ++slot) {
      CHECK(results[slot].event == (slot == 7 ? SlotEvent::kFailed : SlotEvent::kReset));
      if (slot != 7) CHECK(*pool->episode(slot) == environment->reset(given[slot]).value());
    }
    CHECK(results[7].error == environment->reset(given[7]).error());
    CHECK(pool->episode(7) == nullptr);
  }
}

TEST_CASE("an embedder that fails for one lookup leaves the other slots alone, and that episode as it was") {
  // The first sentence that question 0 may select, so that its mixed query alone is refused.
  const auto probe = environment_with(std::make_shared<WordEmbedder>());
  const Episode first = probe->reset(tasks(1).front()).value();
  const auto text = vector_index()->graph().text(first.visible().front().sentence);
  const auto environment = environment_with(std::make_shared<WordEmbedder>(std::string(text.substr(0, 20))));
  const auto pool = pool_of(environment, 30, 2);
  REQUIRE(pool->reset(tasks(30)).has_value());
  REQUIRE(pool->step(std::vector<std::size_t>(30, 0)).has_value());
  std::vector<std::size_t> positions = choices(*pool);
  const Episode before = *pool->episode(0);
  REQUIRE(before.menu()[positions[0]].kind == ActionKind::kLookup);
  const auto previews = pool->preview_all().value();
  CHECK_FALSE(previews[0].has_value());
  const auto results = pool->step(positions).value();
  CHECK(results[0].event == SlotEvent::kFailed);
  CHECK(results[0].error.code == ErrorCode::kUnavailable);
  CHECK(*pool->episode(0) == before);
  const auto refused = std::ranges::count(results, SlotEvent::kFailed, &SlotResult::event);
  CHECK(refused >= 1);
  CHECK(refused < 30);
}

TEST_CASE("what is encoded ahead needs no encoding later, and nothing is encoded where nothing has to be") {
  const auto embedder = std::make_shared<WordEmbedder>();
  const auto environment = environment_with(embedder);
  Episode episode = environment->reset(tasks(1).front()).value();
  REQUIRE(environment->step(episode, std::size_t{0}).has_value());
  const PlannedCall call{&episode, std::nullopt};
  REQUIRE(environment->encode_ahead(std::span(&call, 1)).has_value());
  const std::size_t before = embedder->calls();
  REQUIRE(environment->encode_ahead(std::span(&call, 1)).has_value());
  REQUIRE(environment->preview_all(episode).has_value());
  CHECK(embedder->calls() == before);

  EnvironmentOptions composed;
  composed.config = profile("default").value();
  const auto silent = std::make_shared<WordEmbedder>();
  const auto other = environment_with(silent, composed);
  const auto pool = pool_of(other, 30, 2);
  REQUIRE(pool->reset(tasks(30)).has_value());
  while (!pool->episode(0)->over()) {
    REQUIRE(pool->preview_all().has_value());
    REQUIRE(pool->step(choices(*pool)).has_value());
  }
  CHECK(silent->calls() == 1);
}
