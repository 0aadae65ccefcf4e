// The function-level cases of units.jsonl.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "credit/advantage.h"
#include "credit/shapley.h"
#include "credit/snc.h"
#include "tests/conformance/recorded_credit.h"
#include "tests/conformance/recorded_file.h"

namespace harnessg::conformance {
namespace {

constexpr double kDouble = 1e-9;
constexpr double kFloat = 1e-5;

bool near(const Json& own, const Json& wanted, double tolerance) {
  if (own.is_array()) {
    bool equal = wanted.is_array() && own.size() == wanted.size();
    for (std::size_t i = 0; equal && i < own.size(); ++i) equal = near(own[i], wanted[i], tolerance);
    return equal;
  }
  return wanted.is_number() && std::abs(own.get<double>() - wanted.get<double>()) <= tolerance;
}

template <class Id>
std::vector<Id> numbered(const Json& names) {
  std::vector<Id> ids;
  for (const auto& name : names) {
    std::uint32_t id = 0;
    for (const char c : name.get<std::string>()) id = id * 256 + static_cast<unsigned char>(c);
    ids.push_back(Id{id});
  }
  return ids;
}

// Steps given by their gains: a lookup where the step informs, else a Select of everything it produced.
std::pair<Trace, EpisodeScores> episode_of(const Json& steps) {
  Trace trace;
  trace.with_frontier = true;
  EpisodeScores scores;
  for (const Json& given : steps) {
    TraceStep step;
    step.event = given["info"].get<bool>() ? Event::kLookup : Event::kSelect;
    step.position = static_cast<std::uint32_t>(std::stoul(given["a"].get<std::string>().substr(1)));
    step.outcome.sentences = step.outcome.new_sentences = numbered<SentenceId>(given["produced"]);
    step.outcome.consumed_sentences = numbered<SentenceId>(given["consumed"]);
    step.outcome.produced_entities = numbered<EntityId>(given["produced_e"]);
    step.outcome.used_entities = numbered<EntityId>(given["used_e"]);
    StepScores& score = scores.steps.emplace_back();
    score.step = trace.steps.size();
    score.taken = given["ig"].get<double>();
    for (const auto& [id, gain] : given["frontier"].items()) {
      step.frontier.push_back({static_cast<std::uint32_t>(std::stoul(id.substr(1))), {}});
      score.alternatives.push_back(gain.get<double>());
    }
    trace.steps.push_back(std::move(step));
  }
  return {std::move(trace), std::move(scores)};
}

SncOptions options_of(const Json& config) {
  SncOptions options;
  options.gamma = config.value("propagation_gamma", 1.0);
  options.baseline = config.value("baseline", "mean") == "max" ? Baseline::kMax : Baseline::kMean;
  options.protect_enabling = config.value("fixc_safe", false);
  return options;
}

class Units {
 public:
  void add(const Json& row) {
    const auto name = row["fn"].get<std::string>();
    if (name == "snc_credit") {
      add_credit(row);
    } else if (name == "shapley") {
      add_shapley(row);
    } else if (name == "snc_advantage") {
      add_advantage(row);
    } else if (name == "grpo_outcome") {
      const auto scores = row["input"]["scores"].get<std::vector<double>>();
      const auto groups = row["input"]["uid"].get<std::vector<std::size_t>>();
      compare(name, near(outcome_advantages(scores, groups).value(), row["output"], kFloat), row);
    } else if (name == "answer_aliases") {
      compare(name, answer_aliases(answers_of(row["input"])) == row["output"].get<std::vector<std::string>>(), row);
    }
  }
  Report report() && { return std::move(report_); }

 private:
  void compare(const std::string& name, bool equal, const Json& row) {
    Tally& tally = report_[name];
    ++tally.compared;
    tally.equal += equal ? 1 : 0;
    if (!equal && tally.differences.size() < 3) tally.differences.push_back(row.dump());
  }

  void add_credit(const Json& row) {
    auto [trace, scores] = episode_of(row["input"]["steps"]);
    const SncOptions options = options_of(row["input"]["config"]);
    const EpisodeCredit credit = snc_credit(trace, scores, options).value();
    const Json& wanted = row["output"];
    Json r_fr = Json::array(), r_en = Json::array(), total = Json::array();
    for (const StepCredit& step : credit.steps) {
      r_fr.push_back(step.r_fr);
      r_en.push_back(step.r_en);
      total.push_back(step.total);
    }
    if (row["input"]["config"].value("shuffle_dependency_edges", false)) {
      // The recorded edges are random ones: how many there are, and the frontier term, are the same.
      compare("snc_credit with shuffled edges",
              near(r_fr, wanted["r_fr"], kDouble) && credit.edges.size() == wanted["edges"].size(), row);
      return;
    }
    const bool equal = near(r_fr, wanted["r_fr"], kDouble) && near(r_en, wanted["r_en"], kDouble) &&
                       near(total, wanted["r_total"], kDouble) && Json(credit.edges) == wanted["edges"];
    compare("snc_credit", equal, row);
  }

  void add_shapley(const Json& row) {
    const auto players = row["input"]["n"].get<std::size_t>();
    if (row["output"].is_object()) {
      return compare("shapley", !shapley(players, std::vector<double>(std::size_t{1} << players)).has_value(), row);
    }
    const auto values = row["input"]["value_by_bitmask"].get<std::vector<double>>();
    compare("shapley", near(shapley(players, values).value(), row["output"], kDouble), row);
  }

  void add_advantage(const Json& row) {
    std::vector<double> tokens;
    for (const Json& episode : row["input"]) {
      for (const Json& token : episode) tokens.push_back(token.get<double>());
    }
    Json wanted = Json::array();
    for (const Json& episode : row.contains("spec_output") ? row["spec_output"] : row["output"]) {
      for (const Json& token : episode) wanted.push_back(token);
    }
    compare("snc_advantage", near(snc_advantages(tokens, snc_scale(tokens)), wanted, kFloat), row);
  }

  // JSON has more kinds of answers than a question of ours: none, one, numbers.
  static std::vector<std::string> answers_of(const Json& input) {
    std::vector<std::string> answers;
    for (const Json& answer : input.is_array() ? input : Json::array({input})) {
      if (!answer.is_null()) answers.push_back(answer.is_string() ? answer.get<std::string>() : answer.dump());
    }
    return answers;
  }

  Report report_;
};

}  // namespace

Report compare_credit_units(const std::filesystem::path& shared) {
  Units units;
  for (const Json& row : read_json_lines(shared / "conformance" / "units.jsonl")) units.add(row);
  return std::move(units).report();
}

}  // namespace harnessg::conformance
