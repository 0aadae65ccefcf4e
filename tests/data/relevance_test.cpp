#include "data/relevance.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "tests/data/lexical_graph.h"
#include "tests/data/random_rows.h"

using namespace harnessg;

namespace {

constexpr std::uint32_t kParagraphs = 300, kEntities = 200;
constexpr std::size_t kDim = 32;

Graph numbered_graph() {
  std::vector<ParagraphText> paragraphs;
  std::vector<EntityForms> entities;
  for (std::uint32_t i = 0; i < kParagraphs; ++i)
    paragraphs.push_back(
        {"film " + std::to_string(i),
         {"Directed by person " + std::to_string(i % 17) + ".", i % 2 == 0 ? "It won a prize." : "It was lost."}});
  for (std::uint32_t i = 0; i < kEntities; ++i) {
    const std::string name = i % 10 == 0 ? "film " + std::to_string(i) : "someone " + std::to_string(i % 7);
    entities.push_back({name, {name}});
  }
  return lexical_graph(paragraphs, entities);
}

struct World {
  Graph graph = numbered_graph();
  Lexicon lexicon = Lexicon::create(make_lexicon_tables(graph, 1), graph).value();
  NodeVectors vectors{VectorTable::create(random_unit_rows(kParagraphs, kDim, 1)).value(),
                      VectorTable::create(random_unit_rows(2 * kParagraphs, kDim, 2)).value(),
                      VectorTable::create(random_unit_rows(kEntities, kDim, 3)).value()};
  std::vector<std::unique_ptr<Relevance>> all;

  World() {
    all.push_back(make_lexical_relevance(lexicon));
    all.push_back(make_dense_relevance(vectors));
    all.push_back(make_hybrid_relevance(lexicon, vectors, {}));
  }
  const Relevance& of(Scoring scoring) const { return *all[static_cast<std::size_t>(scoring)]; }
  Query query(const std::string& text, std::uint64_t seed) const {
    return {random_unit_rows(1, kDim, seed).values, lexicon.query(text)};
  }
};

const World& world() {
  static const World made;
  return made;
}

constexpr NodeKind kKinds[] = {NodeKind::kParagraph, NodeKind::kSentence, NodeKind::kEntity};

std::vector<std::uint32_t> all_ids(NodeKind kind) {
  std::vector<std::uint32_t> ids(world().graph.count(kind));
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

std::vector<float> scores_of(const Relevance& relevance, const Query& query, NodeKind kind,
                             const std::vector<std::uint32_t>& ids) {
  std::vector<float> scores(ids.size());
  relevance.score(query, kind, ids, scores);
  return scores;
}

// Standard scores as a textbook computes them.
std::vector<double> standard_scores(const std::vector<float>& scores) {
  const double n = static_cast<double>(scores.size());
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / n;
  double squares = 0;
  for (const float score : scores) squares += (score - mean) * (score - mean);
  std::vector<double> standard;
  for (const float score : scores) standard.push_back(squares == 0 ? 0 : (score - mean) / std::sqrt(squares / n));
  return standard;
}

}  // namespace

TEST_CASE("scorings have names") {
  for (const auto& [scoring, name] : {std::pair{Scoring::kLexical, "lexical"}, std::pair{Scoring::kDense, "dense"},
                                      std::pair{Scoring::kHybrid, "hybrid"}}) {
    CHECK(scoring_name(scoring) == name);
    CHECK(world().of(scoring).scoring() == scoring);
  }
}

TEST_CASE("the best nodes are those of scoring and sorting all of them") {
  for (const auto& relevance : world().all) {
    for (const char* text : {"film 12 directed by person 3", "prize", "someone lost it", "nothing known here"}) {
      for (const NodeKind kind : kKinds) {
        CAPTURE(std::string(scoring_name(relevance->scoring())));
        const Query query = world().query(text, 5);
        const auto ids = all_ids(kind);
        const auto scores = scores_of(*relevance, query, kind, ids);
        std::vector<Scored> expected;
        for (const std::uint32_t id : ids)
          if (relevance->scoring() != Scoring::kLexical || scores[id] > 0) expected.push_back({id, scores[id]});
        std::sort(expected.begin(), expected.end(), ranks_before);
        for (const std::size_t k : {0u, 1u, 8u, 40u, 1000u}) {
          const auto first = expected.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(k, expected.size()));
          const std::vector<Scored> wanted(expected.begin(), first);
          const std::vector<Scored> best = relevance->best(query, kind, k);
          if (relevance->scoring() != Scoring::kHybrid) {
            REQUIRE(best == wanted);
            continue;
          }
          // Mean and deviation of the dense part are those of rounded vectors.
          REQUIRE(best.size() == wanted.size());
          CHECK(std::is_sorted(best.begin(), best.end(), ranks_before));
          for (std::size_t i = 0; i < best.size(); ++i) {
            CHECK(std::abs(best[i].score - wanted[i].score) < 5e-3);
            CHECK(std::abs(best[i].score - scores[best[i].id]) < 5e-3);
          }
        }
      }
    }
  }
}

TEST_CASE("several queries are answered together as one by one, and lists scored together as one by one") {
  std::vector<Query> queries;
  for (std::uint64_t n = 0; n < 35; ++n) queries.push_back(world().query(n % 2 == 0 ? "film 12" : "prize person 3", n));
  std::vector<const Query*> pointers;
  for (const Query& query : queries) pointers.push_back(&query);
  const std::vector<std::vector<std::uint32_t>> lists{{1, 5, 9, 200}, {}, {5, 6, 7, 9, 250, 299}, {9}};
  const std::vector<std::span<const std::uint32_t>> asked(lists.begin(), lists.end());
  for (const auto& relevance : world().all) {
    for (const NodeKind kind : kKinds) {
      const auto together = relevance->best(pointers, kind, 9);
      for (std::size_t q = 0; q < queries.size(); ++q) CHECK(together[q] == relevance->best(queries[q], kind, 9));
    }
    std::vector<std::vector<float>> scores;
    for (const auto& list : lists) scores.emplace_back(list.size());
    const std::vector<std::span<float>> out(scores.begin(), scores.end());
    relevance->score_lists(queries[0], NodeKind::kSentence, asked, out);
    for (std::size_t l = 0; l < lists.size(); ++l)
      CHECK(scores[l] == scores_of(*relevance, queries[0], NodeKind::kSentence, lists[l]));
  }
}

TEST_CASE("lexical search lists only nodes that share a term") {
  const Relevance& lexical = world().of(Scoring::kLexical);
  CHECK(lexical.best(world().query("prize", 1), NodeKind::kSentence, 1000).size() == kParagraphs / 2);
  CHECK(lexical.best(world().query("prize", 1), NodeKind::kEntity, 1000).empty());
}

TEST_CASE("dense scores are canonical dot products") {
  const Query query = world().query("", 9);
  const std::vector<std::uint32_t> ids{7, 7, 0, 299, 12};
  const auto scores = scores_of(world().of(Scoring::kDense), query, NodeKind::kParagraph, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(scores[i] == dot(query.vector, world().vectors[0].row(ids[i])));
}

TEST_CASE("hybrid scores are weighted standard scores over what is ranked") {
  const Query query = world().query("film 12 directed by person 3", 6);
  const auto hybrid = make_hybrid_relevance(world().lexicon, world().vectors, {0.4, 1.5});
  const std::vector<std::uint32_t> some{24, 25, 3, 9, 100, 24};
  for (const auto& ids : {some, all_ids(NodeKind::kSentence)}) {
    const auto scores = scores_of(*hybrid, query, NodeKind::kSentence, ids);
    const auto lexical = standard_scores(scores_of(world().of(Scoring::kLexical), query, NodeKind::kSentence, ids));
    const auto dense = standard_scores(scores_of(world().of(Scoring::kDense), query, NodeKind::kSentence, ids));
    for (std::size_t i = 0; i < ids.size(); ++i)
      CHECK(scores[i] == doctest::Approx(0.4 * lexical[i] + 1.5 * dense[i]).epsilon(1e-6));
  }
}

TEST_CASE("hybrid weights are 0.3 and 0.7 unless set") {
  const Query query = world().query("film 12", 6);
  const auto set = make_hybrid_relevance(world().lexicon, world().vectors, {0.3, 0.7});
  const Relevance& usual = world().of(Scoring::kHybrid);
  CHECK(set->best(query, NodeKind::kParagraph, 300) == usual.best(query, NodeKind::kParagraph, 300));
}

TEST_CASE("a part whose scores are all equal contributes nothing") {
  const Relevance& hybrid = world().of(Scoring::kHybrid);
  const Query unknown = world().query("nothing known here", 6);
  const std::vector<std::uint32_t> ids{4, 8, 15, 16, 23, 42};
  const auto dense = standard_scores(scores_of(world().of(Scoring::kDense), unknown, NodeKind::kParagraph, ids));
  const auto scores = scores_of(hybrid, unknown, NodeKind::kParagraph, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(scores[i] == doctest::Approx(0.7 * dense[i]).epsilon(1e-6));
  CHECK(scores_of(hybrid, unknown, NodeKind::kParagraph, {5}) == std::vector<float>{0});
  CHECK(scores_of(hybrid, unknown, NodeKind::kParagraph, {5, 5, 5}) == std::vector<float>{0, 0, 0});
  CHECK(scores_of(hybrid, unknown, NodeKind::kParagraph, {}).empty());
}

TEST_CASE("the order of the ids changes no bit of a score") {
  std::mt19937_64 generator(1);
  const Query query = world().query("film 12 directed by person 3 who won a prize", 6);
  for (const auto& relevance : world().all) {
    for (const NodeKind kind : kKinds) {
      auto ids = all_ids(kind);
      std::vector<float> by_id(ids.size());
      relevance->score(query, kind, ids, by_id);
      for (int repetition = 0; repetition < 20; ++repetition) {
        std::shuffle(ids.begin(), ids.end(), generator);
        const auto shuffled = scores_of(*relevance, query, kind, ids);
        for (std::size_t i = 0; i < ids.size(); ++i) REQUIRE(shuffled[i] == by_id[ids[i]]);
      }
    }
  }
}

TEST_CASE("the order of the ids changes no bit where sums of doubles would differ") {
  // Scores of both signs and very different sizes: their mean is 0, but added in most orders they leave a remainder.
  constexpr std::uint32_t kPairs = 50;
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<float> size(0.5f, 0.99f);
  Matrix rows{1, 2, {0, 1}};
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const float score = std::ldexp(size(generator), -static_cast<int>(generator() % 60));
    for (const float x : {score, -score}) {
      rows.values.insert(rows.values.end(), {x, std::sqrt(1 - x * x)});
      ++rows.rows;
    }
  }
  const Graph graph = lexical_graph(std::vector<ParagraphText>(rows.rows, {"title", {"text"}}));
  const Lexicon lexicon = Lexicon::create(make_lexicon_tables(graph, 1), graph).value();
  const NodeVectors vectors{VectorTable::create(rows).value(), VectorTable::create(rows).value(),
                            VectorTable::create(Matrix{0, 2, {}}).value()};
  const auto hybrid = make_hybrid_relevance(lexicon, vectors, {0, 1});
  std::vector<std::uint32_t> ids(rows.rows);
  std::iota(ids.begin(), ids.end(), 0u);
  const auto by_id = scores_of(*hybrid, {{1, 0}, {}}, NodeKind::kParagraph, ids);
  CHECK(by_id[0] == 0);
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::shuffle(ids.begin(), ids.end(), generator);
    const auto shuffled = scores_of(*hybrid, {{1, 0}, {}}, NodeKind::kParagraph, ids);
    for (std::size_t i = 0; i < ids.size(); ++i) REQUIRE(shuffled[i] == by_id[ids[i]]);
  }
}
