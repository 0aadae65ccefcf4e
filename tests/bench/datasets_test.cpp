#include "bench/datasets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/answer_index.h"
#include "credit/metrics/evaluation_files.h"
#include "data/corpus.h"
#include "tests/data/compressed.h"
#include "tests/data/planned_graph.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using namespace harnessg::bench;
using Texts = std::vector<std::string>;

namespace {

Result<std::vector<DatasetQuestion>> read(DatasetKind kind, const std::string& name, std::string_view bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / name, bytes);
  return read_dataset(kind, folder / name);
}

std::vector<DatasetQuestion> read_well(DatasetKind kind, const std::string& name, std::string_view bytes) {
  auto questions = read(kind, name, bytes);
  if (!questions) FAIL(questions.error().message);
  return std::move(*questions);
}

std::string message_of(DatasetKind kind, const std::string& name, std::string_view bytes) {
  const auto questions = read(kind, name, bytes);
  REQUIRE_FALSE(questions);
  CHECK(questions.error().code == ErrorCode::kBadInput);
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

Graph small_graph() {
  constexpr std::uint32_t kNone = index(kNoEntity);
  return graph_of({{"Boston", kNone, {{"Boston is a city.", {}}, {"It has the Charles River.", {}}}},
                   {"The Sea", kNone, {{"Water, and yes: more of it.", {}}}}});
}

DatasetQuestion asking(std::string id, std::vector<SupportingFact> facts, Texts answers = {"x"}) {
  DatasetQuestion question;
  question.record.id = std::move(id);
  question.record.question = "Who?";
  question.record.answers = std::move(answers);
  question.record.supporting_facts = std::move(facts);
  return question;
}

}  // namespace

TEST_CASE("2Wiki's questions carry titles, triples and the ids that aliases go by") {
  auto questions = read_well(DatasetKind::kTwoWiki, "dev.json",
                             R"([{"_id": "q", "type": "compositional", "question": "Who?", "answer": "Ann",
       "supporting_facts": [["T", 0], ["U", 1], ["T", 2]], "evidences": [["T", "author", "Ann"]],
       "evidences_id": [["Q1", "author", "Q2"]], "answer_id": "Q2"}])");
  REQUIRE(questions.size() == 1);
  const DatasetQuestion& question = questions.front();
  CHECK(question.record.type == "compositional");
  CHECK(question.titles == Texts{"T", "U"});
  CHECK(question.triples == std::vector<metrics::GoldTriple>{{{"T", "author", "Ann", ""}, "Q1", "Q2"}});
  add_answer_aliases({{"Q2", {"Ann", "Anne", " "}}, {"", {"nobody"}}}, questions);
  CHECK(question.record.answers == Texts{"Ann", "Anne"});
  const metrics::GoldRecord gold = gold_record(question);
  CHECK(gold.answer == "Ann");
  CHECK(gold.facts == std::vector<metrics::Fact>{{"T", 0, ""}, {"U", 1, ""}, {"T", 2, ""}});
  CHECK(gold.answer_id == "Q2");
}

TEST_CASE("triples whose ids are not theirs are an error with the place") {
  const std::string message = message_of(DatasetKind::kTwoWiki, "dev.jsonl",
                                         R"({"question": "Who?", "evidences": [["a", "r", "b"]], )"
                                         R"("evidences_id": [["Q1", "other", "Q2"]]})");
  CHECK(has(message, "dev.jsonl:1"));
  CHECK(has(message, "evidences_id"));
}

TEST_CASE("PopQA's published table is read with its quoted cells") {
  const auto questions = read_well(DatasetKind::kPopqa, "popQA.tsv",
                                   "id\tprop\ts_wiki_title\tquestion\tpossible_answers\r\n"
                                   "7\toccupation\tAnn Lee\t\"What is \"\"Ann\"\"'s\toccupation?\"\t"
                                   "\"[\"\"poet\"\", \"\"writer\"\"]\"\r\n"
                                   "8\tcapital\tPeru\tCapital?\t[\"Lima\"]");
  REQUIRE(questions.size() == 2);
  CHECK(questions[0].record.id == "7");
  CHECK(questions[0].record.type == "occupation");
  CHECK(questions[0].record.question == "What is \"Ann\"'s\toccupation?");
  CHECK(questions[0].record.answers == Texts{"poet", "writer"});
  CHECK(questions[0].titles == Texts{"Ann Lee"});
  CHECK(questions[1].record.answers == Texts{"Lima"});
}

TEST_CASE("a PopQA table that lacks a column or a cell is an error with the line") {
  CHECK(has(message_of(DatasetKind::kPopqa, "a.tsv", "id\tquestion\n"), "possible_answers"));
  CHECK(has(message_of(DatasetKind::kPopqa, "a.tsv", "question\tpossible_answers\nx\t[\"y\"]\nz\n"), "a.tsv:3"));
}

TEST_CASE("TriviaQA's published file is read with all its answers") {
  const std::string text = R"({
    "Data": [{"Answer": {"Value": "Ann", "Aliases": ["Ann", "Anne"], "NormalizedAliases": ["ann"],
                         "MatchedWikiEntityName": "Ann"}, "EntityPages": [{"Title": "x"}],
              "Question": "Who?", "QuestionId": "tc_1"},
             {"Question": "What?", "QuestionId": "tc_2"}],
    "Domain": "Web", "Version": 1.0})";
  const TemporaryFolder folder;
  write_bytes(folder / "web-dev.json.gz", gzip_bytes(text));
  const auto questions = read_dataset(DatasetKind::kTriviaqa, folder / "web-dev.json.gz");
  REQUIRE(questions);
  REQUIRE(questions->size() == 2);
  CHECK(questions->front().record.id == "tc_1");
  CHECK(questions->front().record.answers == Texts{"Ann", "Anne", "ann"});
  CHECK(questions->back().record.answers.empty());
  CHECK(has(message_of(DatasetKind::kTriviaqa, "web.json", R"({"Data": [{"QuestionId": "tc_1"}]})"), "web.json:1"));
  CHECK(has(message_of(DatasetKind::kTriviaqa, "web.json", text.substr(0, 300)), "record"));
}

TEST_CASE("of a file with several sets only the wanted one's questions are read") {
  const std::string lines =
      "{\"dataset\": \"nq_open\", \"question\": \"a?\", \"answer\": [\"x\", \"y\"]}\n"
      "{\"dataset\": \"triviaqa\", \"question\": \"b?\", \"answers\": [\"z\"]}\n";
  const auto nq = read_well(DatasetKind::kNq, "both.jsonl", lines);
  REQUIRE(nq.size() == 1);
  CHECK(nq.front().record.answers == Texts{"x", "y"});
  CHECK(read_well(DatasetKind::kTriviaqa, "both.jsonl", lines).front().record.question == "b?");
  CHECK(read_well(DatasetKind::kJsonLines, "both.jsonl", lines).size() == 2);
  CHECK(has(message_of(DatasetKind::kPopqa, "both.jsonl", lines), "popqa"));
}

TEST_CASE("data sets go by the names of the command line") {
  for (const auto kind : {DatasetKind::kTwoWiki, DatasetKind::kJsonLines})
    CHECK(dataset_from_name(dataset_name(kind)) == kind);
  CHECK_FALSE(dataset_from_name("squad"));
}

TEST_CASE("a question is left out for the first thing that its gold lacks") {
  const Graph graph = small_graph();
  std::vector<DatasetQuestion> questions = {
      asking("fine", {{"Boston", "", "", 1}}),
      asking("title", {{"Boston", "", "", 0}, {"Paris", "", "", 0}}),
      asking("text", {{"Boston", "", "Boston is a band.", {}}}),
      asking("sentence", {{"Boston", "", "", 2}}),
      asking("answer", {}, {"Paris", "France"}),
      asking("found", {}, {"Paris", "charles river"}),
      asking("nothing", {}, {}),
      asking("unanswerable", {{"Boston", "", "", 0}}),
  };
  questions.back().record.answerable = false;
  const ResolvedDataset dataset = resolve_dataset(graph, questions);
  REQUIRE(dataset.questions.size() == 2);
  CHECK(dataset.questions[0].facts.sentences == std::vector<SentenceId>{SentenceId{1}});
  CHECK(dataset.questions[1].question == 5);
  std::vector<std::pair<std::string, GoldGap>> gaps;
  for (const LeftOut& one : dataset.left_out) gaps.emplace_back(one.id, one.gap);
  CHECK(gaps == std::vector<std::pair<std::string, GoldGap>>{{"title", GoldGap::kNoParagraph},
                                                             {"text", GoldGap::kOtherText},
                                                             {"sentence", GoldGap::kNoSentence},
                                                             {"answer", GoldGap::kNoAnswer},
                                                             {"nothing", GoldGap::kNotGiven},
                                                             {"unanswerable", GoldGap::kUnanswerable}});
  CHECK(has(dataset.left_out[0].what, "Paris"));
  CHECK(count_gaps(dataset).size() == 6);
  const std::string text = describe(dataset);
  CHECK(has(text, "8 questions, 2 with their gold in the corpus"));
  CHECK(has(text, "1 sentence not in paragraph: sentence ("));
}

TEST_CASE("at the level of paragraphs no sentence is asked for") {
  const Graph graph = small_graph();
  const std::vector<DatasetQuestion> questions = {asking("q", {{"Boston", "", "", 2}})};
  const ResolvedDataset dataset = resolve_dataset(graph, questions, FactLevel::kParagraph);
  REQUIRE(dataset.questions.size() == 1);
  CHECK(dataset.questions[0].facts.sentences.empty());
  CHECK(dataset.questions[0].facts.paragraphs == std::vector<ParagraphId>{ParagraphId{0}});
}

TEST_CASE("a paragraph holds an answer whose words stand in its title or text one after another") {
  const Graph graph = small_graph();
  const AnswerIndex answers(graph);
  const auto holding = [&answers](Texts given) { return answers.paragraphs_with(given); };
  CHECK(holding({"the Charles River!"}) == std::vector<ParagraphId>{ParagraphId{0}});
  CHECK(holding({"sea"}) == std::vector<ParagraphId>{ParagraphId{1}});
  CHECK(holding({"Boston", "Water"}) == std::vector<ParagraphId>{ParagraphId{0}, ParagraphId{1}});
  CHECK(holding({"river charles"}).empty());
  CHECK(holding({"sea water"}).empty());  // the end of the title and the beginning of the text
  CHECK(holding({"yes"}).empty());
  CHECK(holding({"the"}).empty());
  const Texts city = {"city"};
  CHECK(answers.holds(ParagraphId{0}, city));
  CHECK_FALSE(answers.holds(ParagraphId{1}, city));
}

namespace {

// A shared corpus as a graph without entities; a record without sentences is one sentence.
std::optional<Graph> shared_corpus(const std::string& set) {
  const auto file = shared_data("data/" + set + "/corpus.jsonl.gz");
  if (!file) return std::nullopt;
  auto reader = CorpusReader::open({*file}, {});
  REQUIRE(reader);
  std::vector<PlannedParagraph> paragraphs;
  while (const auto record = *(*reader)->next()) {
    PlannedParagraph& paragraph = paragraphs.emplace_back();
    paragraph.title = record->title;
    for (const std::string& sentence : record->sentences) paragraph.sentences.push_back({sentence, {}});
    if (record->sentences.empty()) paragraph.sentences.push_back({record->text, {}});
  }
  return graph_of(std::move(paragraphs));
}

struct SharedSet {
  DatasetKind kind;
  std::string file;
  FactLevel level;
  std::size_t questions;
  std::size_t with_gold;
};

void check_shared_sets(const std::string& corpus, const std::vector<SharedSet>& sets) {
  const auto graph = shared_corpus(corpus);
  if (!graph) return;
  for (const SharedSet& set : sets) {
    CAPTURE(set.file);
    const auto questions = read_dataset(set.kind, *shared_data("data/" + set.file));
    if (!questions) FAIL(questions.error().message);
    const ResolvedDataset dataset = resolve_dataset(*graph, *questions, set.level);
    MESSAGE(set.file << ": " << describe(dataset, 1));
    CHECK(questions->size() == set.questions);
    CHECK(dataset.questions.size() == set.with_gold);
    CHECK(dataset.questions.size() + dataset.left_out.size() == questions->size());
  }
}

}  // namespace

TEST_CASE("the gold of the shared 2Wiki questions is in their corpus, and little of other sets' is") {
  check_shared_sets(
      "2wikimultihopqa",
      {{DatasetKind::kTwoWiki, "2wikimultihopqa/2wiki_dev_subset.json.gz", FactLevel::kAsGiven, 657, 657},
       {DatasetKind::kTwoWiki, "2wikimultihopqa/2wiki_hipporag1000_open.jsonl", FactLevel::kParagraph, 1000, 1000},
       {DatasetKind::kTwoWiki, "2wikimultihopqa/2wiki_dev_open.jsonl", FactLevel::kParagraph, 396, 396},
       {DatasetKind::kTwoWiki, "2wikimultihopqa/2wiki_dev_4000_nocontext.jsonl.gz", FactLevel::kParagraph, 4000, 601},
       {DatasetKind::kNq, "other/nq200_triviaqa200.jsonl", FactLevel::kAsGiven, 200, 75},
       {DatasetKind::kTriviaqa, "other/nq200_triviaqa200.jsonl", FactLevel::kAsGiven, 200, 103},
       {DatasetKind::kPopqa, "other/popqa_1000.json.gz", FactLevel::kAsGiven, 1000, 0}});
}

TEST_CASE("the gold of the shared HotpotQA questions is in their corpus") {
  check_shared_sets(
      "hotpotqa",
      {{DatasetKind::kHotpot, "hotpotqa/hotpot_dev_distractor_subset.json.gz", FactLevel::kAsGiven, 493, 493},
       {DatasetKind::kHotpot, "hotpotqa/hotpot_dev_fullwiki_goldpresent.json", FactLevel::kAsGiven, 196, 196},
       {DatasetKind::kHotpot, "hotpotqa/hotpot_dev_fullwiki_open.json", FactLevel::kAsGiven, 37, 37},
       {DatasetKind::kHotpot, "hotpotqa/hotpot_dev_ircot_500.jsonl.gz", FactLevel::kAsGiven, 500, 500}});
}

TEST_CASE("the gold of the shared MuSiQue questions is in their corpus, unanswerable ones aside") {
  check_shared_sets("musique",
                    {{DatasetKind::kMusique, "musique/musique_ans_dev_subset.jsonl.gz", FactLevel::kAsGiven, 292, 292},
                     {DatasetKind::kMusique, "musique/musique_ans_train_subset.jsonl", FactLevel::kAsGiven, 100, 100},
                     {DatasetKind::kMusique, "musique/musique_ans_dev_open_derived.jsonl", FactLevel::kAsGiven, 96, 96},
                     {DatasetKind::kMusique, "musique/musique_full_train_subset.jsonl", FactLevel::kAsGiven, 20, 11}});
}
