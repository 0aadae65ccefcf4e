#include "credit/replay.h"

#include <algorithm>
#include <utility>

namespace harnessg {
namespace {

bool same_sentences(const Outcome& outcome, const TraceOutcome& recorded) {
  return std::ranges::equal(outcome.sentences, recorded.sentences);
}

// Of the first view, which reset() shows without an outcome.
bool same_view(const Episode& episode, const TraceOutcome& recorded) {
  return std::ranges::equal(episode.visible(), recorded.sentences, {}, &VisibleSentence::sentence);
}

tl::unexpected<Error> plays_differently(const Trace& trace, std::size_t step) {
  return fail(ErrorCode::kWrongIndex,
              "step {} of the trace (question \"{}\") shows other sentences when it is played again; the trace was "
              "recorded with another embedder or changed since",
              step, trace.question_id);
}

}  // namespace

Result<Config> config_of(const Trace& trace) {
  const auto named = std::ranges::find(trace.settings, "profile", &std::pair<std::string, std::string>::first);
  HARNESSG_ASSIGN(Config config, profile(named == trace.settings.end() ? Config{}.profile : named->second));
  for (const auto& [name, value] : trace.settings) {
    if (name != "profile") HARNESSG_RETURN_IF_ERROR(set_field(config, name, value));
  }
  HARNESSG_RETURN_IF_ERROR(validate(config));
  return config;
}

Status check_same_index(const Index& index, const Trace& trace) {
  const std::string& hash = index.manifest().content_hash;
  if (trace.index_hash == hash) return {};
  return fail(ErrorCode::kWrongIndex,
              "the trace was recorded on the index {}, this one is {}; give the index it is from", trace.index_hash,
              hash);
}

Status check_same_world(const Environment& environment, const Trace& trace) {
  HARNESSG_RETURN_IF_ERROR(check_same_index(environment.index(), trace));
  if (trace.arm != kArmMenu) {
    return fail(
        ErrorCode::kInvalidArgument,
        "the trace was played by free text (arm \"{}\") and has no menus to play again; give one that was played "
        "by menu",
        trace.arm);
  }
  const auto settings = fields(environment.config());
  const auto [own, recorded] = std::ranges::mismatch(settings, trace.settings);
  if (own == settings.end() && recorded == trace.settings.end()) return {};
  return fail(ErrorCode::kWrongIndex,
              "the trace was recorded by other settings, from \"{}\" on; make the environment with those of the trace",
              own == settings.end() ? recorded->first : own->first);
}

Result<std::vector<StateBefore>> states_before(const Environment& environment, const Trace& trace) {
  HARNESSG_RETURN_IF_ERROR(check_same_world(environment, trace));
  HARNESSG_ASSIGN(Episode episode, environment.reset({trace.question, trace.answers, trace.question_id, trace.seed}));
  std::vector<StateBefore> states;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.event == Event::kInit) {
      if (i != 0 || !same_view(episode, step.outcome)) return plays_differently(trace, i);
      continue;
    }
    if (i == 0 || episode.over()) return plays_differently(trace, i);
    states.push_back({i, episode});
    auto outcome = step.position ? environment.step(episode, std::size_t{*step.position})
                                 : environment.step(episode, std::string_view(step.text));
    HARNESSG_RETURN_IF_ERROR(outcome);
    if (outcome->invalid != (step.event == Event::kInvalid) || !same_sentences(*outcome, step.outcome)) {
      return plays_differently(trace, i);
    }
  }
  return states;
}

}  // namespace harnessg
