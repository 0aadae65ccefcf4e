#include "credit/provenance.h"

#include <doctest/doctest.h>

#include "tests/credit/random_trace.h"

using namespace harnessg;

namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

}  // namespace

TEST_CASE("INIT and blocked turns are no nodes, Answer is one without edges") {
  const Trace trace = HandMade().first_view({1, 2}).blocked().select(1).blocked().lookup({3}).answer().trace();
  const Provenance provenance(trace);
  CHECK(std::vector(provenance.steps().begin(), provenance.steps().end()) == std::vector<std::size_t>{2, 4, 5});
  CHECK(provenance.edges() == Edges{{0, 1}});
}

TEST_CASE("an edge comes from the latest producer before the step, not from an earlier one") {
  const Trace trace = HandMade().first_view({1}).lookup({2}).select(2).lookup({3}).trace();
  CHECK(Provenance(trace).edges() == Edges{{0, 1}, {1, 2}});
}

TEST_CASE("a used entity ties a step to the one that brought it up last") {
  const Trace trace =
      HandMade().first_view({1}).lookup({2}, {}, {5, 6}).lookup({3}, {}, {6}).lookup({4}, {6}).lookup({7}, {5}).trace();
  CHECK(Provenance(trace).edges() == Edges{{0, 3}, {1, 2}});
}

TEST_CASE("a sentence and an entity from one step are one edge") {
  const Trace trace = HandMade().first_view({1}).select(1, {5}).lookup({2}, {5}).trace();
  CHECK(Provenance(trace).edges() == Edges{{0, 1}});
}

TEST_CASE("numbers of sentences and of entities are not mixed up") {
  const Trace trace = HandMade().first_view({5}).lookup({7}, {}, {}).lookup({8}, {7}).trace();
  CHECK(Provenance(trace).edges().empty());
}

TEST_CASE("a lookup produces its new sentences only: what was seen keeps its producer") {
  const Trace trace = HandMade().first_view({1}).lookup({2}).lookup({2, 3}).select(2).trace();
  CHECK(Provenance(trace).edges() == Edges{{0, 2}});
}

TEST_CASE("backwards, every node comes after all nodes it leads to") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Provenance provenance(random_trace(seed, 8));
    const auto order = provenance.backwards();
    REQUIRE(order.size() == provenance.size());
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (const auto& [t, u] : provenance.edges()) CHECK(place[t] > place[u]);
  }
}

TEST_CASE("shuffled edges keep every step's number of predecessors, point forward, and repeat with the seed") {
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Provenance provenance(random_trace(seed, 8));
    const Provenance shuffled = provenance.shuffled(seed);
    REQUIRE(shuffled.size() == provenance.size());
    for (std::size_t u = 0; u < provenance.size(); ++u) {
      CHECK(shuffled.predecessors(u).size() == provenance.predecessors(u).size());
      for (const std::size_t t : shuffled.predecessors(u)) CHECK(t < u);
    }
    CHECK(provenance.shuffled(seed).edges() == shuffled.edges());
    changed += shuffled.edges() != provenance.edges() ? 1 : 0;
  }
  CHECK(changed > 150);
}

TEST_CASE("shuffling draws every earlier step about equally often") {
  HandMade episode;
  episode.first_view({1}).select(1).lookup({2}).consuming({}).lookup({3}).consuming({}).lookup({4});
  const Provenance provenance(episode.trace());
  REQUIRE(provenance.edges() == Edges{{0, 3}});
  std::vector<int> drawn(3, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) ++drawn[provenance.shuffled(seed).predecessors(3).at(0)];
  for (const int count : drawn) CHECK(std::abs(count - 1000) < 120);
}

TEST_CASE("a coalition supports the steps whose whole past is in it") {
  const Provenance provenance(chain());
  REQUIRE(provenance.edges() == Edges{{0, 1}, {1, 2}});
  CHECK(provenance.supported(0b111) == 0b111);
  CHECK(provenance.supported(0b011) == 0b011);
  CHECK(provenance.supported(0b101) == 0b001);
  CHECK(provenance.supported(0b110) == 0);
}
