// SCOPE's two rewards (arXiv 2605.31433): of a solver's rollout, and of a challenger's task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credit/rewards/plugin.h"
#include "credit/rewards/scope/calls.h"
#include "credit/rewards/scope/rubric.h"
#include "credit/rewards/scope/turns.h"

namespace harnessg::scope {

struct LengthRules {
  std::optional<std::size_t> soft = 1024;  // tokens up to which nothing is taken off; nullopt: never is
  std::size_t limit = 2048;                // from here on the floor; only so many tokens are graded
  double floor = 0.05;
  bool twice_limit_is_zero = false;  // the release: above twice the limit 0, and nothing is graded
};

// 1 up to `soft`, then down half a cosine to `floor` at `limit`.
double length_factor(std::size_t tokens, const LengthRules& rules = {});

// mean / target up to the target, (1 - mean) / (1 - target) beyond; 0 at means 0 and 1 and for targets 0 and 1.
double tent(double mean, double target = 0.5);

struct SolverRules {
  LengthRules length;
  CoverageRules coverage;
  CallFormat format = CallFormat::kSearchTag;
  std::size_t most_searches = 3;  // that earn the bonus
  // The release: an empty thought is one, several searches of a turn make up for turns without, an answer may be left
  // open in an earlier turn, and a rollout that was hardly judged has 0 for its rubric.
  bool release = false;
};

// A rollout before it is graded. A token is a word between white space.
struct SolverReading {
  double thoughts = 0;  // share of turns that begin with a closed thought
  double searches = 0;  // valid searches / (turns - 1), at most one a turn; 0 with one turn
  bool answered = false;
  double format = 0;             // mean of the three
  std::size_t all_searches = 0;  // of all turns
  double search_bonus = 0;       // 0 to 1
  std::string answer;            // "" without one
  std::string graded;            // its first `limit` tokens
  std::size_t tokens = 0;        // of the answer
  double length = 1;             // factor of the rubric score
};
SolverReading read_solver(const std::vector<Turn>& turns, const SolverRules& rules = {});

struct RubricReward {
  RewardValue value;       // length * score; nullopt: not scored
  std::string not_judged;  // why
};
// 0 without an answer, and with a format of 0.
RubricReward solver_rubric_reward(const SolverReading& reading, const Rubric& rubric,
                                  std::span<const RewardValue> verdicts, const SolverRules& rules = {});

struct ChallengerRules {
  double target = 0.5;  // of the tent
  CallFormat format = CallFormat::kSearchTag;
  double least_scored = 0.5;  // share of rollouts that must have a score
  double lowest = 0.2;        // of the filter, both ends included
  double highest = 0.8;
  bool release = false;  // an opening thought anywhere counts; rollouts without answer or score are left out
};

struct ChallengerReading {
  double thoughts = 0;
  double searches = 0;  // (valid - invalid turns) / searches asked for, within 0 to 1
  bool last_turn_has_task = false;
  double format = 0;                // mean of the three; 0 without a task
  std::optional<std::string> task;  // the last closed one of any turn
};
// `asked`: searches asked for; nullopt: the turns before the last.
ChallengerReading read_challenger(const std::vector<Turn>& turns, std::optional<std::size_t> asked,
                                  const ChallengerRules& rules = {});

struct RolloutScore {
  bool answered = false;
  RewardValue score;  // nullopt: not scored
};
// The mean over a task's rollouts, one without an answer counting 0; nullopt: too few were scored (the release: none).
RewardValue mean_score(std::span<const RolloutScore> rollouts, const ChallengerRules& rules = {});

// Whether a task of that mean score is kept.
bool within_filter(double mean, const ChallengerRules& rules = {});

}  // namespace harnessg::scope
