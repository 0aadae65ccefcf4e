#include "data/questions.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "data/corpus.h"
#include "tests/data/compressed.h"
#include "tests/data/planned_graph.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using Texts = std::vector<std::string>;
using Facts = std::vector<SupportingFact>;
using Steps = std::vector<DecompositionStep>;

namespace {

Result<std::vector<QuestionRecord>> read(std::string_view text) {
  const TemporaryFolder folder;
  write_bytes(folder / "questions", text);
  return read_questions(folder / "questions");
}

QuestionRecord read_one(std::string_view text) {
  const auto questions = read(text);
  if (!questions) FAIL(questions.error().message);
  REQUIRE(questions->size() == 1);
  return questions->front();
}

std::string message_of(const std::string& line) {
  const auto questions = read("{\"question\": \"Fine?\"}\n" + line + "\n");
  REQUIRE_FALSE(questions);
  CHECK(questions.error().code == ErrorCode::kBadInput);
  CHECK(questions.error().message.find("questions:2: ") != std::string::npos);
  return questions.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Graph graph_of(std::vector<PlannedParagraph> paragraphs) {
  GraphPlan plan;
  plan.paragraphs = std::move(paragraphs);
  auto graph = Graph::create(planned_tables(plan));
  if (!graph) FAIL(graph.error().message);
  return std::move(*graph);
}

// Titles: one with two paragraphs, one with an HTML entity, one without.
Graph facts_graph() {
  constexpr std::uint32_t kNone = index(kNoEntity);
  return graph_of({{"Boston", kNone, {{"Boston is a city.", {}}}},
                   {"Boston", kNone, {{"Boston is a band.", {}}, {"It is from Boston.", {}}}},
                   {"A &amp; B", kNone, {{"A and B.", {}}}},
                   {"C & D", kNone, {{"C and D.", {}}}}});
}

ResolvedFacts resolve(const Graph& graph, Facts facts) {
  QuestionRecord question;
  question.supporting_facts = std::move(facts);
  return FactResolver(graph).resolve(question);
}

}  // namespace

TEST_CASE("own questions are read with all their keys") {
  const QuestionRecord q = read_one(
      "{\"id\": \"q1\", \"type\": \"bridge\", \"question\": \"Who?\", \"answers\": [\"A\", \"B\", \"A\", \" \"], "
      "\"supporting_facts\": [{\"paragraph\": \"p1\", \"sentence\": 2}, {\"title\": \" T  t\"}, {\"paragraph\": "
      "7}]}\n");
  CHECK(q.id == "q1");
  CHECK(q.type == "bridge");
  CHECK(q.question == "Who?");
  CHECK(q.answers == Texts{"A", "B"});
  CHECK(q.answerable);
  CHECK(q.supporting_facts == Facts{{"", "p1", "", 2}, {"T t", "", "", {}}, {"", "7", "", {}}});
}

TEST_CASE("a question without id is numbered, without answers not taken for unanswerable") {
  const auto questions = read("{\"question\": \"One?\"}\n\n{\"question\": \"Two?\"}");
  REQUIRE(questions);
  REQUIRE(questions->size() == 2);
  CHECK((*questions)[1].id == "3");  // its line
  CHECK((*questions)[1].answers.empty());
  CHECK((*questions)[1].answerable);
}

TEST_CASE("HotpotQA and 2Wiki give facts by sentence and evidence triples as steps") {
  const QuestionRecord q = read_one(
      "[{\"_id\": \"h\", \"type\": \"comparison\", \"question\": \"?\", \"answer\": \"yes\", \"answer_aliases\": "
      "[\"yes\", \"y\"], "
      "\"supporting_titles\": [\"A\"], \"supporting_facts\": [[\"A\", 0], [\"A\", 3]], "
      "\"evidences\": [[\"A\", \"director\", \"B\"]], \"context\": [[\"A\", [\"One.\"]]]}]");
  CHECK(q.answers == Texts{"yes", "y"});
  CHECK(q.supporting_facts == Facts{{"A", "", "", 0}, {"A", "", "", 3}});
  CHECK(q.decomposition == Steps{{"A >> director", "B"}});
}

TEST_CASE("supporting titles stand in where there are no facts") {
  CHECK(read_one("{\"_id\": 1, \"question\": \"?\", \"answer\": \"a\", \"supporting_titles\": [\"A\"]}")
            .supporting_facts == Facts{{"A", "", "", {}}});
}

TEST_CASE("MuSiQue gives paragraphs with their text, hops and a type") {
  const QuestionRecord q = read_one(
      "{\"id\": \"3hop1__1_2_3\", \"question\": \"?\", \"answer\": \"x\", \"answer_aliases\": [\"y\"], \"answerable\": "
      "true, "
      "\"question_decomposition\": [{\"id\": 1, \"question\": \"A >> b\", \"answer\": \"x\"}], \"paragraphs\": ["
      "{\"title\": \"A\", \"paragraph_text\": \"One.\", \"is_supporting\": false}, "
      "{\"title\": \"A\", \"paragraph_text\": \"Two  words.\", \"is_supporting\": true}]}");
  CHECK(q.type == "3hop1");
  CHECK(q.answers == Texts{"x", "y"});
  CHECK(q.supporting_facts == Facts{{"A", "", "Two words.", {}}});
  CHECK(q.decomposition == Steps{{"A >> b", "x"}});
}

TEST_CASE("an unanswerable question has no answers, whatever the file says") {
  const QuestionRecord q =
      read_one("{\"id\": \"2hop__1\", \"question\": \"?\", \"answer\": \"1991\", \"answerable\": false}");
  CHECK_FALSE(q.answerable);
  CHECK(q.answers.empty());
}

TEST_CASE("PopQA's answers are a list inside a string") {
  const QuestionRecord q = read_one(
      "[{\"id\": 0, \"prop\": \"occupation\", \"question\": \"?\", \"possible_answers\": \"[\\\"a\\\", \\\"b\\\"]\", "
      "\"paragraphs\": [{\"title\": \"T\", \"text\": \"One.\", \"is_supporting\": true}]}]");
  CHECK(q.id == "0");
  CHECK(q.type == "occupation");
  CHECK(q.answers == Texts{"a", "b"});
  CHECK(q.supporting_facts == Facts{{"T", "", "One.", {}}});
}

TEST_CASE("IRCoT's schema is read") {
  const QuestionRecord q = read_one(
      "{\"question_id\": \"i\", \"question_text\": \"Who?\", \"answers_objects\": [{\"spans\": [\"a\"]}], "
      "\"contexts\": [{\"title\": \"T\", \"paragraph_text\": \"One.\", \"is_supporting\": true}]}");
  CHECK(q.id == "i");
  CHECK(q.question == "Who?");
  CHECK(q.answers == Texts{"a"});
  CHECK(q.supporting_facts.size() == 1);
}

TEST_CASE("bad questions are errors with file, line and mend") {
  CHECK(has(message_of("{\"id\": 1}"), "no \"question\""));
  CHECK(has(message_of("{\"question\": \" \"}"), "no \"question\""));
  CHECK(has(message_of("{\"question\": [1]}"), "\"question\" is no string but array"));
  CHECK(has(message_of("{\"question\": \"?\", \"answers\": [[1]]}"), "\"answers\" is no list of strings"));
  CHECK(has(message_of("{\"question\": \"?\", \"possible_answers\": \"x\"}"), "no JSON list in a string"));
  CHECK(has(message_of("{\"question\": \"?\", \"supporting_facts\": {}}"), "\"supporting_facts\" is no list"));
  CHECK(has(message_of("{\"question\": \"?\", \"supporting_facts\": [[\"A\", -1]]}"), "no position"));
  CHECK(has(message_of("{\"question\": \"?\", \"supporting_facts\": [[\"A\", 0.5]]}"), "no position"));
  CHECK(has(message_of("{\"question\": \"?\", \"supporting_facts\": [[\"A\", 4294967296]]}"), "no position"));
  CHECK(has(message_of("{\"question\": \"?\", \"supporting_facts\": [{\"sentence\": 1}]}"), "names no paragraph"));
  CHECK(has(message_of("{\"question\": \"?\", \"evidences\": [[\"A\", \"b\"]]}"), "an evidence is not"));
  CHECK(has(message_of("{\"question\": \"?\", \"answerable\": \"no\"}"), "\"answerable\" is neither"));
  CHECK(has(message_of("{\"question\": \"\\ud800\"}"), "surrogate"));
  CHECK(has(message_of("{\"question\": \"?"), "is no JSON"));
}

TEST_CASE("a file of questions may be compressed and must be there") {
  const TemporaryFolder folder;
  write_bytes(folder / "q.gz", gzip_bytes("{\"question\": \"?\"}\n"));
  write_bytes(folder / "q.zst", zstd_bytes("[{\"question\": \"?\"}]"));
  CHECK(read_questions(folder / "q.gz")->size() == 1);
  CHECK(read_questions(folder / "q.zst")->size() == 1);
  CHECK(read_questions(folder / "none").error().code == ErrorCode::kNotFound);
}

TEST_CASE("facts resolve by record id, by title and by title and text") {
  const Graph graph = facts_graph();
  const ResolvedFacts found = resolve(
      graph,
      {{"", "record 3", "", 0}, {"Boston", "", "Boston is a band. It is from Boston.", {}}, {"Boston", "", "", 0}});
  CHECK(found.missing.empty());
  CHECK(found.paragraphs == std::vector{ParagraphId{3}, ParagraphId{1}, ParagraphId{0}});
  CHECK(found.sentences == std::vector{SentenceId{4}, SentenceId{0}});
}

TEST_CASE("of paragraphs with one title the first that has the sentence is meant") {
  const ResolvedFacts found = resolve(facts_graph(), {{" Boston ", "", "", 1}, {"Boston", "", "", 1}});
  CHECK(found.sentences == std::vector{SentenceId{2}});
  CHECK(found.paragraphs == std::vector{ParagraphId{1}});
}

TEST_CASE("HTML entities in titles are decoded on either side") {
  const ResolvedFacts found = resolve(
      facts_graph(),
      {{"A & B", "", "", {}}, {"C &amp; D", "", "", {}}, {"A &#38; B", "", "", {}}, {"C &#x26; D", "", "", {}}});
  CHECK(found.missing.empty());
  CHECK(found.paragraphs == std::vector{ParagraphId{2}, ParagraphId{3}});
}

TEST_CASE("what is not in the graph is named") {
  const ResolvedFacts found =
      resolve(facts_graph(),
              {{"Berlin", "", "", 0}, {"Boston", "", "", 7}, {"Boston", "", "Other text.", {}}, {"", "p9", "", {}}});
  CHECK(found.sentences.empty());
  CHECK(found.paragraphs == std::vector{ParagraphId{0}});
  CHECK(found.missing == Texts{"no paragraph \"Berlin\"", "no sentence 7 in paragraph \"Boston\", which has 1",
                               "no paragraph \"Boston\" with this text", "no paragraph \"p9\""});
}

TEST_CASE("the sample questions are read whole") {
  const auto questions = read_questions(std::filesystem::path(HARNESSG_SOURCE_DIR) / "data/sample/questions.jsonl");
  REQUIRE(questions);
  CHECK(questions->size() == 30);
  for (const QuestionRecord& q : *questions) {
    CHECK_FALSE(q.answers.empty());
    CHECK(q.supporting_facts.size() >= 2);
  }
}

TEST_CASE("the shared question files are read whole") {
  struct Expected {
    const char* file;
    std::size_t questions;
    bool answers;
    bool facts;
  };
  for (const Expected& expected : {Expected{"2wikimultihopqa/2wiki_dev_subset.json.gz", 657, true, true},
                                   {"2wikimultihopqa/2wiki_hipporag1000_open.jsonl", 1000, true, true},
                                   {"2wikimultihopqa/2wiki_dev_open.jsonl", 396, true, true},
                                   {"2wikimultihopqa/2wiki_dev_4000_nocontext.jsonl.gz", 4000, true, true},
                                   {"hotpotqa/hotpot_dev_distractor_subset.json.gz", 493, true, true},
                                   {"hotpotqa/hotpot_dev_fullwiki_goldpresent.json", 196, true, true},
                                   {"hotpotqa/hotpot_dev_fullwiki_open.json", 37, true, true},
                                   {"hotpotqa/hotpot_dev_ircot_500.jsonl.gz", 500, true, true},
                                   {"musique/musique_ans_dev_subset.jsonl.gz", 292, true, true},
                                   {"musique/musique_ans_dev_open_derived.jsonl", 96, true, true},
                                   {"musique/musique_ans_train_subset.jsonl", 100, true, true},
                                   {"musique/musique_full_train_subset.jsonl", 20, false, false},
                                   {"musique/musique_ans_dev_2417_nocontext.jsonl", 2417, true, false},
                                   {"other/popqa_1000.json.gz", 1000, true, true},
                                   {"other/nq200_triviaqa200.jsonl", 400, true, false}}) {
    const auto file = shared_data(std::string("data/") + expected.file);
    if (!file) return;
    CAPTURE(expected.file);
    const auto questions = read_questions(*file);
    if (!questions) FAIL(questions.error().message);
    CHECK(questions->size() == expected.questions);
    std::size_t answered = 0;
    std::size_t supported = 0;
    for (const QuestionRecord& q : *questions) {
      answered += !q.answers.empty();
      supported += !q.supporting_facts.empty();
    }
    CHECK((answered == questions->size()) == expected.answers);
    CHECK((supported == questions->size()) == expected.facts);
  }
}

TEST_CASE("every fact of the shared HotpotQA and 2Wiki questions is found among their contexts") {
  for (const char* name :
       {"hotpotqa/hotpot_dev_distractor_subset.json.gz", "2wikimultihopqa/2wiki_dev_subset.json.gz"}) {
    const auto file = shared_data(std::string("data/") + name);
    if (!file) return;
    CAPTURE(name);
    auto reader = CorpusReader::open({*file}, {});
    REQUIRE(reader);
    std::vector<PlannedParagraph> paragraphs;
    while (const auto record = *(*reader)->next()) {
      PlannedParagraph& paragraph = paragraphs.emplace_back();
      paragraph.title = record->title;
      for (const std::string& sentence : record->sentences) paragraph.sentences.push_back({sentence, {}});
    }
    const Graph graph = graph_of(std::move(paragraphs));
    const FactResolver resolver(graph);
    const auto questions = read_questions(*file);
    REQUIRE(questions);
    std::size_t facts = 0;
    for (const QuestionRecord& q : *questions) {
      CAPTURE(q.id);
      const ResolvedFacts found = resolver.resolve(q);
      CHECK(found.missing.empty());
      CHECK(found.sentences.size() <= q.supporting_facts.size());
      facts += found.sentences.size();
    }
    CHECK(facts > 2 * questions->size());
  }
}

TEST_CASE("of MuSiQue-Full's shared questions nine are unanswerable") {
  const auto file = shared_data("data/musique/musique_full_train_subset.jsonl");
  if (!file) return;
  std::size_t unanswerable = 0;
  const auto questions = read_questions(*file);
  REQUIRE(questions);
  for (const QuestionRecord& q : *questions) unanswerable += !q.answerable;
  CHECK(unanswerable == 9);
}
