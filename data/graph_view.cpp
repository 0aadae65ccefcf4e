#include "data/graph_view.h"

#include <boost/graph/connected_components.hpp>
#include <vector>

namespace harnessg {

std::uint32_t GraphView::row(vertex_descriptor v) const {
  switch (kind(v)) {
    case NodeKind::kParagraph:
      return static_cast<std::uint32_t>(v);
    case NodeKind::kSentence:
      return static_cast<std::uint32_t>(v - first_sentence());
    case NodeKind::kEntity:
      break;
  }
  return static_cast<std::uint32_t>(v - first_entity());
}

GraphView::degree_size_type GraphView::degree(vertex_descriptor v) const {
  const std::uint32_t r = row(v);
  switch (kind(v)) {
    case NodeKind::kParagraph:
      return index(graph_->end_sentence(ParagraphId{r})) - index(graph_->first_sentence(ParagraphId{r}));
    case NodeKind::kSentence: {
      const ParagraphId p = graph_->paragraph(SentenceId{r});
      const bool first = index(graph_->first_sentence(p)) == r, last = index(graph_->end_sentence(p)) == r + 1;
      return 1 + !first + !last + graph_->entities(SentenceId{r}).size();
    }
    case NodeKind::kEntity:
      break;
  }
  return graph_->sentences(EntityId{r}).size() + graph_->synonyms(EntityId{r}).size();
}

GraphView::edge_descriptor GraphView::edge(vertex_descriptor v, degree_size_type i) const {
  const std::uint32_t r = row(v);
  switch (kind(v)) {
    case NodeKind::kParagraph:
      return {v, vertex(graph_->first_sentence(ParagraphId{r})) + i, EdgeKind::kContainment};
    case NodeKind::kSentence:
      return sentence_edge(v, i);
    case NodeKind::kEntity:
      break;
  }
  const auto sentences = graph_->sentences(EntityId{r});
  if (i < sentences.size()) return {v, vertex(sentences[i]), EdgeKind::kMention};
  return {v, vertex(graph_->synonyms(EntityId{r})[i - sentences.size()].entity), EdgeKind::kSynonym};
}

GraphView::edge_descriptor GraphView::sentence_edge(vertex_descriptor v, degree_size_type i) const {
  const SentenceId s{row(v)};
  const ParagraphId p = graph_->paragraph(s);
  if (i == 0) return {v, vertex(p), EdgeKind::kContainment};
  --i;
  const bool has_previous = graph_->first_sentence(p) != s, has_next = index(graph_->end_sentence(p)) != index(s) + 1;
  if (has_previous && i-- == 0) return {v, v - 1, EdgeKind::kNeighbour};
  if (has_next && i-- == 0) return {v, v + 1, EdgeKind::kNeighbour};
  return {v, vertex(graph_->entities(s)[i]), EdgeKind::kMention};
}

std::size_t connected_component_count(const Graph& graph) {
  const GraphView view(graph);
  std::vector<std::uint64_t> components(view.vertex_count());
  return boost::connected_components(view, components.data());
}

}  // namespace harnessg
