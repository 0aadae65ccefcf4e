#include "builder/embed_nodes.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace harnessg {
namespace {

constexpr std::size_t kTextsPerCall = 512;

// A node's text by length and hash: nodes of equal text are neighbours when sorted.
struct NodeText {
  std::uint64_t length = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  NodeKind kind{};
  std::uint32_t id = 0;

  bool same_text(const NodeText& o) const { return length == o.length && high == o.high && low == o.low; }
  friend bool operator<(const NodeText& a, const NodeText& b) {
    if (a.length != b.length) return a.length > b.length;
    return std::tie(a.high, a.low, a.kind, a.id) < std::tie(b.high, b.low, b.kind, b.id);
  }
};

std::string text_of(const Graph& graph, NodeKind kind, std::uint32_t id) {
  switch (kind) {
    case NodeKind::kParagraph:
      return embedding_text(graph, ParagraphId{id});
    case NodeKind::kSentence:
      return embedding_text(graph, SentenceId{id});
    case NodeKind::kEntity:
      return embedding_text(graph, EntityId{id});
  }
  return {};
}

std::vector<NodeText> sorted_texts(const Graph& graph) {
  std::vector<NodeText> texts;
  for (const NodeKind kind : {NodeKind::kParagraph, NodeKind::kSentence, NodeKind::kEntity})
    for (std::uint32_t id = 0; id < graph.count(kind); ++id) texts.push_back({0, 0, 0, kind, id});
  tbb::parallel_for(std::size_t{0}, texts.size(), [&](std::size_t i) {
    const std::string text = text_of(graph, texts[i].kind, texts[i].id);
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    texts[i].length = text.size();
    texts[i].high = hash.high64;
    texts[i].low = hash.low64;
  });
  tbb::parallel_sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::size_t> group_begins(const std::vector<NodeText>& texts) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (i == 0 || !texts[i].same_text(texts[i - 1])) begins.push_back(i);
  begins.push_back(texts.size());
  return begins;
}

using NodeMatrices = std::array<Matrix, 3>;

// Embeds the texts of the groups that `begins` delimits and hands each row to all nodes of its group.
Status embed_groups(const Graph& graph, const Embedder& embedder, const std::vector<NodeText>& nodes,
                    std::span<const std::size_t> begins, NodeMatrices& matrices) {
  std::vector<std::string> texts;
  for (const std::size_t begin : begins.first(begins.size() - 1))
    texts.push_back(text_of(graph, nodes[begin].kind, nodes[begin].id));
  HARNESSG_ASSIGN(const Matrix rows, embedder.embed_passages(texts));
  const std::size_t dim = embedder.info().dim;
  if (rows.rows != texts.size() || rows.dim != dim) {
    return fail(ErrorCode::kInternal, "embedder {} returned {} rows of {} for {} texts of dimension {}",
                embedder.info().name, rows.rows, rows.dim, texts.size(), dim);
  }
  for (std::size_t group = 0; group < texts.size(); ++group) {
    const auto row = rows.row(group);
    for (std::size_t i = begins[group]; i < begins[group + 1]; ++i) {
      Matrix& matrix = matrices[static_cast<std::size_t>(nodes[i].kind)];
      std::copy(row.begin(), row.end(), matrix.values.begin() + static_cast<std::ptrdiff_t>(nodes[i].id * dim));
    }
  }
  return {};
}

}  // namespace

Result<NodeVectors> embed_nodes(const Graph& graph, const Embedder& embedder, ProgressMeter& meter) {
  const std::vector<NodeText> nodes = sorted_texts(graph);
  const std::vector<std::size_t> begins = group_begins(nodes);
  std::uint64_t bytes = 0;
  for (const std::size_t begin : std::span(begins).first(begins.size() - 1)) bytes += nodes[begin].length;
  meter.begin("embed", begins.size() - 1, bytes);
  const std::size_t dim = embedder.info().dim;
  NodeMatrices matrices;
  for (const NodeKind kind : {NodeKind::kParagraph, NodeKind::kSentence, NodeKind::kEntity}) {
    Matrix& matrix = matrices[static_cast<std::size_t>(kind)];
    matrix = {graph.count(kind), dim, std::vector<float>(graph.count(kind) * dim)};
  }
  std::uint64_t embedded = 0;
  for (std::size_t at = 0; at + 1 < begins.size();) {
    const std::size_t count = std::min(kTextsPerCall, begins.size() - 1 - at);
    HARNESSG_RETURN_IF_ERROR(embed_groups(graph, embedder, nodes, std::span(begins).subspan(at, count + 1), matrices));
    for (std::size_t group = at; group < at + count; ++group) embedded += nodes[begins[group]].length;
    at += count;
    meter.advance(count);
    meter.set_bytes(embedded);
  }
  meter.end();
  HARNESSG_ASSIGN(VectorTable paragraphs, VectorTable::create(std::move(matrices[0])));
  HARNESSG_ASSIGN(VectorTable sentences, VectorTable::create(std::move(matrices[1])));
  HARNESSG_ASSIGN(VectorTable entities, VectorTable::create(std::move(matrices[2])));
  return NodeVectors{std::move(paragraphs), std::move(sentences), std::move(entities)};
}

}  // namespace harnessg
