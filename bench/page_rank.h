// Personalised PageRank over the paragraph / sentence / entity graph: what a walk finds that starts at the question.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "data/graph.h"

namespace harnessg::bench {

struct PageRankOptions {
  double damping = 0.5;  // share of a step that follows an edge; the rest goes back to the start, as in HippoRAG 2
  std::uint32_t steps = 30;
  double enough = 1e-7;  // ends earlier when a step moves less than this in all
};

// The tripartite graph (arXiv 2510.10114, 2502.14802) as a Boost.Graph in compressed sparse rows. Edges, undirected:
// paragraph - entity by the entity's share of the paragraph's mentions, sentence - entity 1, paragraph - sentence 1,
// entity - entity the synonyms' score. A walk leaves a node by its edges in proportion to their weight.
// Const and thread-safe once made; about 24 bytes an edge. Refers to nothing.
class PageRank {
 public:
  explicit PageRank(const Graph& graph, PageRankOptions options = {});
  ~PageRank();
  PageRank(PageRank&&) noexcept;

  // Start weights of entities and paragraphs, at least one above 0; they are scaled to 1. Returns the rank of every
  // paragraph. Boost.Graph's own page_rank starts everywhere alike, so the iteration is here.
  std::vector<float> paragraphs(const std::vector<std::pair<EntityId, double>>& entities,
                                const std::vector<std::pair<ParagraphId, double>>& paragraphs) const;

 private:
  struct Walk;
  std::unique_ptr<const Walk> walk_;
};

}  // namespace harnessg::bench
