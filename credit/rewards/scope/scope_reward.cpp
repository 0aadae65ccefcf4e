#include "credit/rewards/scope/scope_reward.h"

#include <utility>

#include "credit/models/content_words_grader.h"
#include "credit/rewards/json_numbers.h"
#include "credit/rewards/scope/scope_scores.h"
#include "credit/rewards/scope/verdicts.h"
#include "credit/rewards/settings.h"

namespace harnessg::scope {
namespace {

const Json* member(const Json& object, std::string_view key) {
  return object.is_object() ? find_value(object, key) : nullptr;
}

Result<std::vector<Turn>> turns_of(const RewardInput& input, const std::string& place) {
  if (const Json* turns = member(input.record, "turns")) return turns_from_json(*turns, place);
  const Json* output = member(input.record, "output");
  if (output && output->is_string()) return std::vector<Turn>{{true, output->get<std::string>()}};
  return fail(ErrorCode::kBadInput, "{}: SCOPE's rewards need a record with \"turns\" or an \"output\"", place);
}

Result<std::vector<RewardValue>> verdicts_of(const Json& record, const VerdictRules& rules, const std::string& place) {
  std::vector<RewardValue> verdicts;
  if (const Json* written = member(record, "grader")) {
    for (const Json& text : *written) {
      const auto read =
          text.is_string() ? read_verdicts(text.get<std::string>(), VerdictForm::kItem, rules) : ReadVerdicts();
      verdicts.push_back(read.items.empty() ? std::nullopt : RewardValue(read.items.front().score));
    }
    return verdicts;
  }
  const Json* given = member(record, "verdicts");
  for (const Json& value : given ? *given : Json::array()) {
    if (!value.is_null() && value != 0 && value != 1) {
      return fail(ErrorCode::kBadInput, "{}: a verdict is 1, 0 or null, not {}", place, value.dump());
    }
    verdicts.push_back(value.is_null() ? std::nullopt : RewardValue(value.get<double>()));
  }
  return verdicts;
}

void read_coverage(SettingsReader& reader, CoverageRules& rules) {
  std::size_t weights = 0;
  reader.number("least_coverage", rules.least);
  reader.number("missing", rules.missing);
  reader.choice("item_weights", {"priority", "equal"}, weights);
  if (weights == 1) rules.weights = ItemWeights::kEqual;
}

class SolverReward final : public RewardPlugin {
 public:
  SolverReward(SolverRules rules, bool by_content_words)
      : RewardPlugin("scope_solver",
                     {{"rubric", RewardLevel::kEpisode, 1, "score by the rubric times the length factor, 0 to 1"},
                      {"format", RewardLevel::kEpisode, 0.5, "thoughts, searches and answer well-formed, 0 to 1"},
                      {"searches", RewardLevel::kEpisode, 0.1, "searches made, of three, 0 to 1"}}),
        rules_(rules),
        by_content_words_(by_content_words) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HARNESSG_ASSIGN(EpisodeReward episode, score(inputs[i], place_of(inputs[i], i)));
      report.episodes.push_back(std::move(episode));
    }
    return {};
  }

 private:
  Result<EpisodeReward> score(const RewardInput& input, const std::string& place) const {
    HARNESSG_ASSIGN(const std::vector<Turn> turns, turns_of(input, place));
    const Json* list = member(input.record, "rubric");
    HARNESSG_ASSIGN(const Rubric rubric, rubric_from_json(list ? *list : Json::array(), place));
    HARNESSG_ASSIGN(std::vector<RewardValue> verdicts, verdicts_of(input.record, {rules_.release}, place));
    const SolverReading reading = read_solver(turns, rules_);
    if (by_content_words_) verdicts = graded(rubric, reading.graded);
    RubricReward earned = solver_rubric_reward(reading, rubric, verdicts, rules_);
    EpisodeReward episode;
    episode.values = {earned.value, reading.format, reading.search_bonus};
    episode.not_judged = std::move(earned.not_judged);
    episode.output = reading.answer;
    episode.failed = !reading.answered;
    episode.detail = {{"thoughts", reading.thoughts},    {"valid_searches", reading.searches},
                      {"answered", reading.answered},    {"searches", reading.all_searches},
                      {"answer_tokens", reading.tokens}, {"length_factor", reading.length}};
    return episode;
  }

  static std::vector<RewardValue> graded(const Rubric& rubric, const std::string& answer) {
    std::vector<std::string> items;
    for (const RubricItem& item : rubric) items.push_back(item.text);
    std::vector<RewardValue> verdicts;
    for (const bool met : items_covered(items, answer)) verdicts.emplace_back(met ? 1 : 0);
    return verdicts;
  }

  SolverRules rules_;
  bool by_content_words_;
};

struct ChallengerSettings {
  ChallengerRules rules;
  CoverageRules coverage;
  bool gates = true;
};

struct Difficulty {
  RewardValue value = 0.0;
  RewardValue mean;
  std::string not_judged;
};

Difficulty not_judged(std::string why) { return {std::nullopt, std::nullopt, std::move(why)}; }

class ChallengerReward final : public RewardPlugin {
 public:
  explicit ChallengerReward(ChallengerSettings settings)
      : RewardPlugin("scope_challenger",
                     {{"difficulty", RewardLevel::kEpisode, 1, "tent of the mean score where the gates pass, 0 to 1"},
                      {"format", RewardLevel::kEpisode, 0.5, "thoughts, searches and task well-formed, 0 to 1"}}),
        settings_(settings) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HARNESSG_ASSIGN(EpisodeReward episode, score(inputs[i], place_of(inputs[i], i)));
      report.episodes.push_back(std::move(episode));
    }
    return {};
  }

 private:
  Result<EpisodeReward> score(const RewardInput& input, const std::string& place) const {
    HARNESSG_ASSIGN(const std::vector<Turn> turns, turns_of(input, place));
    const Json* asked = member(input.record, "searches_asked");
    const ChallengerReading reading =
        read_challenger(turns, asked ? whole_number(*asked) : std::nullopt, settings_.rules);
    Difficulty difficulty;
    if (reading.task) {
      HARNESSG_ASSIGN(difficulty, difficulty_of(input.record, place));
    }
    EpisodeReward episode;
    episode.values = {difficulty.value, reading.format};
    episode.not_judged = difficulty.not_judged;
    episode.output = reading.task.value_or("");
    episode.failed = !reading.task;
    const bool kept = difficulty.mean && within_filter(*difficulty.mean, settings_.rules);
    episode.detail = {{"thoughts", reading.thoughts},
                      {"valid_searches", reading.searches},
                      {"mean_score", difficulty.mean ? Json(*difficulty.mean) : Json()},
                      {"kept", kept}};
    return episode;
  }

  Result<Difficulty> difficulty_of(const Json& record, const std::string& place) const {
    if (settings_.gates) {
      const auto passed = gates_pass(gates_of(record));
      if (!passed && !settings_.rules.release) return not_judged("a gate cannot be read");
      if (!passed.value_or(false)) return Difficulty{};
    }
    Rubric rubric;
    if (const Json* written = member(record, "rubric"); written && written->is_string()) {
      ReadRubric read = read_rubric(written->get<std::string>(), {kLeastItems, kMostItems, settings_.rules.release});
      if (!read.fault.empty()) return not_judged("the rubric cannot be read: " + read.fault);
      rubric = std::move(read.items);
    } else {
      HARNESSG_ASSIGN(rubric, rubric_from_json(written ? *written : Json::array(), place));
    }
    std::vector<RolloutScore> rollouts;
    const Json* list = member(record, "rollouts");
    for (const Json& rollout : list ? *list : Json::array()) {
      HARNESSG_ASSIGN(const RolloutScore score, rollout_of(rollout, rubric, place));
      rollouts.push_back(score);
    }
    const RewardValue mean = mean_score(rollouts, settings_.rules);
    if (mean) return Difficulty{tent(*mean, settings_.rules.target), mean, ""};
    if (settings_.rules.release) return Difficulty{};
    return not_judged("too few of the task's rollouts have a score");
  }

  Result<RolloutScore> rollout_of(const Json& object, const Rubric& rubric, const std::string& place) const {
    const Json* answered = member(object, "answered");
    if (!answered || !answered->is_boolean()) {
      return fail(ErrorCode::kBadInput, "{}: each of \"rollouts\" says whether it \"answered\", true or false", place);
    }
    RolloutScore rollout{answered->get<bool>(), std::nullopt};
    if (const Json* score = member(object, "score"); score && score->is_number()) {
      rollout.score = score->get<double>();
      return rollout;
    }
    HARNESSG_ASSIGN(const auto verdicts, verdicts_of(object, {settings_.rules.release}, place));
    rollout.score = rubric_score(rubric, verdicts, settings_.coverage);
    return rollout;
  }

  static std::vector<std::optional<bool>> gates_of(const Json& record) {
    std::vector<std::optional<bool>> gates;
    const Json* list = member(record, "gates");
    for (const Json& gate : list ? *list : Json::array()) {
      if (gate.is_string()) {
        gates.push_back(read_gate(gate.get<std::string>()));
      } else if (gate == 0 || gate == 1) {
        gates.emplace_back(gate == 1);
      } else {
        gates.emplace_back(std::nullopt);
      }
    }
    return gates;
  }

  ChallengerSettings settings_;
};

}  // namespace

Result<std::unique_ptr<RewardPlugin>> make_solver_reward(const Json& settings) {
  SolverRules rules;
  std::size_t format = 0;
  std::size_t soft = *rules.length.soft;
  std::size_t grader = 0;
  SettingsReader reader(settings, "\"scope_solver\"");
  reader.boolean("release", rules.release);
  if (rules.release) rules.coverage.weights = ItemWeights::kEqual;
  rules.length.twice_limit_is_zero = rules.release;
  reader.count("soft_limit", soft);
  reader.count("token_limit", rules.length.limit);
  reader.number("length_floor", rules.length.floor);
  reader.count("most_searches", rules.most_searches);
  reader.choice("grader", {"recorded", "content_words"}, grader);
  reader.choice("format", {"search_tag", "tool_call", "function_calls"}, format);
  read_coverage(reader, rules.coverage);
  HARNESSG_RETURN_IF_ERROR(reader.done());
  if (soft >= rules.length.limit) {
    return fail(ErrorCode::kInvalidArgument, "\"soft_limit\" of \"scope_solver\" must be below \"token_limit\"");
  }
  rules.length.soft = soft;
  rules.format = static_cast<CallFormat>(format);
  return std::make_unique<SolverReward>(rules, grader == 1);
}

Result<std::unique_ptr<RewardPlugin>> make_challenger_reward(const Json& settings) {
  ChallengerSettings read;
  std::size_t format = 0;
  SettingsReader reader(settings, "\"scope_challenger\"");
  reader.boolean("release", read.rules.release);
  if (read.rules.release) read.coverage.weights = ItemWeights::kEqual;
  reader.number("target", read.rules.target);
  reader.number("least_scored", read.rules.least_scored);
  reader.number("lowest", read.rules.lowest);
  reader.number("highest", read.rules.highest);
  reader.boolean("gates", read.gates);
  reader.choice("format", {"search_tag", "tool_call", "function_calls"}, format);
  read_coverage(reader, read.coverage);
  HARNESSG_RETURN_IF_ERROR(reader.done());
  read.rules.format = static_cast<CallFormat>(format);
  return std::make_unique<ChallengerReward>(read);
}

}  // namespace harnessg::scope
