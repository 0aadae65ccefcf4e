// What the scripts of MuSiQue, SQuAD, TriviaQA and DPR returned when they were run, and the older vectors that were
// written by hand and checked against the scripts.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "credit/metrics/answer_match.h"
#include "credit/metrics/evaluation_json.h"
#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "credit/metrics/open_domain.h"
#include "credit/metrics/supporting_facts.h"
#include "tests/conformance/recorded_metrics.h"

using namespace harnessg;
using namespace harnessg::metrics;
using namespace harnessg::conformance;
using harnessg::Json;

namespace {

std::vector<std::string> strings(const Json& list) { return list.get<std::vector<std::string>>(); }

// One line of MuSiQue's gold file and one of predictions, in its own form.
struct MusiqueLine {
  Json gold;
  Json given;
};

MusiqueLine musique_line(const Json& row, const std::string& id) {
  MusiqueLine line;
  line.gold = {{"id", id},
               {"answer", row["gold"]},
               {"answer_aliases", row["aliases"]},
               {"answerable", row["answerable"]},
               {"paragraphs", Json::array()}};
  for (const Json& number : row["gold_sp"])
    line.gold["paragraphs"].push_back({{"idx", number}, {"is_supporting", true}});
  line.gold["paragraphs"].push_back({{"idx", 99}, {"is_supporting", false}});
  line.given = {{"id", id}};
  for (const auto& [key, from] : {std::pair{"predicted_answer", "pred"},
                                  {"predicted_support_idxs", "pred_sp"},
                                  {"predicted_answerable", "pred_answerable"}}) {
    if (row.contains(from)) line.given[key] = row[from];
  }
  return line;
}

std::vector<MusiqueLine> musique_lines(const Json& row) {
  const std::string id = row["n"].dump();
  if (!row.contains("instances")) return {musique_line(row, id)};
  std::vector<MusiqueLine> lines;
  for (const Json& instance : row["instances"]) lines.push_back(musique_line(instance, id));
  return lines;
}

std::vector<MusiqueLine> musique_lines(const Rows& rows) {
  std::vector<MusiqueLine> lines;
  for (const Json& row : rows) {
    for (MusiqueLine& line : musique_lines(row)) lines.push_back(std::move(line));
  }
  return lines;
}

Result<MusiqueFileScore> musique_score(const std::vector<MusiqueLine>& lines) {
  std::vector<MusiqueGold> gold;
  std::vector<MusiquePrediction> given;
  for (const MusiqueLine& line : lines) {
    HARNESSG_ASSIGN(MusiqueGold one, musique_gold_of(line.gold, {"gold", 1}));
    HARNESSG_ASSIGN(MusiquePrediction prediction, musique_prediction_of(line.given, {"given", 1}));
    gold.push_back(std::move(one));
    given.push_back(std::move(prediction));
  }
  return musique_file_score(gold, given);
}

bool equal(const MusiqueFileScore& score, const Json& out) {
  const bool groups = out.contains("group_answer_sufficiency_f1");
  if (groups != score.sufficiency.has_value()) return false;
  return near(score.answer.em, out["answer_em"]) && near(score.answer.f1, out["answer_f1"]) &&
         near(score.support.f1, out["support_f1"]) &&
         (!out.contains("support_em") || near(score.support.em, out["support_em"])) &&
         (!groups || (near(score.sufficiency->answer_f1, out["group_answer_sufficiency_f1"]) &&
                      near(score.sufficiency->support_f1, out["group_support_sufficiency_f1"])));
}

bool is_single(const Json& row) { return row["mode"] == "ans"; }
bool is_plain_pair(const Json& row) { return !is_single(row) && !row.contains("note") && !row.contains("error"); }

// The lines of an aggregate that is described in words.
std::vector<MusiqueLine> described_lines(const Json& aggregate, const Rows& rows) {
  Rows pairs;
  Rows singles;
  for (const Json& row : rows) {
    if (!is_case(row)) continue;
    if (is_plain_pair(row)) pairs.push_back(row);
    if (is_single(row) && !row.contains("error")) singles.push_back(row);
  }
  const std::string name = aggregate["aggregate"];
  std::vector<MusiqueLine> lines;
  if (name == "all_ans") return musique_lines(singles);
  if (name == "pairs_and_single") return musique_lines(Rows{pairs[0], pairs[1], pairs[2], singles[0]});
  if (name == "same_id_twice_answerable") return musique_lines(Rows{singles[0], singles[0]});
  lines = musique_lines(name == "line_missing" ? Rows{pairs[0], pairs[1]} : pairs);
  if (name == "all_pairs_apart")
    std::stable_partition(lines.begin(), lines.end(), [at = 0](const auto&) mutable { return at++ % 2 == 0; });
  if (name == "three_lines_of_one_id") lines = {lines[0], lines[1], lines[0]};
  if (name == "one_unanswerable_alone") lines = {lines[lines[0].gold["answerable"] == false ? 0 : 1]};
  return name == "empty_files" ? std::vector<MusiqueLine>{} : lines;
}

bool is_deviation_of_support(const Json& row) { return row.contains("deviates"); }

}  // namespace

TEST_CASE("MuSiQue's script is ours on every recorded line and pair") {
  std::size_t compared = 0;
  for (const Json& row : recorded_rows("official/official-musique.jsonl")) {
    if (!is_case(row)) continue;
    CAPTURE(row["n"].dump());
    ++compared;
    const auto score = musique_score(musique_lines(row));
    if (is_deviation_of_support(row)) {
      REQUIRE(score);
      CHECK(score->support.em == 0);  // 1.7 names no paragraph, nor does "12" in the place of a list
      CHECK(near(score->support.f1, row["pred_sp"].is_string() ? 0 : 0.5));
    } else if (row.contains("error")) {
      const bool scored = row["note"] == "not a number" || row["note"] == "null index";
      REQUIRE(score.has_value() == scored);
      if (score) CHECK(score->support == AnswerScore{});
    } else {
      REQUIRE(score);
      CHECK(equal(*score, row["out"]));
    }
  }
  MESSAGE(compared << " rows");
}

TEST_CASE("MuSiQue's figures of whole files are ours") {
  const Rows rows = recorded_rows("official/official-musique.jsonl");
  for (const Json& aggregate : rows) {
    if (!is_aggregate(aggregate)) continue;
    CAPTURE(aggregate["aggregate"].dump());
    const auto lines = aggregate["cases"].is_array() ? musique_lines(cases_of(aggregate, rows, is_single))
                                                     : described_lines(aggregate, rows);
    REQUIRE(lines.size() == aggregate["count"]);
    auto score = musique_score(lines);
    if (aggregate["aggregate"] == "line_missing") {
      std::vector<MusiqueGold> gold;
      for (const MusiqueLine& line : lines) gold.push_back(*musique_gold_of(line.gold, {"gold", 1}));
      score = musique_file_score(gold, std::vector<MusiquePrediction>(3));
    }
    REQUIRE(score.has_value() == aggregate.contains("out"));
    if (!score) continue;
    if (aggregate["aggregate"] != "all_ans") {
      CHECK(equal(*score, aggregate["out"]));
      continue;
    }
    // Two of these lines deviate: their support counts 0.5 and 0 here, 1 and 1 in the script.
    const double count = aggregate["count"];
    CHECK(near(score->answer.f1, aggregate["out"]["answer_f1"]));
    CHECK(near(score->answer.em, aggregate["out"]["answer_em"]));
    CHECK(near(score->support.f1 + 1.5 / count, aggregate["out"]["support_f1"]));
  }
}

TEST_CASE("SQuAD's, TriviaQA's and DPR's scripts are ours on every recorded answer") {
  std::size_t compared = 0;
  for (const Json& row : recorded_rows("official/official-squad-triviaqa.jsonl")) {
    if (!is_case(row) || !row["pred"].is_string()) continue;
    CAPTURE(row["n"].dump());
    ++compared;
    const std::string given = row["pred"];
    const std::vector<std::string> golds = strings(row["golds"]);
    CHECK(normalise_answer(given) == row["squad2_norm"]);
    CHECK(normalise_answer(given, AnswerRules::kTriviaQa) == row["triviaqa_norm"]);
    const AnswerScore squad = squad_answer(given, golds);
    CHECK(near(squad.em, row["squad2"]["exact"].get<double>() / 100));
    CHECK(near(squad.f1, row["squad2"]["f1"].get<double>() / 100));
    const AnswerScore trivia = triviaqa_answer(given, golds);
    if (golds.empty()) {
      CHECK(trivia == AnswerScore{});
      CHECK_FALSE(dpr_em(given, golds));
      continue;
    }
    CHECK(near(trivia.em, row["triviaqa"]["exact_match"].get<double>() / 100));
    CHECK(near(trivia.f1, row["triviaqa"]["f1"].get<double>() / 100));
    CHECK(dpr_em(given, golds) == row["dpr_em"]);
    if (squad.em > 0) CHECK(cover_em(given, golds));
  }
  MESSAGE(compared << " rows");
}

namespace {

struct AnswerFile {
  std::vector<GoldAnswers> gold;
  GivenAnswers given;
};

AnswerFile answer_file(const Json& aggregate, const Rows& rows, const std::string& script) {
  AnswerFile file;
  for (const Json& row : cases_of(aggregate, rows, [&script](const Json& one) { return one[script].is_object(); })) {
    file.gold.push_back({row["n"].dump(), strings(row["golds"])});
    file.given[row["n"].dump()] = row["pred"];
  }
  if (aggregate.contains("without_prediction")) {
    for (const Json& n : aggregate["without_prediction"]) file.given.erase(n.dump());
  }
  return file;
}

bool equal(const MeanScore& score, const Json& out, const std::string& prefix) {
  return near(score.mean.em, out[prefix + "exact"].get<double>() / 100) &&
         near(score.mean.f1, out[prefix + "f1"].get<double>() / 100) && score.questions == out[prefix + "total"];
}

bool equal(const std::optional<BestThreshold>& best, const Json& out, const std::string& name) {
  return best && near(best->score, out["best_" + name].get<double>() / 100) &&
         near(best->threshold, out["best_" + name + "_thresh"]);
}

}  // namespace

TEST_CASE("SQuAD's figures of whole files are ours, with and without probabilities of no answer") {
  const Rows rows = recorded_rows("official/official-squad-triviaqa.jsonl");
  for (const Json& aggregate : rows) {
    if (!is_aggregate(aggregate) || aggregate["aggregate"].get<std::string>().rfind("squad2", 0) != 0) continue;
    CAPTURE(aggregate["aggregate"].dump());
    const AnswerFile file = answer_file(aggregate, rows, "squad2");
    REQUIRE(file.gold.size() == aggregate["count"]);
    std::optional<NoAnswer> no_answer;
    if (aggregate.contains("na_prob"))
      no_answer = NoAnswer{aggregate["na_prob"].get<decltype(NoAnswer::probabilities)>(), aggregate["threshold"]};
    const auto score = squad_file_score(file.gold, file.given, no_answer);
    REQUIRE(score);
    if (aggregate.contains("deviates")) {  // the script dies of a missing prediction
      CHECK(score->missing.size() == aggregate["without_prediction"].size());
      CHECK(score->all.questions == file.gold.size());
      continue;
    }
    CHECK(equal(score->all, aggregate["out"], ""));
    CHECK(equal(score->with_answer, aggregate["out"], "HasAns_"));
    CHECK(equal(score->without_answer, aggregate["out"], "NoAns_"));
    CHECK(score->best_em.has_value() == no_answer.has_value());
    if (!no_answer) continue;
    CHECK(equal(score->best_em, aggregate["out"], "exact"));
    CHECK(equal(score->best_f1, aggregate["out"], "f1"));
  }
}

TEST_CASE("TriviaQA's figures of whole files are ours") {
  const Rows rows = recorded_rows("official/official-squad-triviaqa.jsonl");
  for (const Json& aggregate : rows) {
    if (!is_aggregate(aggregate) || aggregate["aggregate"].get<std::string>().rfind("triviaqa", 0) != 0) continue;
    CAPTURE(aggregate["aggregate"].dump());
    const AnswerFile file = answer_file(aggregate, rows, "triviaqa");
    const Json& out = aggregate["out"];
    const auto score = open_file_score(file.gold, file.given, AnswerRules::kTriviaQa);
    REQUIRE(score);
    CHECK(near(score->mean.em, out["exact_match"].get<double>() / 100));
    CHECK(near(score->mean.f1, out["f1"].get<double>() / 100));
    CHECK(score->questions == out["denominator"]);
    CHECK(score->questions - score->missing.size() == out["common"]);
  }
}

TEST_CASE("the answer metrics written by hand are ours") {
  std::size_t compared = 0;
  for (const Json& row : recorded_rows("metrics.jsonl")) {
    CAPTURE(row["i"].dump());
    ++compared;
    const std::string given = row["prediction"];
    const std::vector<std::string> golds = strings(row["gold"]);
    CHECK(normalise_answer(given) == row["norm_prediction"]);
    const PartScore hotpot = best_hotpot_answer(given, golds);
    CHECK(near(hotpot.em, row["hotpot"]["em"]));
    CHECK(near(hotpot.f1, row["hotpot"]["f1"]));
    CHECK(near(hotpot.precision, row["hotpot"]["p"]));
    CHECK(near(hotpot.recall, row["hotpot"]["r"]));
    const PartScore wiki = two_wiki_answer(given, golds);
    CHECK(near(wiki.em, row["wiki2"]["em"]));
    CHECK(near(wiki.f1, row["wiki2"]["f1"]));
    CHECK(near(wiki.precision, row["wiki2"]["p"]));
    CHECK(near(wiki.recall, row["wiki2"]["r"]));
    const AnswerScore musique = musique_answer(given, golds);
    CHECK(near(musique.em, row["musique"]["em"]));
    CHECK(near(musique.f1, row["musique"]["f1"]));
  }
  MESSAGE(compared << " rows");
}

TEST_CASE("the supporting fact metrics written by hand are ours") {
  const auto facts = [](const Json& list) {
    std::vector<Fact> all;
    for (const Json& fact : list) all.push_back({fact[0], fact[1], ""});
    return all;
  };
  const auto equal_to = [](const PartScore& score, const Json& out) {
    return near(score.em, out["em"]) && near(score.f1, out["f1"]) && near(score.precision, out["p"]) &&
           near(score.recall, out["r"]);
  };
  for (const Json& row : recorded_rows("sp-metrics.jsonl")) {
    CAPTURE(row["i"].dump());
    const GoldRecord gold{"q", row["gold"], facts(row["gold_sp"]), "", {}};
    const HotpotScore score = hotpot_score(gold, {row["prediction"].get<std::string>(), facts(row["sp"]), {}});
    CHECK(equal_to(score.answer, row["answer"]));
    CHECK(equal_to(score.facts, row["hotpot_sp"]));
    CHECK(equal_to(score.joint, row["joint"]));
    CHECK(equal_to(two_wiki_facts(facts(row["sp"]), gold.facts), row["wiki2_sp"]));
  }
}
