// The metrics of typed gaps against recorded ones (scikit-learn's figures), and values worked out by hand.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "credit/rewards/stepgap/metrics.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using namespace harnessg::stepgap;

namespace {

using Recorded = conformance::Json;

Gap gap_of(const std::string& name) {
  static const std::map<std::string, Gap> kGaps{{"none", Gap::kNone},
                                                {"CC", Gap::kContradictedClaim},
                                                {"IE", Gap::kIrrelevantEvidence},
                                                {"MB", Gap::kMissingBridge}};
  return kGaps.at(name);
}

// Every figure of `expected` is in `actual`.
void check_equal(const Recorded& expected, const Recorded& actual) {
  for (const auto& [name, value] : expected.items()) {
    INFO(name);
    REQUIRE(actual.contains(name));
    if (value.is_null()) {
      CHECK(actual.at(name).is_null());
    } else {
      REQUIRE(actual.at(name).is_number());
      CHECK(actual.at(name).get<double>() == doctest::Approx(value.get<double>()).epsilon(1e-9));
    }
  }
}

std::vector<LabelledQuestion> questions_of(const Recorded& row) {
  std::vector<LabelledQuestion> questions;
  if (row.contains("counts")) {
    const auto repeat = [&](const char* key, Gap gold, Gap predicted) {
      const std::size_t count = row.at("counts").at(key);
      for (std::size_t i = 0; i < count; ++i) questions.push_back({{gold, predicted}});
    };
    repeat("tp", Gap::kMissingBridge, Gap::kMissingBridge);
    repeat("fp", Gap::kNone, Gap::kMissingBridge);
    repeat("tn", Gap::kNone, Gap::kNone);
    repeat("fn", Gap::kMissingBridge, Gap::kNone);
    return questions;
  }
  for (const Recorded& question : row.at("questions")) {
    LabelledQuestion steps;
    for (const Recorded& step : question) steps.push_back({gap_of(step[0]), gap_of(step[1])});
    questions.push_back(steps);
  }
  return questions;
}

}  // namespace

TEST_CASE("the metrics of typed gaps are the recorded ones") {
  const auto folder = conformance::shared_folder();
  if (folder.empty()) {
    MESSAGE("skipped: there is no ../shared with the recorded metrics");
    return;
  }
  const auto rows = conformance::read_json_lines(folder / "conformance/rewards/stepgap-metrics.jsonl");
  CHECK(rows.size() == 55);
  for (const Recorded& row : rows) {
    INFO(row.at("id").get<std::string>());
    const GapReport report = score_gaps(questions_of(row));
    const Recorded actual = Recorded::parse(to_json(report).dump());
    const Recorded& expected = row.at("output");
    check_equal(expected.at("step"), actual.at("detector").at("step"));
    check_equal(expected.at("always_flag_step"), actual.at("flag_everything").at("step"));
    if (!row.contains("questions")) continue;
    check_equal(expected.at("question"), actual.at("detector").at("question"));
    check_equal(expected.at("always_flag_question"), actual.at("flag_everything").at("question"));
    check_equal({{"flag_rate", expected.at("flag_rate")}}, actual);
    for (const auto& [type, score] : expected.at("by_type").items()) check_equal(score, actual.at("by_type").at(type));
  }
}

TEST_CASE("flagging all of 181 steps, 104 of which have a gap, is called degenerate") {
  std::vector<LabelledQuestion> questions;
  for (int i = 0; i < 181; ++i) {
    questions.push_back({{i < 104 ? Gap::kIrrelevantEvidence : Gap::kNone, Gap::kIrrelevantEvidence}});
  }
  const GapReport all = score_gaps(questions);
  CHECK(100 * all.detector.step.f1 == doctest::Approx(72.98).epsilon(1e-4));
  CHECK(all.detector.step.balanced_accuracy == 0.5);
  CHECK_FALSE(all.detector.step.mcc);
  CHECK(all.flag_everything.step.f1 == all.detector.step.f1);
  CHECK(all.flag_nothing.step.f1 == 0);
  CHECK(all.flag_nothing.step.balanced_accuracy == 0.5);
  CHECK(all.remark.find("degenerate: it flags 100.0 %") == 0);

  for (int i = 0; i < 9; ++i) questions[i][0].predicted = Gap::kNone;  // 172 of 181: 95.03 %
  CHECK(score_gaps(questions).remark.find("degenerate") == 0);
  questions[9][0].predicted = Gap::kNone;  // 171 of 181: 94.5 %
  CHECK(score_gaps(questions).remark.empty());
  for (auto& question : questions) question[0].predicted = Gap::kNone;
  CHECK(score_gaps(questions).remark == "degenerate: it flags no step");
}

TEST_CASE("a step that was not judged is in no count") {
  const std::vector<LabelledQuestion> questions{{{Gap::kMissingBridge, std::nullopt}},
                                                {{Gap::kNone, Gap::kNone}, {Gap::kMissingBridge, std::nullopt}}};
  const GapReport report = score_gaps(questions);
  CHECK(report.not_judged == 2);
  CHECK(report.detector.step.counts.tn == 1);
  CHECK(report.detector.step.counts.fn == 0);
  CHECK(report.detector.question.counts.tn == 1);
  CHECK(report.detector.question.counts.fn == 0);
}
