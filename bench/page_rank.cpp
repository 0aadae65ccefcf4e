#include "bench/page_rank.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <cmath>

#include "data/graph_view.h"

namespace harnessg::bench {
namespace {

struct Edge {
  float weight = 0;
};
using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Edge, boost::no_property,
                                               std::uint32_t, std::uint32_t>;

class EdgeList {
 public:
  void add(std::uint64_t a, std::uint64_t b, float weight) {
    ends.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    edges.push_back({weight});
  }
  void add_both(std::uint64_t a, std::uint64_t b, float weight) {
    add(a, b, weight);
    add(b, a, weight);
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<Edge> edges;
};

void add_paragraph(const Graph& graph, const GraphView& view, ParagraphId p, EdgeList& list) {
  std::uint32_t mentions = 0;
  for (const EntityCount& count : graph.entities(p)) mentions += count.mentions;
  for (const EntityCount& count : graph.entities(p)) {
    list.add_both(view.vertex(p), view.vertex(count.entity),
                  static_cast<float>(count.mentions) / static_cast<float>(mentions));
  }
  for (std::uint32_t s = index(graph.first_sentence(p)); s < index(graph.end_sentence(p)); ++s) {
    const std::uint64_t sentence = view.vertex(SentenceId{s});
    list.add_both(view.vertex(p), sentence, 1);
    for (const EntityId e : graph.entities(SentenceId{s})) list.add_both(sentence, view.vertex(e), 1);
  }
}

Csr make_graph(const Graph& graph) {
  const GraphView view(graph);
  EdgeList list;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) add_paragraph(graph, view, ParagraphId{p}, list);
  for (std::uint32_t e = 0; e < graph.entity_count(); ++e) {
    for (const Synonym& synonym : graph.synonyms(EntityId{e})) {
      if (synonym.score > 0) list.add(view.vertex(EntityId{e}), view.vertex(synonym.entity), synonym.score);
    }
  }
  return Csr(boost::edges_are_unsorted_multi_pass, list.ends.begin(), list.ends.end(), list.edges.begin(),
             static_cast<std::uint32_t>(view.vertex_count()));
}

}  // namespace

struct PageRank::Walk {
  Walk(const Graph& made_from, PageRankOptions given)
      : graph(make_graph(made_from)),
        options(given),
        paragraphs(made_from.paragraph_count()),
        first_entity(made_from.paragraph_count() + made_from.sentence_count()),
        leaving(num_vertices(graph)) {
    for (const auto edge : boost::make_iterator_range(edges(graph))) leaving[source(edge, graph)] += graph[edge].weight;
  }

  // One step from `rank` into `next`; returns how much it moved in all.
  double step(const std::vector<double>& start, const std::vector<double>& rank, std::vector<double>& next) const {
    double lost = 0;  // what stands on nodes without edges goes back to the start
    for (std::size_t v = 0; v < next.size(); ++v) next[v] = (1 - options.damping) * start[v];
    for (std::uint32_t v = 0; v < rank.size(); ++v) {
      if (rank[v] == 0) continue;
      if (leaving[v] <= 0) {
        lost += rank[v];
        continue;
      }
      const double share = options.damping * rank[v] / leaving[v];
      for (const auto edge : boost::make_iterator_range(out_edges(v, graph)))
        next[target(edge, graph)] += share * static_cast<double>(graph[edge].weight);
    }
    double moved = 0;
    for (std::size_t v = 0; v < next.size(); ++v) {
      next[v] += options.damping * lost * start[v];
      moved += std::abs(next[v] - rank[v]);
    }
    return moved;
  }

  Csr graph;
  PageRankOptions options;
  std::uint32_t paragraphs;
  std::uint32_t first_entity;
  std::vector<double> leaving;  // sum of the weights of a node's edges
};

PageRank::PageRank(const Graph& graph, PageRankOptions options) : walk_(std::make_unique<const Walk>(graph, options)) {}
PageRank::~PageRank() = default;
PageRank::PageRank(PageRank&&) noexcept = default;

std::vector<float> PageRank::paragraphs(const std::vector<std::pair<EntityId, double>>& entities,
                                        const std::vector<std::pair<ParagraphId, double>>& paragraphs) const {
  std::vector<double> start(walk_->leaving.size());
  for (const auto& [entity, weight] : entities) start[walk_->first_entity + index(entity)] += weight;
  for (const auto& [paragraph, weight] : paragraphs) start[index(paragraph)] += weight;
  double sum = 0;
  for (const double weight : start) sum += weight;
  for (double& weight : start) weight /= sum;
  std::vector<double> rank = start;
  std::vector<double> next(start.size());
  for (std::uint32_t n = 0; n < walk_->options.steps; ++n) {
    const double moved = walk_->step(start, rank, next);
    rank.swap(next);
    if (moved < walk_->options.enough) break;
  }
  return {rank.begin(), rank.begin() + walk_->paragraphs};
}

}  // namespace harnessg::bench
