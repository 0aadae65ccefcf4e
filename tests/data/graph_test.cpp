#include "data/graph.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/data/planned_graph.h"

using namespace harnessg;

namespace {

// The rows of a table with one of them changed.
template <class Value>
Rows<Value> with_row(const Rows<Value>& rows, std::size_t changed, std::vector<Value> values) {
  Rows<Value> result;
  for (std::size_t row = 0; row < rows.size(); ++row)
    result.push_back(row == changed ? std::span<const Value>(values) : rows[row]);
  return result;
}

struct Damage {
  const char* name;
  std::function<void(GraphTables&)> inflict;
};

const std::vector<Damage>& damages() {
  static const std::vector<Damage> all{
      {"a title is missing", [](GraphTables& t) { t.titles = {}; }},
      {"a record id too many", [](GraphTables& t) { t.record_ids.push_back("x"); }},
      {"a text too many", [](GraphTables& t) { t.texts.push_back("x"); }},
      {"metadata too many", [](GraphTables& t) { t.metadata.push_back("x"); }},
      {"a title entity is missing", [](GraphTables& t) { t.title_entities.pop_back(); }},
      {"a paragraph's entities are missing", [](GraphTables& t) { t.paragraph_entities = {}; }},
      {"a text end is missing", [](GraphTables& t) { t.text_ends.pop_back(); }},
      {"a canonical form too many", [](GraphTables& t) { t.canonical_forms.push_back("x"); }},
      {"an entity's surface forms are missing", [](GraphTables& t) { t.surface_rows = {}; }},
      {"an entity's sentences are missing", [](GraphTables& t) { t.entity_sentences = {}; }},
      {"an entity's synonyms are missing", [](GraphTables& t) { t.entity_synonyms = {}; }},
      {"row ends descend",
       [](GraphTables& t) {
         t.surface_rows = {{2, 1, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5}};
       }},
      {"rows do not reach the last value",
       [](GraphTables& t) {
         t.surface_rows = {{1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6}};
       }},
      {"a paragraph without sentences", [](GraphTables& t) { t.sentence_ends[1] = t.sentence_ends[0]; }},
      {"a sentence without paragraph", [](GraphTables& t) { t.sentence_ends.back() -= 1; }},
      {"sentences past the last", [](GraphTables& t) { t.sentence_ends.back() += 1; }},
      {"a sentence that ends before it begins", [](GraphTables& t) { t.text_ends[1] = t.text_begins[1] - 1; }},
      {"sentences that overlap", [](GraphTables& t) { t.text_begins[1] = 3; }},
      {"a sentence past its text", [](GraphTables& t) { t.text_ends[2] = 5000; }},
      {"a title entity that is none", [](GraphTables& t) { t.title_entities[0] = EntityId{6}; }},
      {"a title entity not in the first sentence", [](GraphTables& t) { t.title_entities[0] = EntityId{2}; }},
      {"a paragraph entity that is none",
       [](GraphTables& t) {
         t.paragraph_entities = with_row(t.paragraph_entities, 3, {{EntityId{9}, 1}});
       }},
      {"paragraph entities out of order",
       [](GraphTables& t) {
         t.paragraph_entities = with_row(t.paragraph_entities, 3, {{EntityId{3}, 1}, {EntityId{2}, 1}});
       }},
      {"a paragraph entity twice",
       [](GraphTables& t) {
         t.paragraph_entities = with_row(t.paragraph_entities, 3, {{EntityId{3}, 1}, {EntityId{3}, 1}});
       }},
      {"a paragraph entity without mention",
       [](GraphTables& t) {
         t.paragraph_entities = with_row(t.paragraph_entities, 3, {{EntityId{3}, 0}});
       }},
      {"a mention of no entity",
       [](GraphTables& t) { t.sentence_entities = with_row(t.sentence_entities, 8, {EntityId{6}}); }},
      {"a mention twice",
       [](GraphTables& t) {
         t.sentence_entities = with_row(t.sentence_entities, 8, {EntityId{2}, EntityId{2}});
       }},
      {"a mention the entity does not list",
       [](GraphTables& t) {
         t.sentence_entities = with_row(t.sentence_entities, 8, {EntityId{2}, EntityId{0}});
       }},
      {"a sentence the entity is not in",
       [](GraphTables& t) { t.entity_sentences = with_row(t.entity_sentences, 0, {SentenceId{1}}); }},
      {"an entity in no sentence",
       [](GraphTables& t) { t.entity_sentences = with_row(t.entity_sentences, 0, {SentenceId{9}}); }},
      {"a sentence listed twice",
       [](GraphTables& t) {
         t.entity_sentences = with_row(t.entity_sentences, 2, {SentenceId{2}, SentenceId{2}});
       }},
      {"an entity's sentences out of order",
       [](GraphTables& t) {
         t.entity_sentences = with_row(t.entity_sentences, 3, {SentenceId{7}, SentenceId{4}, SentenceId{2}});
       }},
      {"a label that is none", [](GraphTables& t) { t.labels[2] = static_cast<Label>(77); }},
      {"an entity without surface form", [](GraphTables& t) { t.surface_rows = with_row(t.surface_rows, 0, {}); }},
      {"a surface form that is none", [](GraphTables& t) { t.surface_rows = with_row(t.surface_rows, 0, {400}); }},
      {"a synonym that is none",
       [](GraphTables& t) {
         t.entity_synonyms = with_row(t.entity_synonyms, 0, {{EntityId{6}, 0.95f}});
       }},
      {"an entity that is its own synonym",
       [](GraphTables& t) {
         t.entity_synonyms = with_row(t.entity_synonyms, 3, {{EntityId{3}, 0.95f}});
       }},
      {"a synonym in one direction", [](GraphTables& t) { t.entity_synonyms = with_row(t.entity_synonyms, 0, {}); }},
      {"a synonym with another score back",
       [](GraphTables& t) {
         t.entity_synonyms = with_row(t.entity_synonyms, 0, {{EntityId{4}, 0.94f}});
       }},
      {"synonyms out of order",
       [](GraphTables& t) {
         t.entity_synonyms = with_row(t.entity_synonyms, 1, {{EntityId{5}, 0.8125f}, {EntityId{2}, 0.8125f}});
       }},
      {"a synonym score that is no number",
       [](GraphTables& t) {
         t.entity_synonyms = with_row(t.entity_synonyms, 0, {{EntityId{4}, std::numeric_limits<float>::quiet_NaN()}});
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("a graph answers from its tables") {
  const Graph graph = Graph::create(small_tables()).value();
  CHECK(graph.paragraph_count() == 4);
  CHECK(graph.sentence_count() == 9);
  CHECK(graph.entity_count() == 6);
  CHECK(graph.count(NodeKind::kSentence) == 9);
  CHECK(graph.text(SentenceId{4}) == "She met Babbage in London.");
  CHECK(graph.text(SentenceId{5}) == "東京は日本の首都です。");
  CHECK(graph.paragraph(SentenceId{4}) == ParagraphId{1});
  CHECK(graph.position(SentenceId{4}) == 1);
  CHECK(graph.first_sentence(ParagraphId{1}) == SentenceId{3});
  CHECK(graph.end_sentence(ParagraphId{1}) == SentenceId{5});
  CHECK(graph.title_entity(ParagraphId{0}) == EntityId{4});
  CHECK(graph.title_entity(ParagraphId{2}) == kNoEntity);
  CHECK(graph.mentions(SentenceId{0}, EntityId{4}));
  CHECK_FALSE(graph.mentions(SentenceId{1}, EntityId{4}));
  CHECK(graph.sentences(EntityId{3}).size() == 3);
  CHECK(graph.surface(EntityId{1}, 1) == "Entity 1 form 1");
  CHECK(graph.synonyms(EntityId{1})[0] == Synonym{EntityId{2}, 0.8125f});
}

TEST_CASE("an empty graph is a graph") {
  const auto graph = Graph::create({});
  REQUIRE(graph.has_value());
  CHECK(graph->sentence_count() == 0);
}

TEST_CASE("a graph that breaks an invariant is refused") {
  for (const Damage& damage : damages()) {
    CAPTURE(damage.name);
    GraphTables tables = small_tables();
    damage.inflict(tables);
    const auto graph = Graph::create(std::move(tables));
    REQUIRE_FALSE(graph.has_value());
    CHECK(graph.error().code == ErrorCode::kCorrupt);
    CHECK(graph.error().message.size() > 40);
  }
}

TEST_CASE("what an encoder reads is title and text, or an entity's forms up to the fourth") {
  const Graph graph = Graph::create(small_tables()).value();
  CHECK(embedding_text(graph, SentenceId{1}) == "Difference engine\nIt was never finished.");
  CHECK(embedding_text(graph, ParagraphId{1}) ==
        "Ada Lovelace\nLovelace wrote notes on it. She met Babbage in London.");
  CHECK(embedding_text(graph, ParagraphId{3}) == "London is a city. Clement died there.");
  CHECK(embedding_text(graph, EntityId{0}) == "entity 0 | Entity 0 form 0");
  CHECK(embedding_text(graph, EntityId{5}) ==
        "entity 5 | Entity 5 form 0 | Entity 5 form 1 | Entity 5 form 2 | Entity 5 form 3");
}

TEST_CASE("the memory a graph states covers its texts and arrays") {
  const Graph graph = Graph::create(small_tables()).value();
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) bytes += graph.text(ParagraphId{p}).size();
  CHECK(graph.memory_bytes() > bytes + 9 * 3 * sizeof(std::uint32_t));
  CHECK(graph.memory_bytes() < 20000);
}
