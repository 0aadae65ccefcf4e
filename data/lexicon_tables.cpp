// Terms of every node of a graph, counted in parallel. Threads number terms as they meet them; afterwards the sorted
// vocabulary gives the ids that count, so nothing depends on who met what first.
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <unordered_map>

#include "data/lexicon.h"
#include "data/text.h"

namespace harnessg {
namespace {

using TermIds = std::vector<std::uint32_t>;

constexpr std::uint32_t kParagraphsPerBlock = 64;
constexpr std::uint32_t kEntitiesPerBlock = 512;

// The terms that one thread has met, numbered in order of arrival.
class ThreadVocabulary {
 public:
  void append_terms(std::string_view text, TermIds& ids) {
    for (std::string& term : lexical_terms(text)) {
      const auto [place, added] = ids_.try_emplace(std::move(term), static_cast<std::uint32_t>(terms_.size()));
      if (added) terms_.push_back(place->first);
      ids.push_back(place->second);
    }
  }
  const std::vector<std::string_view>& terms() const { return terms_; }

  std::vector<std::uint32_t> final_ids;  // by own number, once the vocabulary is known

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string_view> terms_;  // keys of ids_, which do not move
};

// Rows of some consecutive nodes, counted by one thread in its own numbers.
struct Block {
  const ThreadVocabulary* vocabulary = nullptr;
  std::vector<std::uint64_t> ends;
  std::vector<TermCount> values;

  // Adds a row; `ids` is sorted on the way.
  void push_back(TermIds& ids) {
    std::sort(ids.begin(), ids.end());
    const std::size_t begin = values.size();
    for (const std::uint32_t id : ids) {
      if (values.size() > begin && values.back().term == id)
        ++values.back().count;
      else
        values.push_back({id, 1});
    }
    ends.push_back(values.size());
  }
};

// Whether the terms of a paragraph's text are those of its sentences: they cover it but for single spaces. A space
// always ends a word (Unicode Standard Annex 29; marks behind it belong to it, as they stand alone at a text's
// beginning), and neither normalisation nor a dictionary of words reaches across one.
bool sentences_hold_all_terms(const Graph& graph, ParagraphId p) {
  const GraphTables& t = graph.tables();
  const std::string_view text = graph.text(p);
  const std::uint32_t first = index(graph.first_sentence(p)), last = index(graph.end_sentence(p)) - 1;
  if (t.text_begins[first] != 0 || t.text_ends[last] != text.size()) return false;
  for (std::uint32_t s = first; s < last; ++s)
    if (t.text_begins[s + 1] != t.text_ends[s] + 1 || text[t.text_ends[s]] != ' ') return false;
  return true;
}

void count_paragraph(const Graph& graph, ParagraphId p, ThreadVocabulary& vocabulary, Block& paragraphs,
                     Block& sentences) {
  TermIds title, whole, row;
  vocabulary.append_terms(graph.title(p), title);
  whole = title;
  const bool covered = sentences_hold_all_terms(graph, p);
  for (std::uint32_t s = index(graph.first_sentence(p)); s < index(graph.end_sentence(p)); ++s) {
    row = title;
    vocabulary.append_terms(graph.text(SentenceId{s}), row);
    if (covered) whole.insert(whole.end(), row.begin() + static_cast<std::ptrdiff_t>(title.size()), row.end());
    sentences.push_back(row);
  }
  if (!covered) vocabulary.append_terms(graph.text(p), whole);
  paragraphs.push_back(whole);
}

// Whether case folding, which only lowers ASCII letters here, makes `surface` the canonical form.
bool folds_to(std::string_view surface, std::string_view canonical) {
  return std::ranges::equal(surface, canonical, [](char a, char b) {
    return static_cast<unsigned char>(a) < 0x80 && (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

void count_entity(const Graph& graph, EntityId e, ThreadVocabulary& vocabulary, Block& entities) {
  TermIds canonical, row;
  vocabulary.append_terms(graph.canonical(e), canonical);
  row = canonical;
  for (std::uint32_t i = 0; i < graph.surface_count(e); ++i) {
    if (folds_to(graph.surface(e, i), graph.canonical(e)))
      row.insert(row.end(), canonical.begin(), canonical.end());
    else
      vocabulary.append_terms(graph.surface(e, i), row);
  }
  entities.push_back(row);
}

using ThreadVocabularies = tbb::enumerable_thread_specific<ThreadVocabulary>;

// All terms sorted; every thread's numbers get their final ids.
TextTable merge(ThreadVocabularies& vocabularies) {
  struct Met {
    std::string_view term;
    ThreadVocabulary* by;
    std::uint32_t number;
  };
  std::vector<Met> met;
  for (ThreadVocabulary& vocabulary : vocabularies) {
    vocabulary.final_ids.resize(vocabulary.terms().size());
    for (std::uint32_t number = 0; number < vocabulary.terms().size(); ++number)
      met.push_back({vocabulary.terms()[number], &vocabulary, number});
  }
  tbb::parallel_sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.term < b.term; });
  TextTable terms;
  for (const Met& entry : met) {
    if (terms.empty() || terms[terms.size() - 1] != entry.term) terms.push_back(entry.term);
    entry.by->final_ids[entry.number] = static_cast<std::uint32_t>(terms.size() - 1);
  }
  return terms;
}

void renumber(Block& block) {
  for (TermCount& entry : block.values) entry.term = block.vocabulary->final_ids[entry.term];
  std::uint64_t begin = 0;
  for (const std::uint64_t end : block.ends) {
    std::sort(block.values.begin() + static_cast<std::ptrdiff_t>(begin),
              block.values.begin() + static_cast<std::ptrdiff_t>(end),
              [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
    begin = end;
  }
}

Rows<TermCount> join(std::vector<Block>& blocks) {
  std::size_t rows = 0, entries = 0;
  for (const Block& block : blocks) {
    rows += block.ends.size();
    entries += block.values.size();
  }
  std::vector<std::uint64_t> ends;
  std::vector<TermCount> values;
  ends.reserve(rows);
  values.reserve(entries);
  for (Block& block : blocks) {
    for (const std::uint64_t end : block.ends) ends.push_back(values.size() + end);
    values.insert(values.end(), block.values.begin(), block.values.end());
    block = {};
  }
  return {std::move(ends), std::move(values)};
}

std::uint32_t block_count(std::uint32_t nodes, std::uint32_t per_block) {
  return nodes / per_block + (nodes % per_block != 0 ? 1 : 0);
}

// Calls run(b) for every block number, on the threads of the surrounding arena.
template <class Run>
void for_each_block(std::size_t count, const Run& run) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t b = range.begin(); b < range.end(); ++b) run(b);
  });
}

LexiconTables count_terms(const Graph& graph) {
  const std::uint32_t paragraphs = graph.paragraph_count(), entities = graph.entity_count();
  const std::uint32_t paragraph_blocks = block_count(paragraphs, kParagraphsPerBlock);
  const std::uint32_t entity_blocks = block_count(entities, kEntitiesPerBlock);
  std::array<std::vector<Block>, 3> blocks = {std::vector<Block>(paragraph_blocks),
                                              std::vector<Block>(paragraph_blocks), std::vector<Block>(entity_blocks)};
  ThreadVocabularies vocabularies;
  for_each_block(paragraph_blocks, [&](std::size_t b) {
    ThreadVocabulary& vocabulary = vocabularies.local();
    blocks[0][b].vocabulary = blocks[1][b].vocabulary = &vocabulary;
    const auto begin = static_cast<std::uint32_t>(b) * kParagraphsPerBlock;
    for (std::uint32_t p = begin; p < std::min(paragraphs, begin + kParagraphsPerBlock); ++p)
      count_paragraph(graph, ParagraphId{p}, vocabulary, blocks[0][b], blocks[1][b]);
  });
  for_each_block(entity_blocks, [&](std::size_t b) {
    ThreadVocabulary& vocabulary = vocabularies.local();
    blocks[2][b].vocabulary = &vocabulary;
    const auto begin = static_cast<std::uint32_t>(b) * kEntitiesPerBlock;
    for (std::uint32_t e = begin; e < std::min(entities, begin + kEntitiesPerBlock); ++e)
      count_entity(graph, EntityId{e}, vocabulary, blocks[2][b]);
  });
  LexiconTables tables;
  tables.terms = merge(vocabularies);
  for (std::size_t kind = 0; kind < 3; ++kind) {
    for_each_block(blocks[kind].size(), [&](std::size_t b) { renumber(blocks[kind][b]); });
    tables.node_terms[kind] = join(blocks[kind]);
  }
  return tables;
}

}  // namespace

LexiconTables make_lexicon_tables(const Graph& graph, unsigned threads) {
  tbb::task_arena arena(static_cast<int>(std::clamp(threads, 1u, 1024u)));
  LexiconTables tables;
  arena.execute([&] { tables = count_terms(graph); });
  return tables;
}

}  // namespace harnessg
