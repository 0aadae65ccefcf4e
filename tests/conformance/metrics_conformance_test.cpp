// What the scripts of HotpotQA and 2Wiki returned when they were run, row by row and for whole files.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "credit/metrics/answer_text.h"
#include "credit/metrics/evaluation_json.h"
#include "credit/metrics/joint_evaluation.h"
#include "tests/conformance/recorded_metrics.h"

using namespace harnessg;
using namespace harnessg::metrics;
using namespace harnessg::conformance;
using harnessg::Json;

namespace {

std::vector<std::string> strings(const Json& list) { return list.get<std::vector<std::string>>(); }

bool has_error(const Json& row) { return row.contains("error"); }

Rows checked_cases(const Json& aggregate, const Rows& rows, bool (*described)(const Json&)) {
  Rows cases = cases_of(aggregate, rows, described);
  REQUIRE(cases.size() == aggregate["count"]);
  return cases;
}

// The gold record and the prediction file of rows, in the data sets' own form; ids are the rows' numbers.
struct Files {
  std::vector<Json> gold;
  Json given = {{"answer", Json::object()}, {"sp", Json::object()}, {"evidence", Json::object()}};
  Aliases aliases;

  void add(const Json& row) {
    const std::string id = row["n"].dump();
    Json record = {{"_id", id}, {"answer", row["gold"]}, {"supporting_facts", row["gold_sp"]}};
    for (const auto& [key, from] :
         {std::pair{"answer_id", "answer_id"}, {"evidences", "gold_ev"}, {"evidences_id", "gold_ev_id"}}) {
      if (row.contains(from)) record[key] = row[from];
    }
    gold.push_back(std::move(record));
    for (const auto& [part, from] : {std::pair{"answer", "pred"}, {"sp", "pred_sp"}, {"evidence", "pred_ev"}}) {
      if (row.contains(from)) given[part][id] = row[from];
    }
    if (!row.contains("aliases")) return;
    for (const auto& item : row["aliases"].items()) aliases[item.key()] = strings(item.value());
  }
};

Result<std::vector<GoldRecord>> gold_records(const Files& files, TwoWikiVersion version) {
  std::vector<GoldRecord> gold;
  for (const Json& record : files.gold) {
    HARNESSG_ASSIGN(GoldRecord one, gold_record_of(record, {"gold", 1}, version));
    gold.push_back(std::move(one));
  }
  return gold;
}

Result<FileScore<HotpotScore>> hotpot_score_of(const Files& files) {
  HARNESSG_ASSIGN(const auto gold, gold_records(files, TwoWikiVersion::kV1_0));
  HARNESSG_ASSIGN(const auto given, predictions_of(files.given, "given", PredictionParts::kAnswerAndFacts));
  return hotpot_file_score(gold, given);
}

Result<FileScore<TwoWikiScore>> two_wiki_score_of(const Files& files, const TwoWikiRules& rules) {
  HARNESSG_ASSIGN(const auto gold, gold_records(files, rules.version));
  HARNESSG_ASSIGN(const auto given, predictions_of(files.given, "given", PredictionParts::kAnswerFactsAndTriples));
  return two_wiki_file_score(gold, given, files.aliases, rules);
}

Files files_of(const Rows& rows) {
  Files files;
  for (const Json& row : rows) files.add(row);
  return files;
}

bool equal(const PartScore& score, const Json& out, const std::string& prefix) {
  return near(score.em, out[prefix + "em"]) && near(score.f1, out[prefix + "f1"]) &&
         near(score.precision, out[prefix + "prec"]) && near(score.recall, out[prefix + "recall"]);
}

bool equal(const HotpotScore& score, const Json& out) {
  return equal(score.answer, out, "") && equal(score.facts, out, "sp_") && equal(score.joint, out, "joint_");
}

// 2Wiki's sixteen figures in percent.
bool equal(const TwoWikiScore& score, const Json& out) {
  std::size_t at = 0;
  for (const PartScore& part : {score.answer, score.facts, score.triples, score.joint}) {
    for (const double figure : {part.em, part.f1, part.precision, part.recall}) {
      if (!near(figure, out[at++].get<double>() / 100)) return false;
    }
  }
  return at == out.size();
}

// Rows where a script counts in a way that `kAsPublished` follows.
bool is_counted_twice(const Json& row) {
  if (!row.contains("deviates")) return false;
  for (const Json& tag : row["deviates"]) {
    if (tag == "v11_string_read_as_triple") return false;
  }
  return true;
}

}  // namespace

TEST_CASE("HotpotQA's script is ours on every recorded question") {
  std::size_t compared = 0;
  for (const Json& row : recorded_rows("official/official-hotpot.jsonl")) {
    if (!is_case(row)) continue;
    CAPTURE(row["n"].dump());
    ++compared;
    CHECK(normalise_answer(row["gold"].get<std::string>()) == row["norm_gold"]);
    if (row.contains("norm_pred")) CHECK(normalise_answer(row["pred"].get<std::string>()) == row["norm_pred"]);
    const auto score = hotpot_score_of(files_of({row}));
    if (row["kind"] == "not_a_string" || (row["sp_kind"] == "null_list")) {
      CHECK_FALSE(score);
    } else if (has_error(row)) {
      REQUIRE(score);
      CHECK(score->mean.facts == PartScore{});  // entries that are no facts are wrong ones
    } else {
      REQUIRE(score);
      CHECK(equal(score->mean, row["out"]));
      CHECK(score->missing.size() == (row.contains("missing") ? row["missing"].size() : 0));
    }
  }
  MESSAGE(compared << " rows");
}

TEST_CASE("HotpotQA's figures of whole files are ours") {
  const Rows rows = recorded_rows("official/official-hotpot.jsonl");
  for (const Json& aggregate : rows) {
    if (!is_aggregate(aggregate)) continue;
    CAPTURE(aggregate["aggregate"].dump());
    Files files = files_of(checked_cases(aggregate, rows, [](const Json& row) { return !has_error(row); }));
    if (aggregate["aggregate"] == "extra_prediction_ids") {
      files.given["answer"]["not asked"] = "x";
      files.given["sp"]["not asked"] = Json::array();
    }
    if (aggregate["aggregate"] == "prediction_file_without_sp_key") files.given.erase("sp");
    const auto score = hotpot_score_of(files);
    if (aggregate["aggregate"] == "with_error_case") {
      CHECK(score);  // the case is a list of entries that are no facts: wrong ones
    } else if (has_error(aggregate)) {
      CHECK_FALSE(score);
    } else {
      REQUIRE(score);
      CHECK(equal(score->mean, aggregate["out"]));
      CHECK(score->missing.size() == aggregate["missing"]);
      CHECK(score->questions == aggregate["count"]);
    }
  }
}

TEST_CASE("both versions of 2Wiki's script are ours on every recorded question") {
  std::size_t compared = 0;
  std::size_t mended = 0;
  for (const Json& row : recorded_rows("official/official-2wiki.jsonl")) {
    if (!is_case(row)) continue;
    CAPTURE(row["n"].dump());
    for (const auto version : {TwoWikiVersion::kV1_0, TwoWikiVersion::kV1_1}) {
      const std::string key = version == TwoWikiVersion::kV1_0 ? "v10" : "v11";
      if (!row.contains(key)) continue;
      CAPTURE(key);
      ++compared;
      const Files files = files_of({row});
      const auto ours = two_wiki_score_of(files, {version, Counting::kDistinct});
      const auto published = two_wiki_score_of(files, {version, Counting::kAsPublished});
      REQUIRE(ours);
      REQUIRE(published);
      if (!row.contains("deviates")) CHECK(equal(ours->mean, row[key]));
      if (!row.contains("deviates") || is_counted_twice(row)) CHECK(equal(published->mean, row[key]));
      mended += equal(ours->mean, row[key]) ? 0 : 1;
      CHECK(ours->mean.triples.recall <= 1);
      CHECK(ours->mean.joint.f1 <= 1);
    }
  }
  MESSAGE(compared << " results, " << mended << " of rows that deviate are not the script's");
}

TEST_CASE("what kills 2Wiki's script is an error of ours or has a defined score") {
  for (const Json& row : recorded_rows("official/official-2wiki.jsonl")) {
    if (!is_case(row) || !(row.contains("v10_error") || row.contains("v11_error"))) continue;
    const std::string note = row["note"];
    CAPTURE(note);
    const auto score = two_wiki_score_of(files_of({row}), {});
    const bool scored = note == "null part" || note == "number part" || note == "nested list" || note == "nested" ||
                        note == "title not a string" || note == "empty entry" || note == "string for a triple" ||
                        note.rfind("gold without", 0) == 0;
    CHECK(score.has_value() == scored);
    if (note.rfind("gold without", 0) == 0) CHECK(equal(score->mean, row["v10"]));
    if (note.find("part") != std::string::npos) CHECK(score->mean.triples == PartScore{});
  }
}

TEST_CASE("2Wiki's figures of whole files are ours where counted as published") {
  const Rows rows = recorded_rows("official/official-2wiki.jsonl");
  for (const Json& aggregate : rows) {
    if (!is_aggregate(aggregate)) continue;
    CAPTURE(aggregate["aggregate"].dump());
    Files files = files_of(checked_cases(aggregate, rows, [](const Json& row) {
      return !row.contains("made") && !row.contains("v10_error") && !row.contains("v11_error");
    }));
    if (aggregate["aggregate"] == "prediction_file_without_evidence_key") files.given.erase("evidence");
    for (const auto version : {TwoWikiVersion::kV1_0, TwoWikiVersion::kV1_1}) {
      const std::string key = version == TwoWikiVersion::kV1_0 ? "v10" : "v11";
      const auto score = two_wiki_score_of(files, {version, Counting::kAsPublished});
      REQUIRE(score.has_value() == aggregate.contains(key));
      if (score) CHECK(equal(score->mean, aggregate[key]));
    }
  }
}
