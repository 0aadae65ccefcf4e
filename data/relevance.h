// How well nodes match a query: lexical, dense, or both (spec 1, sections 3 and 10).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "data/ids.h"
#include "data/lexicon.h"
#include "data/result.h"
#include "data/vectors.h"

namespace harnessg {

enum class Scoring : std::uint8_t { kLexical, kDense, kHybrid };
std::string_view scoring_name(Scoring scoring);  // "lexical", "dense", "hybrid"

// A text made ready for scoring. `vector` has the vectors' dimension and is finite; it is empty for lexical scoring,
// and `terms` is for dense.
struct Query {
  std::vector<float> vector;
  LexicalQuery terms;
};

// Const and thread-safe. Scores are deterministic: no dependence on batch, threads or the order of `ids`
// (hybrid: standardised over exactly what is being ranked).
class Relevance {
 public:
  virtual ~Relevance() = default;
  virtual Scoring scoring() const = 0;
  // out[i] = score of node ids[i]; ids may repeat; out.size() == ids.size(). Hybrid: a repeated id counts as often as
  // it is given; a part in which all scores are equal (so with one id both) contributes 0.
  virtual void score(const Query& query, NodeKind kind, std::span<const std::uint32_t> ids,
                     std::span<float> out) const = 0;
  // score() of each list, with a node that several of them name scored once. Lists are ascending without repeats;
  // out[l].size() == lists[l].size().
  virtual void score_lists(const Query& query, NodeKind kind, std::span<const std::span<const std::uint32_t>> lists,
                           std::span<const std::span<float>> out) const = 0;
  // A query made of what is known, without an encoder: the query's vector plus `weight` times each of the nodes' stored
  // ones, normalised; and the terms of `text`.
  virtual Query composed(const Query& query, std::string_view text, NodeKind kind, std::span<const std::uint32_t> ids,
                         double weight) const = 0;
  // The k best nodes of a kind, by (score descending, id ascending). Lexical: nodes that share no term are not listed.
  // Hybrid: standardised over all nodes of the kind, as score() with every id would, but for mean and deviation of the
  // dense part, which are those of the rounded vectors (row_codes.h).
  virtual std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const = 0;
  // The same of several queries, faster together than one by one.
  virtual std::vector<std::vector<Scored>> best(std::span<const Query* const> queries, NodeKind kind,
                                                std::size_t k) const;
};

// Vectors of all three kinds, in NodeKind order.
using NodeVectors = std::array<VectorTable, 3>;

// Weights of the standardised parts; 0.3 and 0.7 as measured in spec 1, section 10.
struct HybridWeights {
  double lexical = 0.3;
  double dense = 0.7;
};

// The returned object refers to what it was made from, which must outlive it.
std::unique_ptr<Relevance> make_lexical_relevance(const Lexicon& lexicon);
std::unique_ptr<Relevance> make_dense_relevance(const NodeVectors& vectors);
std::unique_ptr<Relevance> make_hybrid_relevance(const Lexicon& lexicon, const NodeVectors& vectors,
                                                 HybridWeights weights);

}  // namespace harnessg
