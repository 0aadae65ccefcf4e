#include "builder/graph_builder.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/graph.h"
#include "tests/builder/record_list.h"

using namespace harnessg;

namespace {

struct Body {
  std::uint32_t sentence;
  std::string surface;
  Label label = Label::kEntity;
};

// A paragraph with the given sentences, joined by spaces, and mentions.
Paragraph paragraph(const std::string& id, const std::string& title, const std::vector<std::string>& sentences,
                    const std::vector<Body>& mentions) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  CorpusRecord source = record(id, title, text, sentences);
  SentenceRanges ranges = locate_sentences(source).value();
  ParagraphMentions lists(sentences.size());
  for (const Body& body : mentions) lists[body.sentence].push_back({body.surface, body.label, 0, 0});
  return make_paragraph(std::move(source), std::move(ranges), lists);
}

Graph graph_of(std::vector<Paragraph> paragraphs) {
  GraphBuilder builder;
  for (Paragraph& p : paragraphs) builder.add(std::move(p));
  auto graph = Graph::create(builder.finish());
  REQUIRE_MESSAGE(graph, graph.error().message);
  return std::move(*graph);
}

std::vector<std::uint32_t> sentences_of(const Graph& graph, std::uint32_t entity) {
  std::vector<std::uint32_t> result;
  for (const SentenceId s : graph.sentences(EntityId{entity})) result.push_back(index(s));
  return result;
}

std::vector<std::uint32_t> entities_of(const Graph& graph, std::uint32_t sentence) {
  std::vector<std::uint32_t> result;
  for (const EntityId e : graph.entities(SentenceId{sentence})) result.push_back(index(e));
  return result;
}

using Ids = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("Entities are numbered by their first body mention, then by the titles in paragraph order") {
  const Graph graph = graph_of(
      {paragraph("a", "Paris", {"Lyon is near Nice.", "Nice is warm."}, {{0, "Lyon"}, {0, "Nice"}, {1, "Nice"}}),
       paragraph("b", "Lyon", {"Paris is north."}, {{0, "Rome"}, {0, "Paris"}}),
       paragraph("c", "Oslo", {"It is cold."}, {})});
  REQUIRE(graph.entity_count() == 5);
  CHECK(graph.canonical(EntityId{0}) == "lyon");
  CHECK(graph.canonical(EntityId{1}) == "nice");
  CHECK(graph.canonical(EntityId{2}) == "rome");
  CHECK(graph.canonical(EntityId{3}) == "paris");
  CHECK(graph.canonical(EntityId{4}) == "oslo");
  CHECK(graph.title_entity(ParagraphId{1}) == EntityId{0});
}

TEST_CASE("A title is a mention on the first sentence, behind the body's and behind all body sentences of its entity") {
  const Graph graph = graph_of({paragraph("a", "Paris", {"Lyon is near.", "Nice is warm."}, {{0, "Lyon"}, {1, "Nice"}}),
                                paragraph("b", "Lyon", {"Paris is north."}, {{0, "Paris"}})});
  CHECK(entities_of(graph, 0) == Ids{0, 2});
  CHECK(entities_of(graph, 1) == Ids{1});
  CHECK(entities_of(graph, 2) == Ids{2, 0});
  CHECK(sentences_of(graph, 2) == Ids{2, 0});
  CHECK(sentences_of(graph, 0) == Ids{0, 2});
}

TEST_CASE("A title that its first sentence names is one mention when the surface is the same and two when it is not") {
  const Graph same = graph_of({paragraph("a", "Paris", {"Paris is large."}, {{0, "Paris"}})});
  CHECK(same.tables().mention_count == 1);
  CHECK(sentences_of(same, 0) == Ids{0});
  const Graph other = graph_of({paragraph("a", "Paris", {"PARIS is large."}, {{0, "PARIS"}})});
  CHECK(other.tables().mention_count == 2);
  CHECK(other.entities(ParagraphId{0})[0].mentions == 2);
  CHECK(sentences_of(other, 0) == Ids{0});
}

TEST_CASE("Mentions of one identity key are one entity with its surface forms in order of appearance") {
  const Graph graph = graph_of(
      {paragraph("a", "", {"The U.S. and the U-S and the U.S. met."}, {{0, "U.S."}, {0, "U-S"}, {0, "U.S."}})});
  REQUIRE(graph.entity_count() == 1);
  REQUIRE(graph.surface_count(EntityId{0}) == 2);
  CHECK(graph.surface(EntityId{0}, 0) == "U.S.");
  CHECK(graph.surface(EntityId{0}, 1) == "U-S");
  CHECK(graph.canonical(EntityId{0}) == "u.s");
  CHECK(graph.tables().mention_count == 2);
}

TEST_CASE("Keys keep the letters of every script apart") {
  const Graph graph = graph_of({paragraph("a", "", {"Éric met Ric in Москва 24 and 東京 24."},
                                          {{0, "Éric"}, {0, "Ric"}, {0, "Москва 24"}, {0, "東京 24"}, {0, "éric"}})});
  CHECK(graph.entity_count() == 4);
}

TEST_CASE("An entity's label is the most specific one seen, and a title says ENTITY") {
  const Graph graph =
      graph_of({paragraph("a", "Ada", {"Ada met Bob.", "Bob left."},
                          {{0, "Ada", Label::kOrg}, {0, "Bob", Label::kDate}, {1, "Bob", Label::kPerson}}),
                paragraph("b", "Cy", {"He came."}, {})});
  CHECK(graph.label(EntityId{0}) == Label::kOrg);
  CHECK(graph.label(EntityId{1}) == Label::kPerson);
  CHECK(graph.label(EntityId{2}) == Label::kEntity);
}

TEST_CASE("Junk is dropped from the body and kept as a title") {
  const Graph graph =
      graph_of({paragraph("a", "1984", {"1984 and Malcolm X were read."}, {{0, "1984"}, {0, "Malcolm X"}}),
                paragraph("b", "Ismail I", {"He ruled."}, {}), paragraph("c", "X", {"Ten."}, {})});
  REQUIRE(graph.entity_count() == 3);
  CHECK(graph.canonical(graph.title_entity(ParagraphId{0})) == "1984");
  CHECK(graph.canonical(graph.title_entity(ParagraphId{1})) == "ismail i");
  CHECK(graph.canonical(graph.title_entity(ParagraphId{2})) == "x");
}

TEST_CASE("Only an empty title names no entity") {
  const Graph graph = graph_of({paragraph("a", "!!!", {"A band."}, {}), paragraph("b", "", {"Nothing."}, {})});
  CHECK(graph.title_entity(ParagraphId{0}) == EntityId{0});
  CHECK(graph.title_entity(ParagraphId{1}) == kNoEntity);
  CHECK(graph.entity_count() == 1);
}

TEST_CASE("Paragraphs of one title share its entity") {
  const Graph graph = graph_of(
      {paragraph("a", "River Avon", {"One flows south."}, {}), paragraph("b", "River Avon", {"One flows west."}, {})});
  REQUIRE(graph.entity_count() == 1);
  CHECK(sentences_of(graph, 0) == Ids{0, 1});
}

TEST_CASE("Given sentences become byte ranges of the text, whatever white space stands between and inside them") {
  const CorpusRecord source =
      record("a", "", "Ça va. Bien,merci ! 東京です。終わり", {"Ça va.", "Bien, merci !", "東京です。", "終わり"});
  const auto ranges = locate_sentences(source);
  REQUIRE_MESSAGE(ranges, ranges.error().message);
  const auto views = sentence_views(source.text, *ranges);
  REQUIRE(views.size() == 4);
  CHECK(views[0] == "Ça va.");
  CHECK(views[1] == "Bien,merci !");
  CHECK(views[2] == "東京です。");
  CHECK(views[3] == "終わり");
}

TEST_CASE("Sentences that are not those of the text are an error with their place") {
  CorpusRecord source = record("a", "", "One. Two.", {"One.", "Three."});
  source.file = "corpus.jsonl";
  source.line = 7;
  const auto other = locate_sentences(source);
  REQUIRE(!other);
  CHECK(other.error().code == ErrorCode::kBadInput);
  CHECK(other.error().message.find("corpus.jsonl:7: sentence 1") == 0);
  source.sentences = {"One."};
  const auto missing = locate_sentences(source);
  REQUIRE(!missing);
  CHECK(missing.error().message.find("goes on after") != std::string::npos);
}

TEST_CASE("Ids of merged paragraphs stand in the metadata of the first") {
  GraphBuilder builder;
  Paragraph first = paragraph("a", "T", {"One."}, {});
  first.metadata = R"({"year":1990,"duplicate_ids":["old"]})";
  builder.add(std::move(first));
  builder.add(paragraph("b", "T", {"Two."}, {}));
  builder.add_duplicate(1, "c");
  builder.add_duplicate(0, "d");
  builder.add_duplicate(0, "e");
  builder.add_duplicate(0, "a");
  const GraphTables tables = builder.finish();
  CHECK(tables.metadata[0] == R"({"year":1990,"duplicate_ids":["old","d","e"]})");
  CHECK(tables.metadata[1] == R"({"duplicate_ids":["c"]})");
}
