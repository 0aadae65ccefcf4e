#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "credit/rewards/scope/scope_scores.h"
#include "credit/rewards/scope/solver_output.h"
#include "credit/rewards/scope/verdicts.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using namespace harnessg::scope;
using conformance::Json;

namespace {

std::vector<Json> recorded(const std::string& name) {
  const auto file = conformance::shared_folder() / "conformance" / "rewards" / (name + ".jsonl");
  if (!conformance::shared_folder().empty() && std::filesystem::exists(file)) return conformance::read_json_lines(file);
  MESSAGE(fmt::format("skipped: there is no {}", file.string()));
  return {};
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

// "{{W:n}}" stands for n words.
std::string expanded(std::string text) {
  for (std::size_t at = text.find("{{W:"); at != std::string::npos; at = text.find("{{W:")) {
    const std::size_t end = text.find("}}", at);
    std::string words;
    for (std::size_t i = std::stoul(text.substr(at + 4)); i > 0; --i) words += i > 1 ? "w " : "w";
    text.replace(at, end + 2 - at, words);
  }
  return text;
}

std::vector<Turn> turns_of(const Json& conversation) {
  std::vector<Turn> turns;
  for (const Json& message : conversation)
    turns.push_back({message.at("role") == "assistant", expanded(message.at("content"))});
  return turns;
}

VerdictForm form_of(const Json& options) {
  const std::string name = options.value("output_format", "per_rubric");
  if (name == "v2") return VerdictForm::kList;
  if (name == "xml") return VerdictForm::kXml;
  return name == "json" ? VerdictForm::kJson : VerdictForm::kItem;
}

Json verdicts_json(const ReadVerdicts& read) {
  Json list = Json::array();
  for (const auto& item : read.items) {
    const std::string name = item.rubric.empty() ? fmt::format("Rubric {}", item.place + 1) : item.rubric;
    list.push_back({{"rubric", name}, {"reasoning", item.reasoning}, {"score", item.score}});
  }
  return list;
}

// "" where what was read equals the record.
std::string parser_difference(const Json& row) {
  const std::string fn = row.at("fn");
  const Json& out = row.at("output");
  Json ours;
  Json theirs = out;
  if (fn == "solver.parse") {
    const auto output = read_solver_output(turns_of_flat_text(row.at("input").at(0).get<std::string>()), true);
    ours = {{"answer", output.answer ? Json(*output.answer) : Json()},
            {"thinking_blocks", output.thoughts},
            {"tool_calls", output.tool_calls},
            {"search_queries", output.searches}};
    theirs.erase("errors");
    theirs.erase("is_valid");
  } else if (fn == "grader.parse") {
    const auto form = form_of(row.at("options"));
    const auto read = read_verdicts(row.at("input").at(0).get<std::string>(), form, {.half_points = true});
    ours = {{"is_valid", read.valid}, {"normalized_score", read.mean()}};
    theirs = {{"is_valid", out.at("is_valid")}, {"normalized_score", out.at("normalized_score")}};
    if (form != VerdictForm::kJson) {
      ours["assessments"] = verdicts_json(read);
      theirs["assessments"] = out.at("assessments");
    }
  } else if (fn == "quality.parse") {
    const auto gate = read_gate(row.at("input").at(0).get<std::string>());
    ours = gate ? Json(*gate ? 1 : 0) : Json();
  } else if (fn == "quality.gate") {
    std::vector<std::optional<bool>> gates;
    for (const Json& gate : row.at("input").at(0))
      gates.push_back(gate.is_null() ? std::nullopt : std::optional(gate == 1));
    const Json& options = row.at("options");
    const auto required =
        options.contains("required") ? std::optional(options.at("required").get<std::size_t>()) : std::nullopt;
    ours = gates_pass(gates, required).value_or(false);
  } else if (fn == "rubric.parse") {
    const Json& options = row.at("options");
    const RubricRules rules{options.value("min_rubrics", kLeastItems), options.value("max_rubrics", kMostItems), true};
    const std::string text = row.at("input").at(0);
    const bool json = options.value("output_format", "xml") == "json";
    const ReadRubric read = json ? read_json_rubric(text, rules) : read_rubric(text, rules);
    ours = {{"is_valid", read.fault.empty()}, {"rubrics", Json::array()}};
    for (const RubricItem& item : read.items) ours["rubrics"].push_back(item.text);
    theirs = {{"is_valid", out.at("is_valid")}, {"rubrics", out.at("rubrics")}};
  }
  return ours == theirs ? "" : fmt::format("{}: {} recorded {}", row.at("id").dump(), ours.dump(), theirs.dump());
}

bool covered(const std::string& fn) {
  return fn == "solver.parse" || fn == "grader.parse" || fn == "quality.parse" || fn == "quality.gate" ||
         fn == "rubric.parse";
}

// The recorded grader's verdicts; the second of two answers is the retry of an unreadable one.
std::vector<RewardValue> item_verdicts(const Json& grader) {
  const VerdictRules rules{.half_points = true};
  std::vector<RewardValue> verdicts;
  for (const Json& given : grader) {
    RewardValue verdict;
    for (const Json& text : given.is_array() ? given : Json::array({given})) {
      const auto read = read_verdicts(text.get<std::string>(), VerdictForm::kItem, rules);
      if (!verdict && !read.items.empty()) verdict = read.items.front().score;
    }
    verdicts.push_back(verdict);
  }
  return verdicts;
}

}  // namespace

TEST_CASE("SCOPE's parsers read what the release's read") {
  std::size_t equal = 0;
  std::size_t compared = 0;
  for (const Json& row : recorded("scope-parsers")) {
    if (row.contains("deviates") || row.contains("raises") || !covered(row.at("fn"))) continue;
    ++compared;
    const std::string difference = parser_difference(row);
    equal += difference.empty() ? 1 : 0;
    CHECK_MESSAGE(difference.empty(), difference);
  }
  MESSAGE(fmt::format("scope-parsers: {} of {} equal", equal, compared));
}

TEST_CASE("SCOPE's solver reward with the release's options is the recorded one") {
  SolverRules rules;
  rules.release = true;
  rules.length.twice_limit_is_zero = true;
  rules.coverage.weights = ItemWeights::kEqual;
  std::size_t compared = 0;
  for (const Json& row : recorded("scope-solver")) {
    const Json& truth = row.at("ground_truth");
    if (row.contains("deviates") || row.contains("switches") || !truth.is_object() || !truth.at("target").is_null())
      continue;
    ++compared;
    const SolverReading reading = read_solver(turns_of(row.at("conversation")), rules);
    const Rubric rubric = rubric_from_json(truth.at("rubrics"), "row").value();
    const RubricReward graded = solver_rubric_reward(reading, rubric, item_verdicts(row.at("grader")), rules);
    const Json& out = row.at("output");
    const std::string id = row.at("id");
    CHECK_MESSAGE(near(reading.format, out.at("format_reward")), id);
    CHECK_MESSAGE(near(reading.search_bonus, out.at("search_reward")), id);
    REQUIRE(graded.value);
    CHECK_MESSAGE(near(*graded.value, out.at("acc_reward")), id);
  }
  MESSAGE(fmt::format("scope-solver: {} rows compared", compared));
}

TEST_CASE("SCOPE's challenger reward with the release's options is the recorded one") {
  const CoverageRules equal{0.5, 0, ItemWeights::kEqual};
  std::size_t compared = 0;
  for (const Json& row : recorded("scope-challenger")) {
    if (row.contains("deviates") || row.contains("switches") || row.contains("thoughts_from")) continue;
    if (row.at("task_type") == "short_form_qa" || !row.at("solver_answers").is_string()) continue;
    ChallengerRules rules;
    rules.release = true;
    const Json& asked = row.at("search_turns_required");
    const auto number = asked.is_null() ? std::nullopt : std::optional(asked.get<std::size_t>());
    const ChallengerReading reading = read_challenger(turns_of(row.at("conversation")), number, rules);
    const Json& out = row.at("output");
    const std::string id = row.at("id");
    ++compared;
    CHECK_MESSAGE(near(reading.format, out.at("format_reward")), id);
    std::vector<std::optional<bool>> gates;
    for (const auto& [name, text] : row.at("gate_texts").items()) gates.push_back(read_gate(text.get<std::string>()));
    double difficulty = 0;
    if (reading.task && gates_pass(gates).value_or(false) && row.contains("grader_code")) {
      const Rubric rubric =
          read_rubric(row.at("rubric_text").get<std::string>(), {kLeastItems, kMostItems, true}).items;
      std::vector<RolloutScore> rollouts;
      const std::string answers = row.at("solver_answers");
      for (std::size_t i = 0; i < answers.size(); ++i) {
        std::vector<RewardValue> verdicts;
        for (const char code : row.at("grader").at(i).get<std::string>()) {
          verdicts.push_back(code == '-' ? std::nullopt : RewardValue(code == '1' ? 1 : 0));
        }
        rollouts.push_back({answers[i] == 'A', rubric_score(rubric, verdicts, equal)});
      }
      if (const RewardValue mean = mean_score(rollouts, rules)) difficulty = tent(*mean, rules.target);
    } else if (!row.contains("grader_code")) {
      continue;
    }
    CHECK_MESSAGE(near(difficulty, out.at("difficulty_reward")), id);
  }
  MESSAGE(fmt::format("scope-challenger: {} rows compared", compared));
}

TEST_CASE("SCOPE's filter keeps the recorded tasks") {
  const CoverageRules equal{0.5, 0, ItemWeights::kEqual};
  ChallengerRules rules;
  rules.release = true;
  std::size_t compared = 0;
  for (const Json& row : recorded("scope-filter")) {
    if (row.at("difficulty_fn") != "normalized") continue;
    ++compared;
    const Rubric rubric(row.at("items").get<std::size_t>(), RubricItem{"item", ""});
    std::vector<RolloutScore> rollouts;
    for (const Json& text : row.at("grader")) {
      const auto read = read_verdicts(text.get<std::string>(), VerdictForm::kList);
      rollouts.push_back({text != "", rubric_score(rubric, read.by_place(), equal)});
    }
    const double mean = mean_score(rollouts, rules).value_or(0);
    CHECK(near(mean, row.at("output").at("score")));
    CHECK(within_filter(mean, rules) == row.at("output").at("kept").get<bool>());
  }
  MESSAGE(fmt::format("scope-filter: {} rows compared", compared));
}
