#include "bindings/cli/credit_table.h"

#include <fmt/format.h>

#include "credit/action_name.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

// "LOOKUP A7 "Thames"", cut to the width of its column.
std::string done(const Trace& trace, std::size_t step, std::uint32_t position) {
  const TraceStep& taken = trace.steps[step];
  return one_line(fmt::format("{} {}", event_name(taken.event), action_name(trace, taken, position)));
}

}  // namespace

std::string trace_heading(std::string_view place, const Trace& trace) {
  return fmt::format("{}  {} seed {}: {}\n", place, trace.question_id.empty() ? "-" : one_line(trace.question_id),
                     trace.seed, one_line(trace.question));
}

std::string snc_table(const Trace& trace, const EpisodeCredit& credit) {
  std::string text = fmt::format("  {:>4}  {:<36}{:>9}{:>9}{:>10}{:>10}{:>10}{:>10}\n", "step", "action", "g before",
                                 "g after", "gain", "frontier", "enabling", "total");
  for (const StepCredit& step : credit.steps) {
    const std::uint32_t position = trace.steps[step.step].position.value_or(0);
    text += fmt::format("  {:>4}  {:<36.36}{:>9.4f}{:>9.4f}{:>+10.4f}{:>+10.4f}{:>+10.4f}{:>+10.4f}\n", step.step,
                        done(trace, step.step, position), step.score_before, step.score_taken, step.gain, step.r_fr,
                        step.r_en, step.total);
  }
  return text;
}

std::string rollout_table(const Trace& trace, const EpisodeRollout& credit) {
  std::string text = fmt::format("  {:>4}  {:<36}{:>9}{:>9}{:>10}{:>10}{:>7}\n", "step", "action", "value", "others",
                                 "credit", "std err", "of");
  for (const StepRollout& step : credit.steps) {
    text += fmt::format("  {:>4}  {:<36.36}{:>9.4f}{:>9.4f}{:>+10.4f}{:>10.4f}{:>7}\n", step.step,
                        done(trace, step.step, step.taken.position), step.taken.value, step.baseline, step.credit,
                        step.standard_error, step.alternatives.size());
  }
  return text;
}

}  // namespace harnessg
