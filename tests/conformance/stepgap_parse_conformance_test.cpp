// Reading what a judge wrote about a step, against recorded answers.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "credit/rewards/stepgap/detector.h"
#include "credit/rewards/stepgap/judge_json.h"
#include "credit/rewards/stepgap/nli_label.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using namespace harnessg::stepgap;
using Recorded = conformance::Json;

namespace {

Entailment label_of(const std::string& name) {
  static const std::map<std::string, Entailment> kLabels{{"entailment", Entailment::kEntails},
                                                         {"neutral", Entailment::kNeutral},
                                                         {"contradiction", Entailment::kContradicts}};
  return kLabels.at(name);
}

std::string verdict_on(const Recorded& row, std::string& path) {
  const std::vector<ReasoningStep> steps{{"The mill closed in 1931",
                                          row.at("kind") == "conclusion",
                                          {"The mill made fine paper until 1931 when it closed."}}};
  const std::vector<Judged<JudgeAnswer>> answers{read_judge_answer(row.at("raw").get<std::string>())};
  const Nli nli = [&](std::string_view, std::string_view) -> Judged<Entailment> {
    return label_of(row.value("nli", "entailment"));
  };
  const auto verdict = check_step(steps, answers, 0, nli, {.variant = Variant::kReleased});
  path = verdict ? verdict->path : "error";
  return verdict ? std::string(gap_name(verdict->gap)) : "error";
}

// The release takes a missing key for its default and any value for a flag; here neither is an answer.
bool refused_here(const Recorded& row) {
  if (!row.contains("spec_gap")) return false;
  const std::string tag = row.at("spec_gap").at(0);
  return tag == "flag_by_truthiness" ||
         (tag == "missing_or_odd_key_default" && row.value("note", "") != "unknown drift type");
}

}  // namespace

TEST_CASE("what a judge wrote is read as recorded, strictly where the release guesses") {
  const auto folder = conformance::shared_folder();
  if (folder.empty()) {
    MESSAGE("skipped: there is no ../shared with the recorded answers");
    return;
  }
  std::size_t rows = 0;
  for (const Recorded& row : conformance::read_json_lines(folder / "conformance/rewards/stepgap-parse.jsonl")) {
    if (row.at("fn") != "judge_answer") continue;
    ++rows;
    INFO(row.dump());
    std::string path;
    const std::string verdict = verdict_on(row, path);
    if (row.contains("spec_output")) {
      CHECK(verdict == row.at("spec_output").at("verdict").get<std::string>());
    } else if (row.value("note", "") == "byte order mark") {
      CHECK(verdict == "none");  // as with any text before the object
    } else if (refused_here(row)) {
      CHECK(verdict == "error");
    } else {
      CHECK(verdict == row.at("output").at("verdict").get<std::string>());
      CHECK(path == row.at("output").at("path").get<std::string>());
    }
  }
  CHECK(rows == 95);
}

TEST_CASE("an answer that cannot be read names the key") {
  const auto read = read_judge_answer(R"({"step_minus1_alignment": {"is_off_target": "no", "drift_type": "none"}})");
  REQUIRE_FALSE(read);
  CHECK(read.error().reason == NotJudgedReason::kUnreadable);
  CHECK(read.error().message == "\"step_minus1_alignment.is_off_target\" must be true or false");
}

TEST_CASE("the label of an NLI model is read by name, whatever the order") {
  const auto folder = conformance::shared_folder();
  if (folder.empty()) {
    MESSAGE("skipped: there is no ../shared with the recorded labels");
    return;
  }
  std::size_t rows = 0;
  for (const Recorded& row : conformance::read_json_lines(folder / "conformance/rewards/stepgap-parse.jsonl")) {
    if (row.at("fn") != "nli" || !row.contains("scores")) continue;
    ++rows;
    INFO(row.dump());
    const std::vector<std::string> names = row.at("model_label_order");
    const std::vector<double> scores = row.at("scores");
    const auto label = nli_label(names, scores);
    REQUIRE(label);
    CHECK(*label == label_of((row.contains("spec_output") ? row.at("spec_output") : row.at("output")).at("label")));
  }
  CHECK(rows == 18);
}

TEST_CASE("labels that are not the three, or scores that are none, are not judged") {
  const std::vector<std::string> names{"ENTAILMENT", "Neutral", "contradiction"};
  CHECK(nli_label(names, std::vector{0.1, 0.2, 0.3}) == Entailment::kContradicts);
  CHECK_FALSE(nli_label(names, std::vector{0.1, 0.2}));
  CHECK_FALSE(nli_label(names, std::vector{0.1, 0.2, std::nan("")}));
  CHECK_FALSE(nli_label(std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"}, std::vector{0.1, 0.2, 0.3}));
  CHECK_FALSE(nli_label(std::vector<std::string>{"neutral", "neutral", "entailment"}, std::vector{0.1, 0.2, 0.3}));
}
