#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "credit/metrics/answer_match.h"
#include "credit/metrics/evaluation_files.h"
#include "credit/metrics/evidence.h"
#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "credit/metrics/open_domain.h"
#include "credit/metrics/trace_prediction.h"
#include "tests/data/compressed.h"
#include "tests/data/planned_graph.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using namespace harnessg::metrics;
using doctest::Approx;
using Texts = std::vector<std::string>;

namespace {

GoldRecord gold(std::string id, std::string answer, std::vector<Fact> facts) {
  return {std::move(id), std::move(answer), std::move(facts), "", {}};
}

GoldTriple triple(const std::string& subject, const std::string& relation, const std::string& object,
                  const std::string& object_id = "") {
  return {{subject, relation, object, ""}, "", object_id};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("answers are lowered, lose punctuation and articles and are joined, in this order") {
  CHECK(normalise_answer("The  Quick-Brown, a fox!") == "quickbrown fox");
  CHECK(normalise_answer("A. A. Milne") == "milne");
  CHECK(normalise_answer("The The") == "");
  CHECK(normalise_answer("Athens") == "athens");
  CHECK(normalise_answer("x_y") == "xy");
}

TEST_CASE("TriviaQA's normalisation puts blanks in the place of punctuation") {
  CHECK(normalise_answer("x_y-z", AnswerRules::kTriviaQa) == "x y z");
  CHECK(normalise_answer("U.S.A.", AnswerRules::kTriviaQa) == "u s");
  CHECK(normalise_answer("x\u2019s", AnswerRules::kTriviaQa) == "x s");
}

TEST_CASE("words end as each script's regular expressions say") {
  CHECK(normalise_answer("a\u00B2") == "a\u00B2");
  CHECK(normalise_answer("a\u00B2", AnswerRules::kDpr) == "\u00B2");
  CHECK(normalise_answer("a\u0301") == "\u0301");
  CHECK(normalise_answer("a\u0301", AnswerRules::kDpr) == "a\u0301");
}

TEST_CASE("lower case is full, without locale, and knows the final sigma") {
  CHECK(lower_case("\u0130") == "i\u0307");
  CHECK(lower_case("\u039F\u0394\u039F\u03A3") == "\u03BF\u03B4\u03BF\u03C2");
  CHECK(lower_case("STRASSE") == "strasse");
}

TEST_CASE("bytes that are no UTF-8 stay and end a word") {
  CHECK(normalise_answer("a\xFF"
                         "b") ==
        "\xFF"
        "b");
}

TEST_CASE("F1 counts words as often as they stand there") {
  // given: x x y; gold: x y y z. Shared x, y: P 2/3, R 2/4, F1 4/7.
  const PartScore score = hotpot_answer("x x y", "x y y z");
  CHECK(score.em == 0);
  CHECK(score.precision == Approx(2.0 / 3));
  CHECK(score.recall == Approx(0.5));
  CHECK(score.f1 == Approx(4.0 / 7));
}

TEST_CASE("yes and no earn nothing but by equality, except with MuSiQue") {
  const Texts yes_please = {"yes please"};
  CHECK(hotpot_answer("yes", "yes please") == PartScore{});
  CHECK(hotpot_answer("the yes", "Yes.") == PartScore{1, 1, 1, 1});
  CHECK(musique_answer("yes", yes_please).f1 == Approx(2.0 / 3));
}

TEST_CASE("2Wiki's four figures may come from different aliases") {
  // Against "x": P 1/2, R 1, F1 2/3. Against "x y z w": P 1, R 1/2, F1 2/3.
  const Texts golds = {"x", "x y z w"};
  const PartScore score = two_wiki_answer("x y", golds);
  CHECK(score.precision == 1);
  CHECK(score.recall == 1);
  CHECK(score.f1 == Approx(2.0 / 3));
  const PartScore best = best_hotpot_answer("x y", golds);
  CHECK(best.precision == Approx(0.5));
  CHECK(best.recall == 1);
}

TEST_CASE("two answers without words are equal, and whether that is an F1 depends on the script") {
  const Texts the = {"the"};
  CHECK(hotpot_answer("", "the") == PartScore{1, 0, 0, 0});
  CHECK(musique_answer("", the) == AnswerScore{1, 1});
  CHECK(triviaqa_answer("", the) == AnswerScore{1, 0});
  CHECK(squad_answer("", the) == AnswerScore{1, 1});
  const Texts the_or_x = {"the", "x"};
  CHECK(squad_answer("", the_or_x) == AnswerScore{0, 0});
}

TEST_CASE("without gold answers every figure is 0, and SQuAD wants no answer") {
  const Texts none;
  CHECK(best_hotpot_answer("x", none) == PartScore{});
  CHECK(two_wiki_answer("", none) == PartScore{});
  CHECK(musique_answer("", none) == AnswerScore{});
  CHECK(triviaqa_answer("", none) == AnswerScore{});
  CHECK_FALSE(dpr_em("", none));
  CHECK_FALSE(cover_em("", none));
  CHECK(squad_answer("", none) == AnswerScore{1, 1});
  CHECK(squad_answer("x", none) == AnswerScore{});
}

TEST_CASE("cover EM wants all words of a gold answer one after another, and whole ones") {
  const Texts paris_france = {"Paris, France"};
  const Texts no = {"no"};
  const Texts the = {"the"};
  CHECK(cover_em("It is Paris, in the south: paris france.", paris_france));
  CHECK_FALSE(cover_em("Paris in France", paris_france));
  CHECK_FALSE(cover_em("I know", no));
  CHECK_FALSE(cover_em("x", the));
  CHECK(cover_em("a", the));
}

TEST_CASE("HotpotQA's facts are sets and their titles compare byte for byte") {
  const std::vector<Fact> wanted = {{"A", 0, ""}, {"B", 1, ""}};
  const std::vector<Fact> given = {{"A", 0, ""}, {"A", 0, ""}, {"b", 1, ""}};
  CHECK(hotpot_facts(given, wanted) == PartScore{0, 0.5, 0.5, 0.5});
  CHECK(two_wiki_facts(given, wanted) == PartScore{1, 1, 1, 1});
  CHECK(hotpot_facts({}, {}) == PartScore{1, 0, 0, 0});
}

TEST_CASE("two spellings of one fact count once, and twice only as published") {
  const std::vector<Fact> wanted = {{"Title", 0, ""}};
  const std::vector<Fact> given = {{"Title", 0, ""}, {"title", 0, ""}, {"x", 1, ""}};
  CHECK(two_wiki_facts(given, wanted).precision == Approx(0.5));
  CHECK(two_wiki_facts(given, wanted, Counting::kAsPublished).precision == Approx(2.0 / 3));
}

TEST_CASE("a gold triple is found once, whatever it is called") {
  const Aliases aliases = {{"Q2", {"B One", "b2"}}};
  const std::vector<GoldTriple> wanted = {triple("a", "r", "b", "Q2"), triple("c", "r", "d")};
  const std::vector<Triple> given = {{"A", "R", "b.", ""}, {"a", "r", "b one", ""}, {"a", "r", "B2", ""}};
  CHECK(triples_v1_1(given, wanted, aliases) == PartScore{0, 2 * 1 * 0.5 / (1 + 0.5), 1, 0.5});
  const PartScore published = triples_v1_1(given, wanted, aliases, Counting::kAsPublished);
  CHECK(published.recall == Approx(1.5));
  CHECK(published.precision == 1);
  CHECK(triples_v1_0(given, wanted).recall == Approx(0.5));
}

TEST_CASE("a triple that fits two gold ones finds the one that no other finds") {
  // Both gold objects go by "b"; "x" is a name of the first alone. However the two are given, both are found.
  const Aliases aliases = {{"Q1", {"b", "x"}}, {"Q2", {"b"}}};
  const std::vector<GoldTriple> wanted = {triple("a", "r", "b1", "Q1"), triple("a", "r", "b2", "Q2")};
  const std::vector<Triple> given = {{"a", "r", "b", ""}, {"a", "r", "x", ""}};
  CHECK(triples_v1_1(given, wanted, aliases) == PartScore{1, 1, 1, 1});
  CHECK(triples_v1_1(std::vector<Triple>{given[0]}, wanted, aliases).recall == Approx(0.5));
}

TEST_CASE("a triple named twice in the gold is one triple") {
  const std::vector<GoldTriple> wanted = {triple("a", "r", "b"), triple("a", "r", "b")};
  const std::vector<Triple> given = {{"a", "r", "b", ""}};
  CHECK(triples_v1_1(given, wanted, {}) == PartScore{1, 1, 1, 1});
  CHECK(triples_v1_1(given, wanted, {}, Counting::kAsPublished).recall == Approx(0.5));
}

TEST_CASE("joint figures are products, F1 of the products, and means over questions") {
  // q1: answer P 1/2 R 1, facts P 1 R 1/2: joint P 1/2, R 1/2, F1 1/2. q2: all right. Mean joint F1 3/4.
  const std::vector<GoldRecord> questions = {gold("q1", "x", {{"A", 0, ""}, {"B", 0, ""}}),
                                             gold("q2", "y", {{"A", 0, ""}})};
  Predictions given;
  given["q1"] = {"x z", std::vector<Fact>{{"A", 0, ""}}, {}};
  given["q2"] = {"y", std::vector<Fact>{{"A", 0, ""}}, {}};
  given["not asked"] = {"y", std::vector<Fact>{}, {}};
  const auto score = hotpot_file_score(questions, given);
  REQUIRE(score);
  CHECK(score->mean.joint.f1 == Approx(0.75));
  CHECK(score->mean.joint.em == Approx(0.5));
  CHECK(score->missing.empty());
}

TEST_CASE("a missing answer costs the answer and the joint figures and is named") {
  const std::vector<GoldRecord> questions = {gold("q1", "x", {{"A", 0, ""}}), gold("q2", "y", {{"A", 0, ""}})};
  Predictions given;
  given["q1"] = {std::nullopt, std::vector<Fact>{{"A", 0, ""}}, {}};
  given["q2"] = {"y", std::nullopt, {}};
  const auto score = hotpot_file_score(questions, given);
  REQUIRE(score);
  CHECK(score->mean.answer.f1 == Approx(0.5));
  CHECK(score->mean.facts.f1 == Approx(0.5));
  CHECK(score->mean.joint == PartScore{});
  CHECK(score->missing == std::vector<MissingPart>{{"q1", "answer"}, {"q2", "sp"}});
}

TEST_CASE("nothing to average over and an id that stands twice are errors") {
  CHECK_FALSE(hotpot_file_score({}, {}));
  const std::vector<GoldRecord> twice = {gold("q", "x", {}), gold("q", "y", {})};
  const auto score = hotpot_file_score(twice, {});
  REQUIRE_FALSE(score);
  CHECK(has(score.error().message, "\"q\""));
}

TEST_CASE("MuSiQue's groups count only where both lines were told apart") {
  const std::vector<MusiqueGold> lines = {
      {"a", {"x"}, true, {1, 2}}, {"a", {"x"}, false, {1}}, {"b", {"y"}, false, {}}, {"b", {"y"}, true, {3}}};
  std::vector<MusiquePrediction> given = {{"a", "x z", Support{{1}, {}}, true},
                                          {"a", std::nullopt, std::nullopt, false},
                                          {"b", std::nullopt, std::nullopt, true},
                                          {"b", "y", Support{{3}, {}}, true}};
  auto score = musique_file_score(lines, given);
  REQUIRE(score);
  CHECK(score->answerable == 2);
  CHECK(score->answer.f1 == Approx((2.0 / 3 + 1) / 2));
  CHECK(score->support.f1 == Approx((2.0 / 3 + 1) / 2));
  REQUIRE(score->sufficiency);
  CHECK(score->sufficiency->answer_f1 == Approx(2.0 / 3 / 2));
  given[2].answerable = false;
  score = musique_file_score(lines, given);
  CHECK(score->sufficiency->support_f1 == Approx((2.0 / 3 + 1) / 2));
}

TEST_CASE("SQuAD counts a missing prediction 0 and names it") {
  const std::vector<GoldAnswers> questions = {{"1", {"x"}}, {"2", {}}, {"3", {}}};
  const auto score = squad_file_score(questions, {{"1", "x"}, {"2", ""}});
  REQUIRE(score);
  CHECK(score->all.mean.em == Approx(2.0 / 3));
  CHECK(score->without_answer.mean.em == Approx(0.5));
  CHECK(score->missing == Texts{"3"});
  CHECK_FALSE(squad_file_score(questions, {}, NoAnswer{{{"1", 0.5}}, 1}));
}

TEST_CASE("predictions are read from an official file, and what is wrong in it is named") {
  const TemporaryFolder folder;
  write_bytes(folder / "given.json", R"({"answer": {"q": "x"}, "sp": {"q": [["A", 0], ["A", "0"], ["B", 1.0]]}})");
  const auto given = read_predictions(folder / "given.json", PredictionParts::kAnswerAndFacts);
  REQUIRE(given);
  CHECK(given->at("q").answer == "x");
  CHECK(given->at("q").facts == std::vector<Fact>{{"A", 0, ""}, {"", 0, R"(["A","0"])"}, {"B", 1, ""}});
  const auto without = read_predictions(folder / "given.json", PredictionParts::kAnswerFactsAndTriples);
  REQUIRE_FALSE(without);
  CHECK(has(without.error().message, "evidence"));
  write_bytes(folder / "null.json", R"({"answer": {"q7": null}, "sp": {}})");
  const auto null = read_predictions(folder / "null.json", PredictionParts::kAnswerAndFacts);
  REQUIRE_FALSE(null);
  CHECK(null.error().code == ErrorCode::kBadInput);
  CHECK(has(null.error().message, "\"q7\""));
  write_bytes(folder / "cut.json", R"({"answer": {"q7": )");
  CHECK_FALSE(read_predictions(folder / "cut.json", PredictionParts::kAnswerAndFacts));
}

TEST_CASE("aliases are read with their demonyms, and gold records with their ids") {
  const TemporaryFolder folder;
  write_bytes(folder / "aliases.json", "{\"Q_id\": \"Q1\", \"aliases\": [\"x\"], \"demonyms\": [\"y\"]}\n");
  const auto aliases = read_aliases(folder / "aliases.json");
  REQUIRE(aliases);
  CHECK(aliases->at("Q1") == Texts{"x", "y"});
  write_bytes(folder / "gold.json",
              R"([{"_id": "q", "answer": "z", "answer_id": "Q1", "supporting_facts": [["A", 0]],
                   "evidences": [["a", "r", "z"]], "evidences_id": [["Q5", "r", "Q1"]]}])");
  const auto records = read_gold_records(folder / "gold.json");
  REQUIRE(records);
  CHECK(records->front().triples.front().object_id == "Q1");
  Predictions given;
  given["q"] = {"Y", std::vector<Fact>{{"a", 0, ""}}, std::vector<Triple>{{"a", "r", "x", ""}}};
  const auto score = two_wiki_file_score(*records, given, *aliases);
  REQUIRE(score);
  CHECK(score->mean.joint == PartScore{1, 1, 1, 1});
  const auto names_only = two_wiki_file_score(*records, given, *aliases, {TwoWikiVersion::kV1_0});
  CHECK(names_only->mean.joint == PartScore{});
}

TEST_CASE("evidence recall counts gold sentences and gold paragraphs, each once") {
  GraphPlan plan;
  plan.paragraphs = {{"A", index(kNoEntity), {{"one", {}}, {"two", {}}}}, {"B", index(kNoEntity), {{"three", {}}}}};
  const auto graph = Graph::create(planned_tables(plan));
  REQUIRE(graph);
  const ResolvedFacts facts{{SentenceId{0}, SentenceId{2}}, {ParagraphId{0}, ParagraphId{1}}, {}};
  const std::vector<SentenceId> seen = {SentenceId{1}, SentenceId{2}, SentenceId{2}};
  const std::vector<SentenceId> selected = {SentenceId{1}};
  const EvidenceRecall recall = evidence_recall(*graph, facts, seen, selected);
  CHECK(recall.seen_sentences == Recall{1, 2});
  CHECK(recall.selected_sentences == Recall{0, 2});
  CHECK(recall.seen_paragraphs.all());
  CHECK(recall.selected_paragraphs.value() == Approx(0.5));
  const EvidenceRecall paragraphs_only = evidence_recall(*graph, {{}, {ParagraphId{1}}, {}}, seen, selected);
  CHECK_FALSE(paragraphs_only.seen_sentences);
  CHECK(Recall{}.value() == 0);
  CHECK_FALSE(Recall{}.all());
}

TEST_CASE("an episode's prediction is its answer and its selected sentences") {
  Trace trace;
  trace.answer = "x";
  trace.selected = {SentenceId{4}};
  trace.sentences[4] = {"p1", "Title", 2, "Text."};
  const auto given = prediction_of(trace);
  REQUIRE(given);
  CHECK(hotpot_score(gold("q", "x", {{"Title", 2, ""}}), *given).joint == PartScore{1, 1, 1, 1});
  trace.sentences.clear();
  CHECK_FALSE(prediction_of(trace));
}
