// The paragraph / sentence / entity graph: immutable, in memory, shared by all threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/ids.h"
#include "data/label.h"
#include "data/result.h"
#include "data/tables.h"

namespace harnessg {

struct Synonym {
  EntityId entity{};
  float score = 0;  // dot product of the entities' vectors, or token Jaccard where there are none

  friend bool operator==(const Synonym&, const Synonym&) = default;
};

struct EntityCount {
  EntityId entity{};
  std::uint32_t mentions = 0;  // of this entity in the paragraph

  friend bool operator==(const EntityCount&, const EntityCount&) = default;
};

// Everything the content hash covers, as plain tables: what a builder fills and the store reads and writes.
// White space in titles and texts is folded (one space, none at the ends); sentences are byte ranges of their
// paragraph's text.
struct GraphTables {
  // one row a paragraph
  TextTable record_ids;  // the corpus's own id
  TextTable titles;
  TextTable texts;
  TextTable metadata;                        // JSON object of the record's other keys, "" where it has none
  std::vector<std::uint32_t> sentence_ends;  // one past the paragraph's last sentence
  std::vector<EntityId> title_entities;      // kNoEntity where the title names none
  Rows<EntityCount> paragraph_entities;      // by entity id

  // one row a sentence
  std::vector<std::uint32_t> text_begins;  // byte range in its paragraph's text
  std::vector<std::uint32_t> text_ends;
  Rows<EntityId> sentence_entities;  // no repeats, in order of first mention, the title's entity last

  // one row an entity
  TextTable canonical_forms;
  std::vector<Label> labels;
  Rows<std::uint32_t> surface_rows;  // rows of `surfaces`, in order of first appearance; at least one
  TextTable surfaces;
  Rows<SentenceId> entity_sentences;  // body mentions in corpus order, then the sentences it is the title of
  Rows<Synonym> entity_synonyms;      // symmetric; by (score descending, id ascending)

  std::uint64_t mention_count = 0;  // distinct (sentence, entity, surface)

  friend bool operator==(const GraphTables&, const GraphTables&) = default;
};

// Const and thread-safe throughout. Ids passed in must be smaller than the kind's count; ids that come from a user are
// checked where they enter, not here.
class Graph {
 public:
  // Checks the invariants stated above that can be seen from the tables alone: sizes agree, ids in range, text ranges
  // ordered, rows in their order without repeats, sentence-entity edges equal from both sides, a title's entity
  // mentioned by the first sentence, synonyms symmetric. kCorrupt with the first one that does not hold.
  static Result<Graph> create(GraphTables tables);

  std::uint32_t paragraph_count() const { return static_cast<std::uint32_t>(tables_.titles.size()); }
  std::uint32_t sentence_count() const { return static_cast<std::uint32_t>(tables_.text_begins.size()); }
  std::uint32_t entity_count() const { return static_cast<std::uint32_t>(tables_.labels.size()); }
  std::uint32_t count(NodeKind kind) const;

  std::string_view record_id(ParagraphId p) const { return tables_.record_ids[index(p)]; }
  std::string_view title(ParagraphId p) const { return tables_.titles[index(p)]; }
  std::string_view text(ParagraphId p) const { return tables_.texts[index(p)]; }
  EntityId title_entity(ParagraphId p) const { return tables_.title_entities[index(p)]; }
  SentenceId first_sentence(ParagraphId p) const {
    return SentenceId{index(p) == 0 ? 0 : tables_.sentence_ends[index(p) - 1]};
  }
  // One past the paragraph's last sentence: its sentences are [first_sentence, end_sentence), at least one.
  SentenceId end_sentence(ParagraphId p) const { return SentenceId{tables_.sentence_ends[index(p)]}; }
  std::span<const EntityCount> entities(ParagraphId p) const { return tables_.paragraph_entities[index(p)]; }

  ParagraphId paragraph(SentenceId s) const { return sentence_paragraphs_[index(s)]; }
  std::uint32_t position(SentenceId s) const { return index(s) - index(first_sentence(paragraph(s))); }
  std::string_view text(SentenceId s) const {
    const std::uint32_t begin = tables_.text_begins[index(s)];
    return text(paragraph(s)).substr(begin, tables_.text_ends[index(s)] - begin);
  }
  std::span<const EntityId> entities(SentenceId s) const { return tables_.sentence_entities[index(s)]; }
  bool mentions(SentenceId s, EntityId e) const;  // linear in the sentence's entities

  std::string_view canonical(EntityId e) const { return tables_.canonical_forms[index(e)]; }
  Label label(EntityId e) const { return tables_.labels[index(e)]; }
  std::uint32_t surface_count(EntityId e) const {
    return static_cast<std::uint32_t>(tables_.surface_rows[index(e)].size());
  }
  std::string_view surface(EntityId e, std::uint32_t i = 0) const {
    return tables_.surfaces[tables_.surface_rows[index(e)][i]];
  }
  std::span<const SentenceId> sentences(EntityId e) const { return tables_.entity_sentences[index(e)]; }
  std::span<const Synonym> synonyms(EntityId e) const { return tables_.entity_synonyms[index(e)]; }

  const GraphTables& tables() const { return tables_; }
  std::size_t memory_bytes() const;

 private:
  explicit Graph(GraphTables tables);

  GraphTables tables_;
  std::vector<ParagraphId> sentence_paragraphs_;
};

// The text that a dense encoder is given for a node (spec 1, section 3): title, line break, text for paragraphs and
// sentences (no line break where either is empty); "canonical | form1 | ... | form4" for entities.
std::string embedding_text(const Graph& graph, ParagraphId p);
std::string embedding_text(const Graph& graph, SentenceId s);
std::string embedding_text(const Graph& graph, EntityId e);

}  // namespace harnessg
