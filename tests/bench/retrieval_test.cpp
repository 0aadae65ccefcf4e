#include "bench/retrieval.h"

#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "bench/page_rank.h"
#include "tests/bench/chain_world.h"
#include "tests/sample.h"

namespace harnessg::bench {
namespace {

std::vector<ParagraphId> ids(std::initializer_list<std::uint32_t> rows) {
  std::vector<ParagraphId> list;
  for (const std::uint32_t row : rows) list.push_back(ParagraphId{row});
  return list;
}

std::unique_ptr<Retriever> retriever(std::string_view name, const Index& index) {
  auto made = make_retriever(name, index);
  REQUIRE_MESSAGE(made.has_value(), made.error().message);
  return std::move(*made);
}

}  // namespace

TEST_CASE("Recall at k is the share of gold among the first k") {
  const Graph& graph = chain_index()->graph();
  const auto ranking = ids({kDelta, kAlpha, kBravo, kCharlie});
  const auto gold = ids({kAlpha, kCharlie});
  const auto answer = ids({kBravo});
  const RecallAt two = recall_at(graph, ranking, 2, gold, answer);
  CHECK(two == RecallAt{2, 0.5, 0, 0.5, 0, 0});
  CHECK(recall_at(graph, ranking, 4, gold, answer) == RecallAt{4, 1, 1, 1, 1, 1});
  CHECK(recall_at(graph, ranking, 9, gold, answer).all_paragraphs == 1);
  CHECK(recall_at(graph, {}, 5, gold, answer) == RecallAt{5, 0, 0, 0, 0, 0});
}

TEST_CASE("BM25 ranks the paragraphs that share a term with the question, and no other") {
  const auto index = chain_index();
  const auto query = retrieval_query(*index, nullptr, "Who wed Charlie?");
  REQUIRE(query.has_value());
  CHECK(retriever("bm25", *index)->rank(*query, "Who wed Charlie?", 9) == ids({kBravo, kCharlie}));
}

TEST_CASE("PageRank finds paragraphs that share no term with the question, nearer ones first") {
  const auto index = chain_index();
  const auto query = retrieval_query(*index, nullptr, "Alpha");
  REQUIRE(query.has_value());
  const auto ranking = retriever("pagerank", *index)->rank(*query, "Alpha", 4);
  REQUIRE(ranking.size() == 4);
  CHECK(ranking == ids({kAlpha, kBravo, kCharlie, kDelta}));
}

TEST_CASE("PageRank of paragraphs and what a walk leaves on other nodes is what it started with") {
  // Two nodes that only know each other: with damping d the start keeps 1 / (1 + d) of the mass (solved by hand).
  RecordList corpus({record("a", "", "It rained.")});
  MentionList mentions({});
  auto built = build_content(corpus, &mentions, BuildSettings{}, nullptr);
  REQUIRE(built.has_value());
  const PageRank walk(built->content.graph, {0.5, 200, 0});
  const auto rank = walk.paragraphs({}, {{ParagraphId{0}, 3.0}});
  REQUIRE(rank.size() == 1);
  CHECK(static_cast<double>(rank[0]) == doctest::Approx(1 / 1.5).epsilon(1e-6));
}

TEST_CASE("Retrievers that need vectors are refused without them, and unknown ones named") {
  const auto index = chain_index();
  CHECK(retriever_names(*index) == std::vector<std::string>{"bm25", "pagerank"});
  CHECK(make_retriever("fusion", *index).error().code == ErrorCode::kInvalidArgument);
  CHECK(make_retriever("oracle", *index).error().message.find("bm25") != std::string::npos);
}

}  // namespace harnessg::bench
