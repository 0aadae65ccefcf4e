#include "credit/rewards/scope/scope_scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "credit/rewards/scope/solver_output.h"
#include "credit/rewards/scope/tagged_text.h"
#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr double kRounding = 1e-9;  // of a mean that should be a bound exactly

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool has_thought(std::string_view turn, bool empty_counts) {
  const auto thought = leading_thought(turn);
  return thought && (empty_counts || !trim_space(*thought).empty());
}

std::string first_words(std::string_view text, std::size_t most) {
  const auto words = split_words(text, most);
  if (words.empty()) return "";
  return std::string(text.substr(0, static_cast<std::size_t>(words.back().data() - text.data()) + words.back().size()));
}

}  // namespace

double length_factor(std::size_t tokens, const LengthRules& rules) {
  if (!rules.soft || tokens <= *rules.soft) return 1;
  if (rules.twice_limit_is_zero && tokens > 2 * rules.limit) return 0;
  if (tokens >= rules.limit) return rules.floor;
  const double x = static_cast<double>(tokens - *rules.soft) / static_cast<double>(rules.limit - *rules.soft);
  return rules.floor + (1 - rules.floor) * (1 + std::cos(std::numbers::pi * x)) / 2;
}

double tent(double mean, double target) {
  if (mean <= 0 || mean >= 1 || target <= 0 || target >= 1) return 0;
  return mean <= target ? mean / target : (1 - mean) / (1 - target);
}

SolverReading read_solver(const std::vector<Turn>& turns, const SolverRules& rules) {
  SolverReading reading;
  const auto own = own_turns(turns);
  std::size_t thoughts = 0;
  std::size_t searches = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    thoughts += has_thought(own[i], rules.release) ? 1 : 0;
    const std::size_t valid = count_searches(without_thoughts(own[i]), rules.format).valid;
    reading.all_searches += valid;
    if (i + 1 < own.size()) searches += rules.release ? valid : std::min<std::size_t>(valid, 1);
  }
  const auto answer = read_solver_output(turns, rules.release).answer;
  reading.thoughts = share(thoughts, own.size());
  reading.searches = own.size() < 2 ? 0 : std::min(1.0, share(searches, own.size() - 1));
  reading.answered = answer.has_value();
  reading.format = (reading.thoughts + reading.searches + (reading.answered ? 1 : 0)) / 3;
  reading.search_bonus = share(std::min(reading.all_searches, rules.most_searches), rules.most_searches);
  reading.answer = answer.value_or("");
  reading.tokens = split_words(reading.answer).size();
  reading.graded = first_words(reading.answer, rules.length.limit);
  reading.length = length_factor(reading.tokens, rules.length);
  return reading;
}

RubricReward solver_rubric_reward(const SolverReading& reading, const Rubric& rubric,
                                  std::span<const RewardValue> verdicts, const SolverRules& rules) {
  if (!reading.answered || reading.format == 0 || reading.length == 0) return {0.0, ""};
  if (const RewardValue score = rubric_score(rubric, verdicts, rules.coverage)) return {reading.length * *score, ""};
  if (rules.release) return {0.0, ""};
  return {std::nullopt, rubric.empty() ? "there is no rubric" : "too few items of the rubric have a verdict"};
}

ChallengerReading read_challenger(const std::vector<Turn>& turns, std::optional<std::size_t> asked,
                                  const ChallengerRules& rules) {
  ChallengerReading reading;
  const auto own = own_turns(turns);
  std::size_t thoughts = 0;
  double valid = 0;
  double invalid = 0;
  for (const std::string_view turn : own) {
    const std::string bare = without_thoughts(turn);
    const bool opened = rules.release && turn.find(kThoughtTag.open) != std::string_view::npos;
    thoughts += opened || has_thought(turn, rules.release) ? 1 : 0;
    const SearchCalls calls = count_searches(bare, rules.format);
    valid += calls.valid > 0 ? 1 : 0;
    invalid += calls.valid == 0 && calls.attempted ? 1 : 0;
    const auto tasks = closed_blocks(bare, kTaskTag);
    reading.last_turn_has_task = !tasks.empty() && !trim_space(tasks.back()).empty();
    if (!tasks.empty()) reading.task = std::string(trim_space(tasks.back()));
  }
  if (reading.task && reading.task->empty()) reading.task.reset();
  reading.thoughts = share(thoughts, own.size());
  if (!asked) {
    const double before_last = own.empty() ? 0 : static_cast<double>(own.size() - 1);
    reading.searches = before_last > 0 ? std::min(1.0, valid / before_last) : (valid == 0 ? 1 : 0);
  } else {
    reading.searches = *asked == 0 ? 1 : std::clamp((valid - invalid) / static_cast<double>(*asked), 0.0, 1.0);
  }
  if (reading.task) reading.format = (reading.thoughts + reading.searches + (reading.last_turn_has_task ? 1 : 0)) / 3;
  return reading;
}

RewardValue mean_score(std::span<const RolloutScore> rollouts, const ChallengerRules& rules) {
  double sum = 0;
  std::size_t scored = 0;
  for (const RolloutScore& rollout : rollouts) {
    if (rules.release && !rollout.answered) continue;
    if (rollout.answered && !rollout.score) continue;
    sum += rollout.answered ? *rollout.score : 0;
    ++scored;
  }
  const double least = rules.release ? 0 : rules.least_scored * static_cast<double>(rollouts.size());
  if (scored == 0 || static_cast<double>(scored) < least) return std::nullopt;
  return sum / static_cast<double>(scored);
}

bool within_filter(double mean, const ChallengerRules& rules) {
  return mean >= rules.lowest - kRounding && mean <= rules.highest + kRounding;
}

}  // namespace harnessg::scope
