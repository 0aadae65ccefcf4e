#include "data/relevance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "data/dot.h"
#include "data/ranking.h"

namespace harnessg {
namespace {

// Mean whose value does not depend on the order of its terms: they are cut to multiples of one power of two, as fine as
// the sum of all of them can still be held by 63 bits, and added as integers.
double order_free_mean(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);  // every |value| <= 2^exponent
  const int shift = 62 - static_cast<int>(std::bit_width(values.size())) - exponent;
  const double scale = std::ldexp(1.0, shift);
  std::int64_t sum = 0;
  for (const double value : values) sum += static_cast<std::int64_t>(value * scale);
  return static_cast<double>(sum) / scale / static_cast<double>(values.size());
}

// Scores as numbers of standard deviations from their mean (population); all 0 where the scores are equal.
std::vector<double> standardised(std::span<const float> scores) {
  std::vector<double> deviations(scores.begin(), scores.end());
  const auto [low, high] = std::ranges::minmax_element(scores);
  if (low == scores.end() || *low == *high) return std::vector<double>(scores.size(), 0);
  const double mean = order_free_mean(deviations);
  for (double& value : deviations) value -= mean;
  std::vector<double> squares(deviations);
  for (double& value : squares) value *= value;
  const double deviation = std::sqrt(order_free_mean(squares));
  for (double& value : deviations) value /= deviation;
  return deviations;
}

class LexicalRelevance : public Relevance {
 public:
  explicit LexicalRelevance(const Lexicon& lexicon) : lexicon_(lexicon) {}

  Scoring scoring() const override { return Scoring::kLexical; }

  void score(const Query& query, NodeKind kind, std::span<const std::uint32_t> ids,
             std::span<float> out) const override {
    lexicon_.score(query.terms, kind, ids, out);
  }

  std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const override {
    std::vector<Scored> best = best_of(lexicon_.scores(query.terms, kind), k);
    // Every shared term adds something (idf > 0), so 0 means that no term is shared.
    std::erase_if(best, [](const Scored& node) { return node.score == 0; });
    return best;
  }

 private:
  const Lexicon& lexicon_;
};

class DenseRelevance : public Relevance {
 public:
  explicit DenseRelevance(const NodeVectors& vectors) : vectors_(vectors) {}

  Scoring scoring() const override { return Scoring::kDense; }

  void score(const Query& query, NodeKind kind, std::span<const std::uint32_t> ids,
             std::span<float> out) const override {
    dot_rows(query.vector, vectors_[static_cast<std::size_t>(kind)].row(0).data(), ids, out);
  }

  std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const override {
    return vectors_[static_cast<std::size_t>(kind)].best(query.vector, k);
  }

  std::vector<float> scores(const Query& query, NodeKind kind) const {
    const VectorTable& table = vectors_[static_cast<std::size_t>(kind)];
    std::vector<float> scores(table.size());
    dot_rows(query.vector, table.row(0).data(), scores);
    return scores;
  }

 private:
  const NodeVectors& vectors_;
};

class HybridRelevance : public Relevance {
 public:
  HybridRelevance(const Lexicon& lexicon, const NodeVectors& vectors, HybridWeights weights)
      : lexicon_(lexicon), lexical_(lexicon), dense_(vectors), weights_(weights) {}

  Scoring scoring() const override { return Scoring::kHybrid; }

  void score(const Query& query, NodeKind kind, std::span<const std::uint32_t> ids,
             std::span<float> out) const override {
    std::vector<float> lexical(ids.size()), dense(ids.size());
    lexical_.score(query, kind, ids, lexical);
    dense_.score(query, kind, ids, dense);
    combine(lexical, dense, out);
  }

  std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const override {
    const std::vector<float> lexical = lexicon_.scores(query.terms, kind), dense = dense_.scores(query, kind);
    std::vector<float> both(lexical.size());
    combine(lexical, dense, both);
    return best_of(both, k);
  }

 private:
  void combine(std::span<const float> lexical, std::span<const float> dense, std::span<float> out) const {
    const std::vector<double> a = standardised(lexical), b = standardised(dense);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<float>(weights_.lexical * a[i] + weights_.dense * b[i]);
  }

  const Lexicon& lexicon_;
  LexicalRelevance lexical_;
  DenseRelevance dense_;
  HybridWeights weights_;
};

}  // namespace

std::string_view scoring_name(Scoring scoring) {
  switch (scoring) {
    case Scoring::kLexical:
      return "lexical";
    case Scoring::kDense:
      return "dense";
    case Scoring::kHybrid:
      return "hybrid";
  }
  return "";
}

std::unique_ptr<Relevance> make_lexical_relevance(const Lexicon& lexicon) {
  return std::make_unique<LexicalRelevance>(lexicon);
}

std::unique_ptr<Relevance> make_dense_relevance(const NodeVectors& vectors) {
  return std::make_unique<DenseRelevance>(vectors);
}

std::unique_ptr<Relevance> make_hybrid_relevance(const Lexicon& lexicon, const NodeVectors& vectors,
                                                 HybridWeights weights) {
  return std::make_unique<HybridRelevance>(lexicon, vectors, weights);
}

}  // namespace harnessg
