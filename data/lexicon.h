// Terms of every node and BM25 over them: the lexical side of scoring (spec 1, section 10).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/graph.h"
#include "data/ids.h"
#include "data/result.h"
#include "data/tables.h"
#include "data/vectors.h"

namespace harnessg {

struct TermCount {
  std::uint32_t term = 0;
  std::uint32_t count = 0;

  friend bool operator==(const TermCount&, const TermCount&) = default;
};

// What is stored: the vocabulary and, per node kind, the terms of each node (by term id).
struct LexiconTables {
  TextTable terms;                            // bytewise ascending, no repeats
  std::array<Rows<TermCount>, 3> node_terms;  // indexed by NodeKind

  friend bool operator==(const LexiconTables&, const LexiconTables&) = default;
};

// Terms of a graph's nodes, with repeats: title + text for paragraphs and sentences, canonical form + every surface
// form for entities. The same for any number of threads (at least one is used).
LexiconTables make_lexicon_tables(const Graph& graph, unsigned threads);

// A query's known terms with how often each occurs, in term id order.
using LexicalQuery = std::vector<TermCount>;

// BM25 with statistics per node kind: over the query's terms, with their repeats, the sum of
//   idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)),  idf = ln(1 + (N - df + 0.5) / (df + 0.5)),
// k1 1.2, b 0.75; length counts a node's terms with repeats, the mean is over all N nodes. Const, thread-safe.
class Lexicon {
 public:
  // kCorrupt when the tables do not fit the graph (row counts, term ids, order).
  static Result<Lexicon> create(LexiconTables tables, const Graph& graph);

  LexicalQuery query(std::string_view text) const;
  // Sum over the query's terms in term id order, computed in double, rounded to float32 once; 0 where no term meets.
  float score(const LexicalQuery& query, NodeKind kind, std::uint32_t id) const;
  // The same for many nodes at once, faster: out[i] is the score of ids[i]; out.size() == ids.size().
  void score(const LexicalQuery& query, NodeKind kind, std::span<const std::uint32_t> ids, std::span<float> out) const;
  // Scores of all nodes of a kind, by way of the terms' postings; the same bits.
  std::vector<float> scores(const LexicalQuery& query, NodeKind kind) const;

  const LexiconTables& tables() const { return tables_; }
  std::size_t memory_bytes() const;

 private:
  // Derived from the tables at creation.
  struct Kind {
    Rows<TermCount> postings;   // per term: (node, count) by node; TermCount::term is the node here
    std::vector<double> norms;  // per node: k1 * (1 - b + b * length / mean length)
    std::vector<double> idf;    // per term
  };
  Lexicon() = default;
  static Kind make_kind(const Rows<TermCount>& node_terms, std::size_t term_count);

  LexiconTables tables_;
  std::array<Kind, 3> kinds_;
};

}  // namespace harnessg
