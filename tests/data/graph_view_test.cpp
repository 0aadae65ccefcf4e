#include "data/graph_view.h"

#include <doctest/doctest.h>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/page_rank.hpp>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace harnessg;

namespace {

// Three paragraphs of 2, 1 and 1 sentences. Entity 0 links the first two; entities 1 and 2 are synonyms, entity 2 and
// the third paragraph are linked by nothing else.
Graph three_paragraphs() {
  GraphTables t;
  for (const char* id : {"a", "b", "c"}) {
    t.record_ids.push_back(id);
    t.titles.push_back(id);
    t.metadata.push_back("");
    t.title_entities.push_back(kNoEntity);
    t.paragraph_entities.push_back({});
  }
  for (const char* text : {"One. Two.", "Three.", "Four."}) t.texts.push_back(text);
  t.sentence_ends = {2, 3, 4};
  t.text_begins = {0, 5, 0, 0};
  t.text_ends = {4, 9, 6, 5};
  const std::vector<std::vector<EntityId>> mentions{{}, {EntityId{0}, EntityId{1}}, {EntityId{0}}, {}};
  for (const auto& row : mentions) t.sentence_entities.push_back(row);
  const std::vector<std::vector<SentenceId>> sentences{{SentenceId{1}, SentenceId{2}}, {SentenceId{1}}, {}};
  for (const auto& row : sentences) t.entity_sentences.push_back(row);
  const std::vector<std::vector<Synonym>> synonyms{{}, {{EntityId{2}, 0.9f}}, {{EntityId{1}, 0.9f}}};
  for (const auto& row : synonyms) t.entity_synonyms.push_back(row);
  for (std::uint32_t e = 0; e < 3; ++e) {
    t.canonical_forms.push_back("e");
    t.surfaces.push_back("E");
    t.surface_rows.push_back(std::vector<std::uint32_t>{e});
    t.labels.push_back(Label::kEntity);
  }
  return Graph::create(std::move(t)).value();
}

std::vector<std::uint64_t> neighbours(const GraphView& view, std::uint64_t v) {
  const auto [begin, end] = adjacent_vertices(v, view);
  return {begin, end};
}

}  // namespace

TEST_CASE("the view models the concepts that Boost.Graph's algorithms ask for") {
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<GraphView>));
  BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<GraphView>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<GraphView>));
  CHECK(boost::is_undirected(GraphView(three_paragraphs())));
}

TEST_CASE("vertices number paragraphs, then sentences, then entities") {
  const Graph graph = three_paragraphs();
  const GraphView view(graph);
  CHECK(num_vertices(view) == 10);
  CHECK(view.vertex(ParagraphId{2}) == 2);
  CHECK(view.vertex(SentenceId{0}) == 3);
  CHECK(view.vertex(EntityId{0}) == 7);
  for (std::uint32_t row = 0; row < 3; ++row) {
    CHECK(view.kind(view.vertex(EntityId{row})) == NodeKind::kEntity);
    CHECK(view.row(view.vertex(EntityId{row})) == row);
    CHECK(view.kind(view.vertex(SentenceId{row})) == NodeKind::kSentence);
    CHECK(view.row(view.vertex(SentenceId{row})) == row);
  }
}

TEST_CASE("a node's neighbours come by kind of edge, in the order of the graph") {
  const Graph graph = three_paragraphs();
  const GraphView view(graph);
  CHECK(neighbours(view, 0) == std::vector<std::uint64_t>{3, 4});
  CHECK(neighbours(view, 3) == std::vector<std::uint64_t>{0, 4});
  CHECK(neighbours(view, 4) == std::vector<std::uint64_t>{0, 3, 7, 8});
  CHECK(neighbours(view, 6) == std::vector<std::uint64_t>{2});
  CHECK(neighbours(view, 7) == std::vector<std::uint64_t>{4, 5});
  CHECK(neighbours(view, 8) == std::vector<std::uint64_t>{4, 9});
  CHECK(view.edge(8, 1).kind == EdgeKind::kSynonym);
  CHECK(view.edge(4, 1).kind == EdgeKind::kNeighbour);
}

TEST_CASE("every edge is seen from both its ends") {
  const Graph graph = three_paragraphs();
  const GraphView view(graph);
  std::set<std::tuple<std::uint64_t, std::uint64_t, EdgeKind>> seen;
  for (std::uint64_t v = 0; v < num_vertices(view); ++v) {
    const auto [begin, end] = out_edges(v, view);
    CHECK(end - begin == static_cast<std::int64_t>(out_degree(v, view)));
    for (auto edge = begin; edge != end; ++edge)
      CHECK(seen.emplace((*edge).source, (*edge).target, (*edge).kind).second);
  }
  CHECK(seen.size() == 2 * (4 + 1 + 3 + 1));
  for (const auto& [from, to, kind] : seen) CHECK(seen.count({to, from, kind}) == 1);
}

TEST_CASE("breadth-first search over the view finds the shortest hops") {
  const Graph graph = three_paragraphs();
  const GraphView view(graph);
  std::vector<int> hops(num_vertices(view), -1);
  hops[view.vertex(ParagraphId{0})] = 0;
  boost::breadth_first_search(
      view, view.vertex(ParagraphId{0}),
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()))));
  CHECK(hops == std::vector<int>{0, 4, -1, 1, 1, 3, -1, 2, 2, 3});
}

TEST_CASE("components are counted over all kinds of node") {
  CHECK(connected_component_count(three_paragraphs()) == 2);
  CHECK(connected_component_count(Graph::create({}).value()) == 0);
}

TEST_CASE("PageRank over the view favours the node with more links") {
  const Graph graph = three_paragraphs();
  const GraphView view(graph);
  std::vector<double> rank(num_vertices(view));
  const auto rank_map = boost::make_iterator_property_map(rank.begin(), get(boost::vertex_index, view));
  boost::graph::page_rank(view, rank_map, boost::graph::n_iterations(30));
  for (const double value : rank) CHECK(std::isfinite(value));
  CHECK(rank[view.vertex(SentenceId{1})] > rank[view.vertex(SentenceId{0})]);
  CHECK(rank[view.vertex(EntityId{0})] > rank[view.vertex(EntityId{2})]);
}
