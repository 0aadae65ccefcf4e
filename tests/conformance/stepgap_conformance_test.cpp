// The decision tree of StepGap against its recorded table: every combination of what judge and NLI model can say.
#include <doctest/doctest.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "credit/rewards/stepgap/detector.h"
#include "credit/rewards/stepgap/judge_json.h"
#include "credit/rewards/stepgap/routing.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using namespace harnessg::stepgap;
using conformance::Json;

namespace {

constexpr const char* kVerbatim = "made fine paper until 1931 when it closed";

JudgeAnswer answer_of(const Json& row) {
  JudgeAnswer answer;
  const std::string off = row.at("off");
  answer.off_target = off == "entity" || off == "relation" || off == "scope";
  answer.drift = off + "_drift";
  answer.abstains = row.at("abst") != "no";
  answer.abstention_justified = row.at("abst") == "accurate";
  answer.entity_match = row.at("match");
  const std::string quote = row.at("quote");
  answer.found_quote = quote != "text_only" && quote != "none";
  if (quote == "verbatim" || quote == "text_only") answer.quote = kVerbatim;
  if (quote == "not_verbatim") answer.quote = "sold fine cloth until 1890 in Leeds";
  if (quote == "short") answer.quote = "mil";
  return answer;
}

Verdict routed(const Json& row, Variant variant) {
  static const std::map<std::string, Entailment> kLabels{
      {"E", Entailment::kEntails}, {"N", Entailment::kNeutral}, {"C", Entailment::kContradicts}};
  const std::string earlier = row.at("earlier");
  // Where steps come without what was judged of them, the release cannot leave out those of another entity.
  const bool unfiltered = variant == Variant::kV17Literal && earlier == "mismatched_frozen";
  RoutingQuestions ask;
  ask.quote = [&](std::string_view) { return kLabels.at(row.at("nli").get<std::string>()); };
  ask.earlier = [&] { return earlier == "entails" || unfiltered; };
  return route(answer_of(row), row.at("kind") == "conclusion", std::string("The mill ") + kVerbatim + ".", ask,
               {.variant = variant});
}

constexpr const char* kClaim = "The mill closed in 1931";

Judged<JudgeAnswer> judged(const Json& answer) {
  if (answer.is_null()) return tl::unexpected(NotJudged{NotJudgedReason::kTimedOut, "the judge said nothing"});
  return read_judge_answer(answer.dump());
}

std::string name_of(const Judged<Verdict>& verdict) { return verdict ? std::string(gap_name(verdict->gap)) : "error"; }

bool has(const Json& row, const char* list, const char* word) {
  if (!row.contains(list)) return false;
  for (const Json& entry : row.at(list)) {
    if (entry == word) return true;
  }
  return false;
}

// One of the single cases. The release's own switches are not one to one with the stages: "no_prior" takes the earlier
// evidence from the concluding step, "no_cross" from all others.
Judged<Verdict> checked(const Json& row) {
  const std::string note = row.at("note");
  std::vector<ReasoningStep> steps;
  std::vector<Judged<JudgeAnswer>> answers;
  for (const Json& earlier : row.at("prev")) {
    steps.push_back({"earlier", false, earlier.at("evidence")});
    JudgeAnswer answer;
    answer.entity_match = earlier.at("entity_match");
    answers.emplace_back(answer);
  }
  const bool concluding = row.at("kind") == "conclusion";
  steps.push_back({note.find("empty text") == std::string::npos ? kClaim : "", concluding, {kVerbatim}});
  answers.push_back(judged(row.at("llm")));
  const Nli nli = [&](std::string_view premise, std::string_view) -> Judged<Entailment> {
    if (note.starts_with("no NLI model")) {
      return tl::unexpected(NotJudged{NotJudgedReason::kUnavailable, "there is no NLI model"});
    }
    const bool entails = premise == kVerbatim || premise.find("PRIOR-YES") != std::string_view::npos;
    return entails ? Entailment::kEntails : Entailment::kNeutral;
  };
  return check_step(steps, answers, steps.size() - 1, nli,
                    {.variant = Variant::kV17Literal,
                     .target = !has(row, "ablation", "no_align"),
                     .earlier = !has(row, "ablation", concluding ? "no_prior" : "no_cross")});
}

std::vector<Judged<Verdict>> checked_trace(const Json& row) {
  std::vector<ReasoningStep> steps;
  std::vector<Judged<JudgeAnswer>> answers;
  for (const Json& step : row.at("steps")) {
    steps.push_back({step.at("step_text"), step.at("step_type") == "conclusion", {}});
    for (const Json& source : step.at("evidence_pool")) steps.back().evidence.push_back(source.at("snippet"));
  }
  for (const Json& answer : row.at("judge")) answers.push_back(judged(answer));
  const Nli nli = [&](std::string_view premise, std::string_view) -> Judged<Entailment> {
    return row.at("nli_table").contains(std::string(premise)) ? Entailment::kEntails : Entailment::kNeutral;
  };
  std::vector<Judged<Verdict>> verdicts;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // As in a running episode: later steps are not there yet.
    verdicts.push_back(check_step(std::span(steps).first(i + 1), std::span(answers).first(i + 1), i, nli,
                                  {.variant = Variant::kV17Literal}));
    const auto afterwards = check_step(steps, answers, i, nli, {.variant = Variant::kV17Literal});
    CHECK(name_of(afterwards) == name_of(verdicts.back()));
  }
  return verdicts;
}

}  // namespace

TEST_CASE("the decision tree gives what is recorded for every combination of answers") {
  const auto folder = conformance::shared_folder();
  if (folder.empty()) {
    MESSAGE("skipped: there is no ../shared with the recorded table");
    return;
  }
  std::size_t rows = 0;
  std::map<std::string, std::size_t> wrong;
  for (const Json& row : conformance::read_json_lines(folder / "conformance/rewards/stepgap-routing.jsonl.gz")) {
    if (!row.contains("spec_paper")) continue;
    ++rows;
    const Verdict literal = routed(row, Variant::kV17Literal);
    wrong["literal"] += gap_name(literal.gap) != row.at("verdict").get<std::string>() ? 1 : 0;
    wrong["path"] += literal.path != row.at("path").get<std::string>() ? 1 : 0;
    wrong["released"] += gap_name(routed(row, Variant::kReleased).gap) != row.at("spec_released").get<std::string>();
    wrong["paper"] += gap_name(routed(row, Variant::kPaper).gap) != row.at("spec_paper").get<std::string>() ? 1 : 0;
  }
  CHECK(rows == 5'400);
  for (const auto& [variant, count] : wrong) {
    INFO(variant);
    CHECK(count == 0);
  }
}

TEST_CASE("single cases and whole traces give the recorded verdicts, or what should have come out") {
  const auto folder = conformance::shared_folder();
  if (folder.empty()) {
    MESSAGE("skipped: there is no ../shared with the recorded table");
    return;
  }
  std::size_t single = 0;
  std::size_t traces = 0;
  for (const Json& row : conformance::read_json_lines(folder / "conformance/rewards/stepgap-routing.jsonl.gz")) {
    INFO(row.dump());
    if (row.contains("extra")) {
      ++single;
      const Judged<Verdict> verdict = checked(row);
      // A quote that is too short is none in the other variants; here it counts, as it did in the release.
      if (!row.contains("deviates") || has(row, "deviates", "quote_not_checked")) {
        CHECK(name_of(verdict) == row.at("verdict").get<std::string>());
        CHECK((verdict ? verdict->path : "error") == row.at("path").get<std::string>());
      } else if (row.at("spec_output").at("verdict") == "not judged") {
        CHECK(name_of(verdict) == "error");
      } else {
        CHECK(name_of(verdict) == row.at("spec_output").at("verdict").get<std::string>());
      }
    } else if (row.contains("trace")) {
      ++traces;
      const Json& expected = row.contains("deviates") ? row.at("spec_output").at("verdicts") : row.at("verdicts");
      const auto verdicts = checked_trace(row);
      REQUIRE(verdicts.size() == expected.size());
      for (std::size_t i = 0; i < verdicts.size(); ++i) {
        CHECK(name_of(verdicts[i]) == expected[i].get<std::string>());
        if (!row.contains("deviates")) CHECK(verdicts[i]->path == row.at("paths")[i].get<std::string>());
      }
    }
  }
  CHECK(single == 33);
  CHECK(traces == 14);
}

TEST_CASE("a quote counts with 5 to 20 words that stand in one snippet") {
  const auto gap = [](const std::string& quote, Variant variant) {
    const std::vector<ReasoningStep> steps{{kClaim, true, {"a b c d e f g", "h i j k l m n o p q r s t u v w x y z"}}};
    const std::vector<Judged<JudgeAnswer>> answers{JudgeAnswer{.found_quote = true, .quote = quote}};
    const Nli nli = [](std::string_view, std::string_view) -> Judged<Entailment> { return Entailment::kEntails; };
    return name_of(check_step(steps, answers, 0, nli, {.variant = variant}));
  };
  for (const Variant variant : {Variant::kPaper, Variant::kReleased}) {
    CHECK(gap("a b c d e", variant) == "none");
    CHECK(gap("a b c d", variant) == "IE");
    CHECK(gap("f g h i j", variant) == "IE");
    CHECK(gap("h i j k l m n o p q r s t u v w x y z", variant) == "none");
    CHECK(gap("a b c d f", variant) == "IE");
    CHECK(gap("     ", variant) == "IE");
  }
  CHECK(gap("     ", Variant::kV17Literal) == "none");
}
