#include "data/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harnessg {
namespace {

constexpr std::uint64_t kMaxRows = 0xFFFFFFFFu;  // ids are 32-bit and the last one means "none"

template <class... Args>
Status corrupt(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kCorrupt, "the graph is damaged: {}; build the index again",
              fmt::format(format, std::forward<Args>(args)...));
}

Status check_size(const char* table, std::uint64_t rows, std::uint64_t expected) {
  if (rows == expected) return {};
  return corrupt("{} has {} rows where {} are due", table, rows, expected);
}

template <class Value>
Status check_rows(const char* table, const Rows<Value>& rows, std::uint64_t expected) {
  HARNESSG_RETURN_IF_ERROR(check_size(table, rows.size(), expected));
  std::uint64_t end = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.ends()[row] < end) return corrupt("row {} of {} ends before it begins", row, table);
    end = rows.ends()[row];
  }
  if (end != rows.values().size()) return corrupt("the rows of {} do not cover its values", table);
  return {};
}

Status check_sizes(const GraphTables& t) {
  const std::uint64_t paragraphs = t.titles.size(), sentences = t.text_begins.size(), entities = t.labels.size();
  if (paragraphs >= kMaxRows || sentences >= kMaxRows || entities >= kMaxRows || t.surfaces.size() >= kMaxRows)
    return corrupt("it has more than {} nodes of one kind", kMaxRows - 1);
  HARNESSG_RETURN_IF_ERROR(check_size("record_ids", t.record_ids.size(), paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_size("texts", t.texts.size(), paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_size("metadata", t.metadata.size(), paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_size("sentence_ends", t.sentence_ends.size(), paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_size("title_entities", t.title_entities.size(), paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_rows("paragraph_entities", t.paragraph_entities, paragraphs));
  HARNESSG_RETURN_IF_ERROR(check_size("text_ends", t.text_ends.size(), sentences));
  HARNESSG_RETURN_IF_ERROR(check_rows("sentence_entities", t.sentence_entities, sentences));
  HARNESSG_RETURN_IF_ERROR(check_size("canonical_forms", t.canonical_forms.size(), entities));
  HARNESSG_RETURN_IF_ERROR(check_rows("surface_rows", t.surface_rows, entities));
  HARNESSG_RETURN_IF_ERROR(check_rows("entity_sentences", t.entity_sentences, entities));
  return check_rows("entity_synonyms", t.entity_synonyms, entities);
}

Status check_sentence_ranges(const GraphTables& t) {
  std::uint32_t sentence = 0;
  for (std::size_t p = 0; p < t.titles.size(); ++p) {
    const std::uint32_t end = t.sentence_ends[p];
    if (end <= sentence || end > t.text_begins.size())
      return corrupt("the sentences of paragraph {} end at {}, after {} of {}", p, end, sentence, t.text_begins.size());
    std::uint32_t byte = 0;
    for (; sentence < end; ++sentence) {
      if (t.text_begins[sentence] < byte || t.text_ends[sentence] < t.text_begins[sentence])
        return corrupt("the text ranges of paragraph {} are out of order at sentence {}", p, sentence);
      byte = t.text_ends[sentence];
    }
    if (byte > t.texts[p].size()) return corrupt("sentence {} reaches past the text of paragraph {}", sentence - 1, p);
  }
  return check_size("text_begins", t.text_begins.size(), sentence);
}

bool lists(std::span<const EntityId> entities, EntityId e) {
  return std::find(entities.begin(), entities.end(), e) != entities.end();
}

Status check_paragraphs(const GraphTables& t) {
  const std::size_t entities = t.labels.size();
  for (std::size_t p = 0; p < t.titles.size(); ++p) {
    std::uint64_t smallest = 0;
    for (const EntityCount& count : t.paragraph_entities[p]) {
      if (index(count.entity) >= entities) return corrupt("paragraph {} names entity {}", p, index(count.entity));
      if (index(count.entity) < smallest) return corrupt("the entities of paragraph {} are out of order", p);
      if (count.mentions == 0) return corrupt("paragraph {} counts entity {} zero times", p, index(count.entity));
      smallest = index(count.entity) + std::uint64_t{1};
    }
    const EntityId title = t.title_entities[p];
    if (title == kNoEntity) continue;
    if (index(title) >= entities) return corrupt("the title of paragraph {} is entity {}", p, index(title));
    if (!lists(t.sentence_entities[p == 0 ? 0 : t.sentence_ends[p - 1]], title))
      return corrupt("the first sentence of paragraph {} does not mention the title's entity {}", p, index(title));
  }
  return {};
}

// Sentence -> entity and entity -> sentence hold the same pairs, each once.
Status check_mentions(const GraphTables& t) {
  const std::size_t sentences = t.text_begins.size(), entities = t.labels.size();
  std::vector<std::uint32_t> last_seen(entities, 0xFFFFFFFFu), degree(entities, 0);
  for (std::uint32_t s = 0; s < sentences; ++s) {
    for (const EntityId e : t.sentence_entities[s]) {
      if (index(e) >= entities) return corrupt("sentence {} mentions entity {} of {}", s, index(e), entities);
      if (last_seen[index(e)] == s) return corrupt("sentence {} mentions entity {} twice", s, index(e));
      last_seen[index(e)] = s;
      ++degree[index(e)];
    }
  }
  std::vector<std::uint32_t> listed_by(sentences, 0xFFFFFFFFu);
  for (std::uint32_t e = 0; e < entities; ++e) {
    const auto row = t.entity_sentences[e];
    if (row.size() != degree[e]) return corrupt("entity {} lists {} sentences of {}", e, row.size(), degree[e]);
    int descents = 0;  // body mentions ascend, then the title's sentences
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint32_t s = index(row[i]);
      if (s >= sentences) return corrupt("entity {} lists sentence {} of {}", e, s, sentences);
      if (listed_by[s] == e) return corrupt("entity {} lists sentence {} twice", e, s);
      if (!lists(t.sentence_entities[s], EntityId{e})) return corrupt("sentence {} does not mention entity {}", s, e);
      listed_by[s] = e;
      descents += i > 0 && s < index(row[i - 1]);
    }
    if (descents > 1) return corrupt("the sentences of entity {} are out of order", e);
  }
  return {};
}

Status check_forms(const GraphTables& t) {
  for (std::size_t e = 0; e < t.labels.size(); ++e) {
    if (t.labels[e] > Label::kEntity) return corrupt("entity {} has label {}", e, static_cast<int>(t.labels[e]));
    if (t.surface_rows[e].empty()) return corrupt("entity {} has no surface form", e);
    for (const std::uint32_t row : t.surface_rows[e]) {
      if (row >= t.surfaces.size()) return corrupt("entity {} has surface form {} of {}", e, row, t.surfaces.size());
    }
  }
  return {};
}

bool ranks_before(const Synonym& a, const Synonym& b) {
  return a.score != b.score ? a.score > b.score : a.entity < b.entity;
}

Status check_synonyms(const GraphTables& t) {
  const std::size_t entities = t.labels.size();
  std::vector<std::uint32_t> listed_by(entities, 0xFFFFFFFFu);
  for (std::uint32_t e = 0; e < entities; ++e) {
    const auto row = t.entity_synonyms[e];
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint32_t other = index(row[i].entity);
      if (other >= entities || other == e) return corrupt("entity {} has synonym {} of {}", e, other, entities);
      if (!std::isfinite(row[i].score)) return corrupt("entities {} and {} have no finite synonym score", e, other);
      if (listed_by[other] == e) return corrupt("entity {} lists synonym {} twice", e, other);
      listed_by[other] = e;
      if (i > 0 && !ranks_before(row[i - 1], row[i])) return corrupt("the synonyms of entity {} are out of order", e);
    }
  }
  for (std::uint32_t e = 0; e < entities; ++e) {
    for (const Synonym& synonym : t.entity_synonyms[e]) {
      const auto back = t.entity_synonyms[index(synonym.entity)];
      if (!std::binary_search(back.begin(), back.end(), Synonym{EntityId{e}, synonym.score}, ranks_before))
        return corrupt("entity {} has synonym {}, but not the other way round", e, index(synonym.entity));
    }
  }
  return {};
}

Status check(const GraphTables& tables) {
  HARNESSG_RETURN_IF_ERROR(check_sizes(tables));
  HARNESSG_RETURN_IF_ERROR(check_sentence_ranges(tables));
  HARNESSG_RETURN_IF_ERROR(check_paragraphs(tables));
  HARNESSG_RETURN_IF_ERROR(check_mentions(tables));
  HARNESSG_RETURN_IF_ERROR(check_forms(tables));
  return check_synonyms(tables);
}

// An encoder is given no line break at either end.
std::string titled(std::string_view title, std::string_view text) {
  return title.empty() || text.empty() ? fmt::format("{}{}", title, text) : fmt::format("{}\n{}", title, text);
}

template <class Value>
std::size_t held(const std::vector<Value>& values) {
  return values.capacity() * sizeof(Value);
}

}  // namespace

Graph::Graph(GraphTables tables) : tables_(std::move(tables)) {
  sentence_paragraphs_.reserve(tables_.text_begins.size());
  for (std::uint32_t p = 0; p < paragraph_count(); ++p)
    sentence_paragraphs_.resize(tables_.sentence_ends[p], ParagraphId{p});
}

Result<Graph> Graph::create(GraphTables tables) {
  HARNESSG_RETURN_IF_ERROR(check(tables));
  return Graph(std::move(tables));
}

std::uint32_t Graph::count(NodeKind kind) const {
  switch (kind) {
    case NodeKind::kParagraph:
      return paragraph_count();
    case NodeKind::kSentence:
      return sentence_count();
    case NodeKind::kEntity:
      return entity_count();
  }
  return 0;
}

bool Graph::mentions(SentenceId s, EntityId e) const { return lists(entities(s), e); }

std::size_t Graph::memory_bytes() const {
  const GraphTables& t = tables_;
  std::size_t bytes = sizeof(Graph) + held(t.sentence_ends) + held(t.title_entities) + held(t.text_begins) +
                      held(t.text_ends) + held(t.labels) + held(sentence_paragraphs_);
  for (const TextTable* texts : {&t.record_ids, &t.titles, &t.texts, &t.metadata, &t.canonical_forms, &t.surfaces})
    bytes += texts->memory_bytes();
  return bytes + t.paragraph_entities.memory_bytes() + t.sentence_entities.memory_bytes() +
         t.surface_rows.memory_bytes() + t.entity_sentences.memory_bytes() + t.entity_synonyms.memory_bytes();
}

std::string embedding_text(const Graph& graph, ParagraphId p) { return titled(graph.title(p), graph.text(p)); }

std::string embedding_text(const Graph& graph, SentenceId s) {
  return titled(graph.title(graph.paragraph(s)), graph.text(s));
}

std::string embedding_text(const Graph& graph, EntityId e) {
  constexpr std::uint32_t kForms = 4;
  std::string text(graph.canonical(e));
  for (std::uint32_t i = 0; i < std::min(kForms, graph.surface_count(e)); ++i) {
    text += " | ";
    text += graph.surface(e, i);
  }
  return text;
}

}  // namespace harnessg
