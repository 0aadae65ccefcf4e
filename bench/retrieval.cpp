#include "bench/retrieval.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

#include "bench/page_rank.h"
#include "data/dot.h"
#include "data/ranking.h"
#include "menu/question_links.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kNearestEntities = 10;
constexpr std::size_t kStartParagraphs = 100;
constexpr double kParagraphShare = 0.05;  // of a paragraph's start weight beside an entity's, as in HippoRAG 2

std::vector<ParagraphId> paragraphs_of(const std::vector<Scored>& scored) {
  std::vector<ParagraphId> paragraphs;
  for (const Scored& one : scored) paragraphs.push_back(ParagraphId{one.id});
  return paragraphs;
}

class ByRelevance final : public Retriever {
 public:
  ByRelevance(std::string_view name, std::unique_ptr<Relevance> relevance)
      : name_(name), relevance_(std::move(relevance)) {}
  std::string_view name() const override { return name_; }
  std::vector<ParagraphId> rank(const Query& query, std::string_view, std::size_t k) const override {
    return paragraphs_of(relevance_->best(query, NodeKind::kParagraph, k));
  }

 private:
  const std::string_view name_;
  const std::unique_ptr<Relevance> relevance_;
};

class BySentences final : public Retriever {
 public:
  explicit BySentences(const Index& index) : index_(index) {}
  std::string_view name() const override { return "dense-sentences"; }

  std::vector<ParagraphId> rank(const Query& query, std::string_view, std::size_t k) const override {
    const Graph& graph = index_.graph();
    const VectorTable& sentences = (*index_.vectors())[static_cast<std::size_t>(NodeKind::kSentence)];
    std::vector<ParagraphId> ranking;
    std::unordered_set<std::uint32_t> taken;
    // Best sentences first, twice as many each time, until they are of k paragraphs.
    for (std::size_t many = 4 * k; ranking.size() < k; many *= 2) {
      ranking.clear();
      taken.clear();
      for (const Scored& scored : sentences.best(query.vector, many)) {
        const ParagraphId p = graph.paragraph(SentenceId{scored.id});
        if (taken.insert(index(p)).second && ranking.size() < k) ranking.push_back(p);
      }
      if (many >= graph.sentence_count()) break;
    }
    return ranking;
  }

 private:
  const Index& index_;
};

class ByPageRank final : public Retriever {
 public:
  explicit ByPageRank(const Index& index)
      : index_(index),
        relevance_(index.vectors() != nullptr ? make_hybrid_relevance(index.lexicon(), *index.vectors(), {})
                                              : make_lexical_relevance(index.lexicon())),
        names_(index.graph()),
        walk_(index.graph()) {}
  std::string_view name() const override { return "pagerank"; }

  std::vector<ParagraphId> rank(const Query& query, std::string_view question, std::size_t k) const override {
    const auto best = relevance_->best(query, NodeKind::kParagraph, kStartParagraphs);
    if (best.empty()) return {};
    std::vector<std::pair<ParagraphId, double>> paragraphs;
    for (const auto& [id, share] : shares(best)) paragraphs.emplace_back(ParagraphId{id}, kParagraphShare * share);
    return paragraphs_of(best_of(walk_.paragraphs(start_entities(query, question), paragraphs), k));
  }

 private:
  // Scores between 0 (just below the worst) and 1 (the best).
  static std::vector<std::pair<std::uint32_t, double>> shares(const std::vector<Scored>& best) {
    std::vector<std::pair<std::uint32_t, double>> all;
    const double least = static_cast<double>(best.back().score);
    const double range = std::max(static_cast<double>(best.front().score) - least, 1e-9);
    for (const Scored& scored : best)
      all.emplace_back(scored.id, std::max((static_cast<double>(scored.score) - least) / range, 1e-3));
    return all;
  }

  // Rare entities tell more: weights are divided by the number of paragraphs that mention them.
  std::vector<std::pair<EntityId, double>> start_entities(const Query& query, std::string_view question) const {
    std::vector<std::pair<EntityId, double>> entities;
    const auto add = [&](EntityId e, double weight) {
      std::set<std::uint32_t> in;
      for (const SentenceId s : index_.graph().sentences(e)) in.insert(index(index_.graph().paragraph(s)));
      entities.emplace_back(e, weight / static_cast<double>(std::max<std::size_t>(in.size(), 1)));
    };
    for (const NamedInQuestion& named : names_.find(question))
      for (const EntityId e : named.entities) add(e, 1);
    const auto nearest = relevance_->best(query, NodeKind::kEntity, kNearestEntities);
    if (nearest.empty()) return entities;
    for (const auto& [id, share] : shares(nearest)) add(EntityId{id}, share);
    return entities;
  }

  const Index& index_;
  const std::unique_ptr<Relevance> relevance_;
  const NameTable names_;
  const PageRank walk_;
};

bool needs_vectors(std::string_view name) { return name == "dense" || name == "dense-sentences" || name == "fusion"; }

}  // namespace

std::vector<std::string> retriever_names(const Index& index) {
  if (index.vectors() == nullptr) return {"bm25", "pagerank"};
  return {"bm25", "dense", "dense-sentences", "fusion", "pagerank"};
}

Result<std::unique_ptr<Retriever>> make_retriever(std::string_view name, const Index& index) {
  if (needs_vectors(name) && index.vectors() == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "retriever {} needs vectors, and the index has none; build it with some",
                name);
  }
  if (name == "bm25") return std::make_unique<ByRelevance>("bm25", make_lexical_relevance(index.lexicon()));
  if (name == "dense") return std::make_unique<ByRelevance>("dense", make_dense_relevance(*index.vectors()));
  if (name == "dense-sentences") return std::make_unique<BySentences>(index);
  if (name == "fusion")
    return std::make_unique<ByRelevance>("fusion", make_hybrid_relevance(index.lexicon(), *index.vectors(), {}));
  if (name == "pagerank") return std::make_unique<ByPageRank>(index);
  return fail(ErrorCode::kInvalidArgument, "there is no retriever \"{}\"; this index can be asked by {}", name,
              fmt::join(retriever_names(index), ", "));
}

Result<Query> retrieval_query(const Index& index, const Embedder* embedder, const std::string& question) {
  Query query{{}, index.lexicon().query(question)};
  if (index.vectors() == nullptr) return query;
  HARNESSG_ASSIGN(const Matrix rows, embedder->embed_queries(std::span(&question, 1)));
  query.vector.assign(rows.row(0).begin(), rows.row(0).end());
  return query;
}

RecallAt recall_at(const Graph& graph, std::span<const ParagraphId> ranking, std::size_t k,
                   std::span<const ParagraphId> gold, std::span<const ParagraphId> says_answer) {
  const auto first = ranking.first(std::min(k, ranking.size()));
  const auto holds = [&](ParagraphId p) { return std::find(first.begin(), first.end(), p) != first.end(); };
  std::set<std::string_view> found_titles;
  for (const ParagraphId p : first) found_titles.insert(graph.title(p));
  std::set<std::string_view> titles;
  std::size_t paragraphs = 0;
  for (const ParagraphId p : gold) {
    titles.insert(graph.title(p));
    paragraphs += holds(p) ? 1 : 0;
  }
  std::size_t titled = 0;
  for (const std::string_view title : titles) titled += found_titles.contains(title) ? 1 : 0;
  RecallAt recall{k};
  if (!gold.empty()) {
    recall.paragraphs = static_cast<double>(paragraphs) / static_cast<double>(gold.size());
    recall.titles = static_cast<double>(titled) / static_cast<double>(titles.size());
    recall.all_paragraphs = paragraphs == gold.size() ? 1 : 0;
    recall.all_titles = titled == titles.size() ? 1 : 0;
  }
  recall.answer = std::any_of(says_answer.begin(), says_answer.end(), holds) ? 1 : 0;
  return recall;
}

}  // namespace harnessg::bench
