#include "credit/rollout.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <utility>

#include "credit/provenance.h"

namespace harnessg {
namespace {

constexpr std::uint32_t kMostRollouts = 1'000'000;
constexpr unsigned kMostThreads = 4096;

// One action of one step, to be played to the end.
struct Fork {
  std::size_t trace = 0;
  const StateBefore* state = nullptr;
  std::uint32_t position = 0;
  std::uint64_t seed = 0;  // of the step's rollouts
};

// Where its rollouts stopped: one state when the action ends the search, else one a rollout.
using Ends = std::vector<FinalState>;

FinalState end_of(const Episode& episode, std::size_t trace) {
  return {
      trace, {episode.seen().begin(), episode.seen().end()}, {episode.selected().begin(), episode.selected().end()}};
}

Status play_on(const Environment& environment, const RolloutPolicy& policy, SplitMix bits, Episode& episode) {
  while (!episode.over()) {
    const std::size_t position = policy(episode, bits);
    if (position >= episode.menu().size()) {
      return fail(ErrorCode::kInvalidArgument, "the rollout policy chose action {} of a menu of {}", position,
                  episode.menu().size());
    }
    HARNESSG_RETURN_IF_ERROR(environment.step(episode, position));
  }
  return {};
}

Result<Ends> play(const Environment& environment, const Fork& fork, const RolloutOptions& options) {
  Episode after = fork.state->episode;
  HARNESSG_RETURN_IF_ERROR(environment.step(after, std::size_t{fork.position}));
  if (after.over()) return Ends{end_of(after, fork.trace)};
  Ends ends;
  for (std::uint32_t n = 0; n < options.rollouts; ++n) {
    Episode episode = after;
    HARNESSG_RETURN_IF_ERROR(play_on(environment, options.policy, SplitMix(SplitMix::at(fork.seed, n)), episode));
    ends.push_back(end_of(episode, fork.trace));
  }
  return ends;
}

// What a library or a policy throws would end the process in a worker thread.
Result<Ends> play_caught(const Environment& environment, const Fork& fork, const RolloutOptions& options) {
  try {
    return play(environment, fork, options);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, "a rollout failed: {}", error.what());
  }
}

// The action taken, then its alternatives.
std::vector<std::uint32_t> actions_of(const TraceStep& step, const Episode& before, RolloutAlternatives alternatives) {
  std::vector<std::uint32_t> actions{*step.position};
  if (alternatives == RolloutAlternatives::kFrontier) {
    for (const Alternative& other : step.frontier) {
      if (other.position != *step.position) actions.push_back(other.position);
    }
    return actions;
  }
  for (std::uint32_t position = 0; position < before.menu().size(); ++position) {
    if (position != *step.position) actions.push_back(position);
  }
  return actions;
}

// All forks of all traces, the action taken first among those of a step.
std::vector<Fork> forks_of(std::span<const ReplayedTrace> traces, const RolloutOptions& options) {
  std::vector<Fork> forks;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const Trace& trace = *traces[t].trace;
    const std::uint64_t seed = SplitMix::at(options.seed, trace.seed);
    for (const StateBefore& state : traces[t].states) {
      const TraceStep& step = trace.steps[state.step];
      if (!has_credit(step.event)) continue;
      for (const std::uint32_t position : actions_of(step, state.episode, options.alternatives)) {
        forks.push_back({t, &state, position, SplitMix::at(seed, state.step)});
      }
    }
  }
  return forks;
}

Result<std::vector<Result<Ends>>> play_all(const Environment& environment, std::span<const Fork> forks,
                                           const RolloutOptions& options) {
  std::vector<Result<Ends>> ends(forks.size());
  try {
    tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : static_cast<int>(options.threads));
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, forks.size(),
                        [&](std::size_t i) { ends[i] = play_caught(environment, forks[i], options); });
    });
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, "the rollouts could not be started: {}", error.what());
  }
  return ends;
}

// The values of all ends, each different end valued once.
class Values {
 public:
  static Result<Values> of(std::span<const Result<Ends>> ends, const FinalValue& value) {
    Values values;
    std::vector<FinalState> states;
    for (const Result<Ends>& list : ends) {
      if (!list) continue;
      for (const FinalState& state : *list) {
        if (values.places_.try_emplace(state, states.size()).second) states.push_back(state);
      }
    }
    if (states.empty()) return values;
    HARNESSG_ASSIGN(values.scores_, value(states));
    if (values.scores_.size() == states.size()) return values;
    return fail(ErrorCode::kBadInput, "{} ends of rollouts were to be valued and {} values came back", states.size(),
                values.scores_.size());
  }

  const Score& operator()(const FinalState& state) const { return scores_[places_.at(state)]; }

 private:
  std::map<FinalState, std::size_t> places_;
  std::vector<Score> scores_;
};

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sample_deviation(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// From the values of the rollouts of a step's actions, the action taken first; each list has one value a rollout.
StepRollout compare(std::size_t step, std::span<const Fork> forks, const std::vector<std::vector<double>>& values) {
  StepRollout result;
  result.step = step;
  std::vector<double> others(values.front().size(), 0.0);  // sums over the alternatives, by rollout
  for (std::size_t a = 0; a < forks.size(); ++a) {
    const ActionValue action{forks[a].position, mean(values[a]), sample_deviation(values[a])};
    if (a == 0) {
      result.taken = action;
      continue;
    }
    result.alternatives.push_back(action);
    result.baseline += action.value;
    for (std::size_t n = 0; n < others.size(); ++n) others[n] += values[a][n];
  }
  if (result.alternatives.empty()) return result;
  const auto count = static_cast<double>(result.alternatives.size());
  result.baseline /= count;
  result.credit = result.taken.value - result.baseline;
  std::vector<double> differences;
  for (std::size_t n = 0; n < others.size(); ++n) differences.push_back(values.front()[n] - others[n] / count);
  result.standard_error = sample_deviation(differences) / std::sqrt(static_cast<double>(differences.size()));
  return result;
}

// One value a rollout of one action, or why there is none.
tl::expected<std::vector<double>, NotScored> values_of(const Result<Ends>& ends, const Values& values,
                                                       std::uint32_t rollouts) {
  if (!ends) return tl::unexpected(NotScored{NotScoredReason::kUnavailable, ends.error().message});
  std::vector<double> list;
  for (const FinalState& end : *ends) {
    const Score& score = values(end);
    if (!score) return tl::unexpected(score.error());
    list.push_back(*score);
  }
  if (list.size() == 1) list.resize(rollouts, list.front());
  return list;
}

// Adds the step whose forks these are.
void add_step(std::span<const Fork> forks, std::span<const Result<Ends>> ends, const Values& values,
              std::uint32_t rollouts, EpisodeRollout& episode) {
  std::vector<std::vector<double>> lists;
  for (const Result<Ends>& end : ends) {
    auto list = values_of(end, values, rollouts);
    if (!list) {
      episode = {std::move(list).error(), {}};
      return;
    }
    lists.push_back(std::move(*list));
  }
  episode.steps.push_back(compare(forks.front().state->step, forks, lists));
}

}  // namespace

std::size_t uniform_choice(const Episode& episode, SplitMix& bits) { return bits.next() % episode.menu().size(); }

Status check(const RolloutOptions& options) {
  if (options.rollouts < 2 || options.rollouts > kMostRollouts) {
    return fail(ErrorCode::kInvalidArgument, "rollouts is {}; it must be from 2 to {}", options.rollouts,
                kMostRollouts);
  }
  if (options.threads > kMostThreads) {
    return fail(ErrorCode::kInvalidArgument, "threads is {}; it must be at most {}, or 0 for all", options.threads,
                kMostThreads);
  }
  if (!options.policy) return fail(ErrorCode::kInvalidArgument, "there is no rollout policy; give one");
  return {};
}

Result<std::vector<EpisodeRollout>> rollout_credit(const Environment& environment,
                                                   std::span<const ReplayedTrace> traces, const FinalValue& value,
                                                   const RolloutOptions& options) {
  HARNESSG_RETURN_IF_ERROR(check(options));
  for (const ReplayedTrace& replayed : traces) {
    if (options.alternatives != RolloutAlternatives::kFrontier || replayed.trace->with_frontier) continue;
    return fail(ErrorCode::kInvalidArgument,
                "the trace of question \"{}\" was recorded without its frontiers; record it with them, or compare with "
                "the whole menu",
                replayed.trace->question_id);
  }
  const std::vector<Fork> forks = forks_of(traces, options);
  HARNESSG_ASSIGN(const std::vector<Result<Ends>> ends, play_all(environment, forks, options));
  HARNESSG_ASSIGN(const Values values, Values::of(ends, value));
  std::vector<EpisodeRollout> result(traces.size());
  for (std::size_t begin = 0; begin < forks.size();) {
    std::size_t end = begin + 1;
    while (end < forks.size() && forks[end].state == forks[begin].state) ++end;
    EpisodeRollout& episode = result[forks[begin].trace];
    if (!episode.not_scored) {
      add_step(std::span(forks).subspan(begin, end - begin), std::span(ends).subspan(begin, end - begin), values,
               options.rollouts, episode);
    }
    begin = end;
  }
  return result;
}

}  // namespace harnessg
