// The graph as Boost.Graph sees it, so that breadth-first search, components and PageRank come from that library.
// A view: nothing of the adjacency is copied.
//
//   const GraphView view(graph);
//   std::vector<std::uint64_t> component(num_vertices(view));
//   boost::connected_components(view, component.data());
#pragma once

#include <boost/graph/adjacency_iterator.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <cstdint>
#include <utility>

#include "data/graph.h"

namespace harnessg {

// Edges between a paragraph and an entity are not shown: each is the sum of a containment and a mention edge.
enum class EdgeKind : std::uint8_t {
  kContainment,  // paragraph - sentence
  kNeighbour,    // sentence - sentence, next to each other in one paragraph
  kMention,      // sentence - entity
  kSynonym,      // entity - entity
};

// An edge as seen from `source`; the same edge seen from the other end compares equal.
struct GraphEdge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  EdgeKind kind{};

  friend bool operator==(const GraphEdge& a, const GraphEdge& b) {
    return (a.source == b.source && a.target == b.target) || (a.source == b.target && a.target == b.source);
  }
};

class GraphView;

// Random access over GraphView::edge(vertex, 0 .. degree); gives edges by value.
class OutEdgeIterator : public boost::iterator_facade<OutEdgeIterator, GraphEdge, boost::random_access_traversal_tag,
                                                      GraphEdge, std::int64_t> {
 public:
  OutEdgeIterator() = default;
  OutEdgeIterator(const GraphView* view, std::uint64_t vertex, std::uint64_t position)
      : view_(view), vertex_(vertex), position_(position) {}

 private:
  friend class boost::iterator_core_access;
  GraphEdge dereference() const;
  bool equal(const OutEdgeIterator& other) const { return vertex_ == other.vertex_ && position_ == other.position_; }
  void increment() { ++position_; }
  void decrement() { --position_; }
  void advance(std::int64_t n) { position_ += static_cast<std::uint64_t>(n); }
  std::int64_t distance_to(const OutEdgeIterator& other) const {
    return static_cast<std::int64_t>(other.position_ - position_);
  }

  const GraphView* view_ = nullptr;
  std::uint64_t vertex_ = 0;
  std::uint64_t position_ = 0;
};

// Models VertexListGraph, IncidenceGraph and AdjacencyGraph, undirected: every edge is an out-edge of both its ends.
// Vertices number the paragraphs, then the sentences, then the entities. Copying is free; the graph must outlive it.
// Const and thread-safe.
class GraphView {
 public:
  struct Traversal : boost::vertex_list_graph_tag, boost::incidence_graph_tag, boost::adjacency_graph_tag {};

  using vertex_descriptor = std::uint64_t;
  using edge_descriptor = GraphEdge;
  using directed_category = boost::undirected_tag;
  using edge_parallel_category = boost::disallow_parallel_edge_tag;
  using traversal_category = Traversal;
  using vertices_size_type = std::uint64_t;
  using edges_size_type = std::uint64_t;
  using degree_size_type = std::uint64_t;
  using vertex_iterator = boost::counting_iterator<vertex_descriptor>;
  using out_edge_iterator = OutEdgeIterator;
  using adjacency_iterator = boost::adjacency_iterator_generator<GraphView, vertex_descriptor, OutEdgeIterator>::type;

  explicit GraphView(const Graph& graph) : graph_(&graph) {}

  static vertex_descriptor null_vertex() { return ~vertex_descriptor{0}; }

  vertex_descriptor vertex(ParagraphId p) const { return index(p); }
  vertex_descriptor vertex(SentenceId s) const { return first_sentence() + index(s); }
  vertex_descriptor vertex(EntityId e) const { return first_entity() + index(e); }
  NodeKind kind(vertex_descriptor v) const {
    return v < first_sentence() ? NodeKind::kParagraph : v < first_entity() ? NodeKind::kSentence : NodeKind::kEntity;
  }
  // The vertex's row among its kind.
  std::uint32_t row(vertex_descriptor v) const;

  vertices_size_type vertex_count() const { return first_entity() + graph_->entity_count(); }
  degree_size_type degree(vertex_descriptor v) const;
  // The i-th out-edge, i < degree(v). A paragraph's: its sentences. A sentence's: its paragraph, its neighbours, its
  // entities. An entity's: its sentences, its synonyms.
  edge_descriptor edge(vertex_descriptor v, degree_size_type i) const;

 private:
  vertex_descriptor first_sentence() const { return graph_->paragraph_count(); }
  vertex_descriptor first_entity() const { return first_sentence() + graph_->sentence_count(); }
  edge_descriptor sentence_edge(vertex_descriptor v, degree_size_type i) const;

  const Graph* graph_;
};

inline GraphEdge OutEdgeIterator::dereference() const { return view_->edge(vertex_, position_); }

inline GraphView::vertices_size_type num_vertices(const GraphView& view) { return view.vertex_count(); }

inline std::pair<GraphView::vertex_iterator, GraphView::vertex_iterator> vertices(const GraphView& view) {
  return {GraphView::vertex_iterator(0), GraphView::vertex_iterator(view.vertex_count())};
}

inline GraphView::degree_size_type out_degree(GraphView::vertex_descriptor v, const GraphView& view) {
  return view.degree(v);
}

// The iterators refer to `view`.
inline std::pair<GraphView::out_edge_iterator, GraphView::out_edge_iterator> out_edges(GraphView::vertex_descriptor v,
                                                                                       const GraphView& view) {
  return {GraphView::out_edge_iterator(&view, v, 0), GraphView::out_edge_iterator(&view, v, view.degree(v))};
}

inline std::pair<GraphView::adjacency_iterator, GraphView::adjacency_iterator> adjacent_vertices(
    GraphView::vertex_descriptor v, const GraphView& view) {
  const auto [begin, end] = out_edges(v, view);
  return {GraphView::adjacency_iterator(begin, &view), GraphView::adjacency_iterator(end, &view)};
}

inline GraphView::vertex_descriptor source(const GraphEdge& edge, const GraphView&) { return edge.source; }
inline GraphView::vertex_descriptor target(const GraphEdge& edge, const GraphView&) { return edge.target; }

inline boost::typed_identity_property_map<std::uint64_t> get(boost::vertex_index_t, const GraphView&) { return {}; }
inline std::uint64_t get(boost::vertex_index_t, const GraphView&, GraphView::vertex_descriptor v) { return v; }

// Parts of the graph between which there is no path; 0 for an empty graph. Linear in nodes and edges.
std::size_t connected_component_count(const Graph& graph);

}  // namespace harnessg

template <>
struct boost::property_map<harnessg::GraphView, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<std::uint64_t>;
  using const_type = type;
};
