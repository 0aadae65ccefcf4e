#include "data/lexicon.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "data/text.h"
#include "tests/data/lexical_graph.h"
#include "tests/data/shared_data.h"

using namespace harnessg;

namespace {

// Scripts and borders that word breaking treats in different ways.
Graph world_of_scripts() {
  const std::vector<std::string> english{"Dr. Smith met U.S. envoys.", "He left at 5:30 p.m.", "'Tis a don't-care."};
  const std::vector<std::string> cyrillic{"Это было в 1905 году.", "Потом он уехал."};
  const std::vector<std::string> chinese{"他出生于北京。", "后来搬到上海。"};
  const std::vector<std::string> thai{"ภาษาไทยเขียนติดกัน", "ไม่มีช่องว่าง"};
  const std::vector<std::string> korean{"그는 서울에서 태어났다.", "\u1161 vowel"};
  const std::vector<std::string> arabic{"ولد في القاهرة.", "\u064Eثم انتقل."};
  const std::vector<std::string> marks{"a", "\u0301b after an accent", "\u200Djoiner", "e", "\u0301"};
  const std::vector<std::string> symbols{"👩\u200D", "🚀 9", "🇩🇪🇫", "🇷 flags", "カタ", "カナ", "\"א\"", "א'"};
  const std::vector<std::string> glued{"one.", "Two 3", "4,5", "six_", "seven"};
  std::vector<ParagraphText> paragraphs;
  for (const std::string separator : {" ", "", "  ", " and ", "_"})
    for (const auto& sentences : {english, cyrillic, chinese, thai, korean, arabic, marks, symbols, glued})
      paragraphs.push_back({"The Éclair (film) № 9", sentences, separator});
  paragraphs.push_back({"", {"?!"}});
  paragraphs.push_back({"ÉCLAIR éclair ＡＢＣ abc ﬁ fi", {"Straße STRASSE"}});
  return lexical_graph(paragraphs, {{"new york city", {"New York City", "NYC", "new york city"}},
                                    {"éclair", {"Éclair", "ÉCLAIR"}},
                                    {"straße", {"STRASSE"}},
                                    {"k", {"\xE2\x84\xAA"}},  // the Kelvin sign folds to k
                                    {"...", {"..."}}});
}

std::map<std::string, std::uint32_t> counted(const std::vector<std::string>& texts) {
  std::map<std::string, std::uint32_t> counts;
  for (const std::string& text : texts)
    for (const std::string& term : lexical_terms(text)) ++counts[term];
  return counts;
}

std::map<std::string, std::uint32_t> stored(const LexiconTables& tables, NodeKind kind, std::uint32_t id) {
  std::map<std::string, std::uint32_t> counts;
  for (const TermCount& entry : tables.node_terms[static_cast<std::size_t>(kind)][id])
    counts[std::string(tables.terms[entry.term])] = entry.count;
  return counts;
}

// Every node's terms are what the definition gives, text by text, and the vocabulary is just those terms.
void check_terms(const Graph& graph, const LexiconTables& tables) {
  std::set<std::string> vocabulary;
  const auto check = [&](NodeKind kind, std::uint32_t id, const std::vector<std::string>& texts) {
    const auto expected = counted(texts);
    REQUIRE(stored(tables, kind, id) == expected);
    for (const auto& [term, count] : expected) vocabulary.insert(term);
  };
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p)
    check(NodeKind::kParagraph, p, {std::string(graph.title(ParagraphId{p})), std::string(graph.text(ParagraphId{p}))});
  for (std::uint32_t s = 0; s < graph.sentence_count(); ++s)
    check(NodeKind::kSentence, s,
          {std::string(graph.title(graph.paragraph(SentenceId{s}))), std::string(graph.text(SentenceId{s}))});
  for (std::uint32_t e = 0; e < graph.entity_count(); ++e) {
    std::vector<std::string> forms{std::string(graph.canonical(EntityId{e}))};
    for (std::uint32_t i = 0; i < graph.surface_count(EntityId{e}); ++i)
      forms.emplace_back(graph.surface(EntityId{e}, i));
    check(NodeKind::kEntity, e, forms);
  }
  REQUIRE(tables.terms.size() == vocabulary.size());
  std::size_t t = 0;
  for (const std::string& term : vocabulary) REQUIRE(tables.terms[t++] == term);
}

Graph cats_and_dogs() {
  return lexical_graph({{"cat", {"Dog dog."}}, {"cat", {"bird"}}, {"fish", {"fish fish fish"}}});
}

Lexicon lexicon_of(const Graph& graph) { return Lexicon::create(make_lexicon_tables(graph, 1), graph).value(); }

}  // namespace

TEST_CASE("the terms of every node are those of its texts, in every script") {
  const Graph graph = world_of_scripts();
  check_terms(graph, make_lexicon_tables(graph, 2));
}

TEST_CASE("the terms of real paragraphs are those of their texts") {
  const auto file = shared_data("conformance/corpus-musique.jsonl");
  if (!file) return;
  std::ifstream in(*file);
  std::vector<ParagraphText> paragraphs;
  for (std::string line; std::getline(in, line);) {
    const auto record = nlohmann::json::parse(line);
    const auto text = record.at("text").get<std::string>();
    ParagraphText paragraph{record.at("title"), {}, ". "};
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(". ", begin), text.size());
      paragraph.sentences.push_back(text.substr(begin, end - begin));
      begin = end + 2;
    }
    paragraphs.push_back(std::move(paragraph));
    paragraphs.push_back({record.at("title"), {text.substr(0, text.find(' ')), text}});
  }
  REQUIRE(paragraphs.size() == 2 * 279);
  const Graph graph = lexical_graph(paragraphs);
  check_terms(graph, make_lexicon_tables(graph, 2));
}

TEST_CASE("the number of threads changes nothing") {
  std::vector<ParagraphText> paragraphs;
  std::vector<EntityForms> entities;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i * 7919 % 1000);
    paragraphs.push_back({"title " + number, {"word" + number + " again.", "Other" + number}});
    entities.push_back({"entity " + number, {"Entity " + number}});
  }
  const Graph graph = lexical_graph(paragraphs, entities);
  const LexiconTables one = make_lexicon_tables(graph, 1);
  CHECK(make_lexicon_tables(graph, 2) == one);
  CHECK(make_lexicon_tables(graph, 8) == one);
  CHECK(make_lexicon_tables(graph, 0) == one);
}

TEST_CASE("scores are those of BM25 worked by hand") {
  const Graph graph = cats_and_dogs();
  const Lexicon lexicon = lexicon_of(graph);
  // Lengths 3, 2, 4, mean 3. cat: in 2 of 3, idf = ln(1 + 1.5 / 2.5); dog: in 1 of 3, idf = ln(1 + 2.5 / 1.5).
  const double cat = std::log(1.6), dog = std::log(1 + 2.5 / 1.5);
  const LexicalQuery query = lexicon.query("A cat, a DOG and the cat");
  REQUIRE(query.size() == 2);
  const auto score = [&](std::uint32_t p) { return lexicon.score(query, NodeKind::kParagraph, p); };
  // Paragraph 0: norm 1.2. cat once: 2.2 / 2.2, asked for twice; dog twice: 2 * 2.2 / 3.2.
  CHECK(score(0) == doctest::Approx(2 * cat + 1.375 * dog).epsilon(1e-6));
  // Paragraph 1: norm 1.2 * (0.25 + 0.75 * 2 / 3) = 0.9. cat once: 2.2 / 1.9.
  CHECK(score(1) == doctest::Approx(2 * cat * 2.2 / 1.9).epsilon(1e-6));
  CHECK(score(2) == 0);
  CHECK(score(0) == doctest::Approx(2.28865).epsilon(1e-5));
}

TEST_CASE("each kind of node has statistics of its own") {
  const Graph graph = lexical_graph({{"cat", {"cat.", "dog."}}}, {{"cat", {"Cat"}}, {"dog", {"Dog"}}});
  const Lexicon lexicon = lexicon_of(graph);
  const LexicalQuery query = lexicon.query("dog");
  // Paragraphs: 1 of 1, idf ln(1 + 0.5 / 1.5). Sentences: 1 of 2, ln 2. Entities: 1 of 2, counted twice in two forms.
  CHECK(lexicon.score(query, NodeKind::kParagraph, 0) == doctest::Approx(std::log(4.0 / 3)).epsilon(1e-6));
  CHECK(lexicon.score(query, NodeKind::kSentence, 1) == doctest::Approx(std::log(2.0)).epsilon(1e-6));
  CHECK(lexicon.score(query, NodeKind::kEntity, 1) == doctest::Approx(std::log(2.0) * 4.4 / 3.2).epsilon(1e-6));
  CHECK(lexicon.score(query, NodeKind::kEntity, 0) == 0);
}

TEST_CASE("scoring all nodes gives the bits of scoring them one by one") {
  const Graph graph = world_of_scripts();
  const Lexicon lexicon = lexicon_of(graph);
  for (const char* text : {"the éclair film of Dr. Smith in 1905 the the", "北京 上海 потом", "unknownword", ""}) {
    const LexicalQuery query = lexicon.query(text);
    for (const NodeKind kind : {NodeKind::kParagraph, NodeKind::kSentence, NodeKind::kEntity}) {
      const std::vector<float> all = lexicon.scores(query, kind);
      REQUIRE(all.size() == graph.count(kind));
      for (std::uint32_t id = 0; id < all.size(); ++id) REQUIRE(all[id] == lexicon.score(query, kind, id));
    }
  }
}

TEST_CASE("a query's terms are sorted, counted and known") {
  const Graph graph = cats_and_dogs();
  const Lexicon lexicon = lexicon_of(graph);
  // bird 0, cat 1, dog 2, fish 3
  CHECK(lexicon.query("fish Fish zebra CAT aardvark fish cats") == LexicalQuery{{1, 1}, {3, 3}});
  CHECK(lexicon.query("zebra").empty());
  CHECK(lexicon.query("").empty());
}

TEST_CASE("a graph without nodes has a lexicon without terms") {
  const Graph graph = lexical_graph({});
  const Lexicon lexicon = lexicon_of(graph);
  CHECK(lexicon.query("cat").empty());
  CHECK(lexicon.scores({}, NodeKind::kEntity).empty());
}

TEST_CASE("tables that do not fit the graph or themselves are refused") {
  const Graph graph = cats_and_dogs();
  const LexiconTables good = make_lexicon_tables(graph, 1);
  REQUIRE(Lexicon::create(good, graph));
  const auto refused = [&](const LexiconTables& tables) {
    const auto lexicon = Lexicon::create(tables, graph);
    return !lexicon && lexicon.error().code == ErrorCode::kCorrupt;
  };
  const auto with_rows = [&](std::vector<std::uint64_t> ends, std::vector<TermCount> values) {
    LexiconTables tables = good;
    tables.node_terms[0] = {std::move(ends), std::move(values)};
    return tables;
  };
  CHECK_FALSE(refused(with_rows({1, 1, 3}, {{0, 1}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 3}, {{0, 1}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 0, 3}, {{0, 1}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 1, 2}, {{0, 1}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 9, 3}, {{0, 1}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 1, 3}, {{0, 1}, {1, 1}, {4, 2}})));
  CHECK(refused(with_rows({1, 1, 3}, {{0, 0}, {1, 1}, {3, 2}})));
  CHECK(refused(with_rows({1, 1, 3}, {{0, 1}, {3, 1}, {1, 2}})));
  CHECK(refused(with_rows({1, 1, 3}, {{0, 1}, {3, 1}, {3, 2}})));
  LexiconTables unsorted = good;
  unsorted.terms = {};
  for (const char* term : {"bird", "dog", "cat", "fish"}) unsorted.terms.push_back(term);
  CHECK(refused(unsorted));
}
