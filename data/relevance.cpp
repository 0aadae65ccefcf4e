#include "data/relevance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "data/dot.h"
#include "data/ranking.h"

namespace harnessg {
namespace {

// Mean whose value does not depend on the order of its terms: they are cut to multiples of one power of two, as fine as
// the sum of all of them can still be held by 63 bits, and added as integers. `value(i)` is term i.
template <class Value>
double order_free_mean(std::size_t count, Value value) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(value(i)));
  if (largest == 0) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);  // every |value| <= 2^exponent
  const int shift = 62 - static_cast<int>(std::bit_width(count)) - exponent;
  const double scale = std::ldexp(1.0, shift);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<std::int64_t>(value(i) * scale);
  return static_cast<double>(sum) / scale / static_cast<double>(count);
}

// Mean and standard deviation (population) of some scores; deviation 0 where all are equal.
struct Spread {
  explicit Spread(std::span<const float> scores) {
    const auto [low, high] = std::ranges::minmax_element(scores);
    if (low == scores.end() || *low == *high) return;
    mean = order_free_mean(scores.size(), [&](std::size_t i) { return double{scores[i]}; });
    deviation = std::sqrt(order_free_mean(scores.size(), [&](std::size_t i) {
      const double difference = scores[i] - mean;
      return difference * difference;
    }));
  }
  // The score as a number of standard deviations from the mean; 0 where all are equal.
  double standardised(float score) const { return deviation == 0 ? 0 : (score - mean) / deviation; }

  double mean = 0;
  double deviation = 0;
};

// The ids of some ascending lists, each once, and the way back to the lists.
class Union {
 public:
  explicit Union(std::span<const std::span<const std::uint32_t>> lists) : lists_(lists) {
    for (const auto list : lists) ids_.insert(ids_.end(), list.begin(), list.end());
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  }

  std::span<const std::uint32_t> ids() const { return ids_; }

  // Copies the values of a list's ids out of those of all ids.
  void pick(std::size_t list, std::span<const float> values, std::span<float> out) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < lists_[list].size(); ++i) {
      while (ids_[at] != lists_[list][i]) ++at;
      out[i] = values[at];
    }
  }

 private:
  std::span<const std::span<const std::uint32_t>> lists_;
  std::vector<std::uint32_t> ids_;
};

// score_lists() where a node's score does not depend on the others of its list.
void score_union(const Relevance& relevance, const Query& query, NodeKind kind,
                 std::span<const std::span<const std::uint32_t>> lists, std::span<const std::span<float>> out) {
  if (lists.size() == 1) return relevance.score(query, kind, lists[0], out[0]);
  const Union all(lists);
  std::vector<float> scores(all.ids().size());
  relevance.score(query, kind, all.ids(), scores);
  for (std::size_t l = 0; l < lists.size(); ++l) all.pick(l, scores, out[l]);
}

class LexicalRelevance : public Relevance {
 public:
  explicit LexicalRelevance(const Lexicon& lexicon) : lexicon_(lexicon) {}

  Scoring scoring() const override { return Scoring::kLexical; }

  void score(const Query& query, NodeKind kind, std::span<const std::uint32_t> ids,
             std::span<float> out) const override {
    lexicon_.score(query.terms, kind, ids, out);
  }

  Query composed(const Query&, std::string_view text, NodeKind, std::span<const std::uint32_t>, double) const override {
    return {{}, lexicon_.query(text)};
  }

  void score_lists(const Query& query, NodeKind kind, std::span<const std::span<const std::uint32_t>> lists,
                   std::span<const std::span<float>> out) const override {
    score_union(*this, query, kind, lists, out);
  }

  using Relevance::best;
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

  Query composed(const Query& query, std::string_view, NodeKind kind, std::span<const std::uint32_t> ids,
                 double weight) const override {
    std::vector<double> sum(query.vector.begin(), query.vector.end());
    for (const std::uint32_t id : ids) {
      const std::span<const float> row = vectors_[static_cast<std::size_t>(kind)].row(id);
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight * row[j];
    }
    double squares = 0;
    for (const double value : sum) squares += value * value;
    Query composed{query.vector, {}};
    if (squares == 0) return composed;  // the vectors cancel out: there is no direction to go in
    for (std::size_t j = 0; j < sum.size(); ++j) composed.vector[j] = static_cast<float>(sum[j] / std::sqrt(squares));
    return composed;
  }

  void score_lists(const Query& query, NodeKind kind, std::span<const std::span<const std::uint32_t>> lists,
                   std::span<const std::span<float>> out) const override {
    score_union(*this, query, kind, lists, out);
  }

  using Relevance::best;
  std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const override {
    return vectors_[static_cast<std::size_t>(kind)].best(query.vector, k);
  }

  std::vector<std::vector<Scored>> best(std::span<const Query* const> queries, NodeKind kind,
                                        std::size_t k) const override {
    std::vector<const float*> vectors;
    for (const Query* query : queries) vectors.push_back(query->vector.data());
    return vectors_[static_cast<std::size_t>(kind)].best(vectors, k);
  }

  const VectorTable& table(NodeKind kind) const { return vectors_[static_cast<std::size_t>(kind)]; }

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

  Query composed(const Query& query, std::string_view text, NodeKind kind, std::span<const std::uint32_t> ids,
                 double weight) const override {
    Query composed = dense_.composed(query, text, kind, ids, weight);
    composed.terms = lexicon_.query(text);
    return composed;
  }

  void score_lists(const Query& query, NodeKind kind, std::span<const std::span<const std::uint32_t>> lists,
                   std::span<const std::span<float>> out) const override {
    const Union all(lists);
    std::vector<float> lexical(all.ids().size()), dense(all.ids().size()), a, b;
    lexical_.score(query, kind, all.ids(), lexical);
    dense_.score(query, kind, all.ids(), dense);
    for (std::size_t l = 0; l < lists.size(); ++l) {
      a.resize(lists[l].size());
      b.resize(lists[l].size());
      all.pick(l, lexical, a);
      all.pick(l, dense, b);
      combine(a, b, out[l]);
    }
  }

  using Relevance::best;
  std::vector<Scored> best(const Query& query, NodeKind kind, std::size_t k) const override {
    const Query* const one = &query;
    return std::move(best(std::span(&one, 1), kind, k).front());
  }

  std::vector<std::vector<Scored>> best(std::span<const Query* const> queries, NodeKind kind,
                                        std::size_t k) const override {
    std::vector<std::vector<Scored>> all;
    for (std::size_t begin = 0; begin < queries.size(); begin += kTogether) {
      const auto some = queries.subspan(begin, std::min(kTogether, queries.size() - begin));
      std::vector<const float*> vectors;
      for (const Query* query : some) vectors.push_back(query->vector.data());
      const auto dense = dense_.table(kind).intervals(vectors);
      for (std::size_t q = 0; q < some.size(); ++q) all.push_back(best_of_both(*some[q], kind, k, dense[q]));
    }
    return all;
  }

 private:
  static constexpr std::size_t kTogether = 16;

  void combine(std::span<const float> lexical, std::span<const float> dense, std::span<float> out) const {
    const Spread a(lexical), b(dense);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = combined(a.standardised(lexical[i]), b.standardised(dense[i]));
  }
  float combined(double lexical, double dense) const {
    return static_cast<float>(weights_.lexical * lexical + weights_.dense * dense);
  }

  // Nodes that intervals of their scores do not rule out are scored exactly.
  std::vector<Scored> best_of_both(const Query& query, NodeKind kind, std::size_t k,
                                   const ScoreIntervals& dense) const {
    const std::vector<float> lexical = lexicon_.scores(query.terms, kind);
    k = std::min(k, lexical.size());
    if (k == 0) return {};
    const Spread a(lexical), b(dense.middle);
    // A score as a plain sum: by_lexical * lexical + by_dense * dense + constant.
    const double by_lexical = a.deviation == 0 ? 0 : weights_.lexical / a.deviation;
    const double by_dense = b.deviation == 0 ? 0 : weights_.dense / b.deviation;
    std::vector<float> middle(lexical.size()), radius(lexical.size());
    for (std::size_t i = 0; i < middle.size(); ++i) {
      middle[i] = static_cast<float>(by_lexical * lexical[i] + by_dense * dense.middle[i]);
      // The last term covers the rounding of the two sums.
      radius[i] = static_cast<float>(std::abs(by_dense) * dense.radius[i]) + 1e-6f * (1 + std::abs(middle[i]));
    }
    std::vector<std::uint32_t> ids = contenders(middle, radius, k);
    std::vector<float> scores(ids.size());
    dense_.score(query, kind, ids, scores);
    std::vector<Scored> best;
    for (std::size_t i = 0; i < ids.size(); ++i)
      best.push_back({ids[i], combined(a.standardised(lexical[ids[i]]), b.standardised(scores[i]))});
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(k), best.end(), ranks_before);
    best.resize(k);
    return best;
  }

  // Ids whose upper bound reaches the k-th best lower bound, ascending.
  static std::vector<std::uint32_t> contenders(std::span<const float> middle, std::span<const float> radius,
                                               std::size_t k) {
    std::vector<float> below(k, -std::numeric_limits<float>::infinity());  // a heap, smallest first
    for (std::size_t i = 0; i < middle.size(); ++i) {
      if (!(middle[i] - radius[i] > below.front())) continue;
      std::pop_heap(below.begin(), below.end(), std::greater<>());
      below.back() = middle[i] - radius[i];
      std::push_heap(below.begin(), below.end(), std::greater<>());
    }
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < middle.size(); ++i) {
      if (middle[i] + radius[i] >= below.front()) ids.push_back(i);
    }
    return ids;
  }

  const Lexicon& lexicon_;
  LexicalRelevance lexical_;
  DenseRelevance dense_;
  HybridWeights weights_;
};

}  // namespace

std::vector<std::vector<Scored>> Relevance::best(std::span<const Query* const> queries, NodeKind kind,
                                                 std::size_t k) const {
  std::vector<std::vector<Scored>> all;
  for (const Query* query : queries) all.push_back(best(*query, kind, k));
  return all;
}

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
  for (const VectorTable& table : vectors) table.make_ready();
  return std::make_unique<DenseRelevance>(vectors);
}

std::unique_ptr<Relevance> make_hybrid_relevance(const Lexicon& lexicon, const NodeVectors& vectors,
                                                 HybridWeights weights) {
  for (const VectorTable& table : vectors) table.make_ready();
  return std::make_unique<HybridRelevance>(lexicon, vectors, weights);
}

}  // namespace harnessg
