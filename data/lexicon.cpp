#include "data/lexicon.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/text.h"

namespace harnessg {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;
constexpr std::array<const char*, 3> kKinds = {"paragraphs", "sentences", "entities"};

template <class... Args>
Status corrupt(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kCorrupt, "the lexicon is damaged: {}; build the index again",
              fmt::format(format, std::forward<Args>(args)...));
}

Status check_terms(const TextTable& terms) {
  for (std::size_t t = 1; t < terms.size(); ++t)
    if (!(terms[t - 1] < terms[t])) return corrupt("term {} of the vocabulary is out of order", t);
  return {};
}

Status check_node_terms(const Rows<TermCount>& rows, std::size_t nodes, std::size_t term_count, const char* kind) {
  if (rows.size() != nodes) return corrupt("it has terms of {} {} where the graph has {}", rows.size(), kind, nodes);
  std::uint64_t begin = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::uint64_t end = rows.ends()[node];
    if (end < begin || end > rows.values().size()) return corrupt("row {} of the {} has no valid range", node, kind);
    begin = end;
    std::optional<std::uint32_t> last;
    for (const TermCount& entry : rows[node]) {
      if (entry.term >= term_count || entry.count == 0 || (last && entry.term <= *last))
        return corrupt("row {} of the {} has a term that is unknown, absent or out of order", node, kind);
      last = entry.term;
    }
  }
  if (begin != rows.values().size()) return corrupt("the rows of the {} do not cover their terms", kind);
  return {};
}

// One term's part of a node's score.
double contribution(double idf, double norm, std::uint32_t count) { return idf * count * (kK1 + 1) / (count + norm); }

// A query's terms, of which nearly all terms of a node are told apart by one look.
class QueryTerms {
 public:
  explicit QueryTerms(const LexicalQuery& query) : query_(query) {
    for (std::size_t i = query.size(); i > 0; --i) first_[query[i - 1].term % kSlots] = static_cast<std::uint32_t>(i);
  }
  // How often the query has the term.
  std::uint32_t count(std::uint32_t term) const {
    const std::uint32_t first = first_[term % kSlots];
    if (first == 0) return 0;
    std::size_t i = first - 1;
    while (i < query_.size() && query_[i].term < term) ++i;
    return i < query_.size() && query_[i].term == term ? query_[i].count : 0;
  }

 private:
  static constexpr std::size_t kSlots = 1024;
  const LexicalQuery& query_;
  std::array<std::uint32_t, kSlots> first_{};  // 1 + the first place in query_ of a term of the slot
};

// Node lists per term, by a counting sort: linear in the entries.
Rows<TermCount> invert(const Rows<TermCount>& node_terms, std::size_t term_count) {
  std::vector<std::uint64_t> ends(term_count, 0);
  for (const TermCount& entry : node_terms.values()) ++ends[entry.term];
  std::uint64_t total = 0;
  for (std::uint64_t& end : ends) end = std::exchange(total, total + end);  // the row's begin, for now
  std::vector<TermCount> postings(total);
  for (std::size_t node = 0; node < node_terms.size(); ++node)
    for (const TermCount& entry : node_terms[node])
      postings[ends[entry.term]++] = {static_cast<std::uint32_t>(node), entry.count};
  return {std::move(ends), std::move(postings)};
}

}  // namespace

Lexicon::Kind Lexicon::make_kind(const Rows<TermCount>& node_terms, std::size_t term_count) {
  Kind kind;
  kind.postings = invert(node_terms, term_count);

  const std::size_t nodes = node_terms.size();
  kind.norms.assign(nodes, 0);
  std::uint64_t total_length = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    std::uint64_t length = 0;
    for (const TermCount& entry : node_terms[node]) length += entry.count;
    total_length += length;
    kind.norms[node] = static_cast<double>(length);
  }
  // Without any term nothing is ever scored, and the mean does not matter.
  const double mean = total_length == 0 ? 1 : static_cast<double>(total_length) / static_cast<double>(nodes);
  for (double& norm : kind.norms) norm = kK1 * (1 - kB + kB * norm / mean);

  kind.idf.reserve(term_count);
  for (std::size_t term = 0; term < term_count; ++term) {
    const double df = static_cast<double>(kind.postings[term].size());
    kind.idf.push_back(std::log(1 + (static_cast<double>(nodes) - df + 0.5) / (df + 0.5)));
  }
  return kind;
}

Result<Lexicon> Lexicon::create(LexiconTables tables, const Graph& graph) {
  HARNESSG_RETURN_IF_ERROR(check_terms(tables.terms));
  Lexicon lexicon;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const Rows<TermCount>& rows = tables.node_terms[kind];
    const std::uint32_t nodes = graph.count(static_cast<NodeKind>(kind));
    HARNESSG_RETURN_IF_ERROR(check_node_terms(rows, nodes, tables.terms.size(), kKinds[kind]));
    lexicon.kinds_[kind] = make_kind(rows, tables.terms.size());
  }
  lexicon.tables_ = std::move(tables);
  return lexicon;
}

LexicalQuery Lexicon::query(std::string_view text) const {
  LexicalQuery query;
  for (const std::string& term : lexical_terms(text)) {
    std::size_t low = 0, high = tables_.terms.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (tables_.terms[middle] < term)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < tables_.terms.size() && tables_.terms[low] == term) query.push_back({static_cast<std::uint32_t>(low), 1});
  }
  std::ranges::sort(query, {}, &TermCount::term);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    if (kept > 0 && query[kept - 1].term == query[i].term)
      ++query[kept - 1].count;
    else
      query[kept++] = query[i];
  }
  query.resize(kept);
  return query;
}

void Lexicon::score(const LexicalQuery& query, NodeKind kind, std::span<const std::uint32_t> ids,
                    std::span<float> out) const {
  const Kind& statistics = kinds_[static_cast<std::size_t>(kind)];
  const Rows<TermCount>& node_terms = tables_.node_terms[static_cast<std::size_t>(kind)];
  const QueryTerms terms(query);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double norm = statistics.norms[ids[i]];
    double total = 0;
    for (const TermCount& entry : node_terms[ids[i]])
      if (const std::uint32_t wanted = terms.count(entry.term))
        total += wanted * contribution(statistics.idf[entry.term], norm, entry.count);
    out[i] = static_cast<float>(total);
  }
}

float Lexicon::score(const LexicalQuery& query, NodeKind kind, std::uint32_t id) const {
  float score = 0;
  this->score(query, kind, {&id, 1}, {&score, 1});
  return score;
}

std::vector<float> Lexicon::scores(const LexicalQuery& query, NodeKind kind) const {
  const Kind& statistics = kinds_[static_cast<std::size_t>(kind)];
  std::vector<double> totals(statistics.norms.size(), 0);
  for (const TermCount& wanted : query) {
    const double idf = statistics.idf[wanted.term];
    for (const TermCount& posting : statistics.postings[wanted.term])
      totals[posting.term] += wanted.count * contribution(idf, statistics.norms[posting.term], posting.count);
  }
  return {totals.begin(), totals.end()};
}

std::size_t Lexicon::memory_bytes() const {
  std::size_t bytes = tables_.terms.memory_bytes();
  for (const auto& rows : tables_.node_terms) bytes += rows.memory_bytes();
  for (const Kind& kind : kinds_)
    bytes += kind.postings.memory_bytes() + (kind.norms.capacity() + kind.idf.capacity()) * sizeof(double);
  return bytes;
}

}  // namespace harnessg
