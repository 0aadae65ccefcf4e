// The decision tree of StepGap against its recorded table: every combination of what judge and NLI model can say.
#include <doctest/doctest.h>

#include <map>
#include <string>

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
