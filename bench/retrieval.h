// Retrieval baselines on an index: what one query finds, without an environment.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/answer_index.h"
#include "data/embedder.h"
#include "data/index.h"
#include "data/result.h"

namespace harnessg::bench {

// Ranks paragraphs for a question. Const and thread-safe.
class Retriever {
 public:
  virtual ~Retriever() = default;
  virtual std::string_view name() const = 0;
  // The k best paragraphs, best first (fewer where fewer match); `query` is the question made ready by the index's own
  // relevance: terms, and its vector where the index has vectors.
  virtual std::vector<ParagraphId> rank(const Query& query, std::string_view question, std::size_t k) const = 0;
};

// "bm25"             BM25 over titles and texts of paragraphs
// "dense"            dot product with the paragraphs' vectors
// "dense-sentences"  a paragraph counts as its best sentence by dot product
// "fusion"           0.3 BM25 + 0.7 dense, each standardised over all paragraphs
// "pagerank"         personalised PageRank (page_rank.h) from the entities nearest to the question, among them those it
//                    names, and, with a twentieth of the weight, from the paragraphs that the index's own scoring ranks
//                    best; as in HippoRAG 2 and LinearRAG, but without a language model
std::vector<std::string> retriever_names(const Index& index);  // those that the index can be asked by
// kInvalidArgument: no such retriever, or one that needs vectors on an index without. Refers to the index.
Result<std::unique_ptr<Retriever>> make_retriever(std::string_view name, const Index& index);

// Makes a question ready for retrievers; `embedder` is null for an index without vectors. The embedder's errors.
Result<Query> retrieval_query(const Index& index, const Embedder* embedder, const std::string& question);

// What the first k of a ranking hold. A share is of the gold ones; `all` is 1 where none is missing.
struct RecallAt {
  std::size_t k = 0;
  double paragraphs = 0;      // gold paragraphs found / all
  double all_paragraphs = 0;  // 1 or 0
  double titles = 0;          // gold titles found under any paragraph of that title / all
  double all_titles = 0;
  double answer = 0;  // 1: some paragraph says the answer (AnswerIndex)

  friend bool operator==(const RecallAt&, const RecallAt&) = default;
};
RecallAt recall_at(const Graph& graph, std::span<const ParagraphId> ranking, std::size_t k,
                   std::span<const ParagraphId> gold, std::span<const ParagraphId> says_answer);

}  // namespace harnessg::bench
