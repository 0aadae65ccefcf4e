#include "credit/rollout_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "credit/action_name.h"

namespace harnessg {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const ActionValue& action) {
  return {{"action", action_id(action.position)}, {"value", action.value}, {"deviation", action.deviation}};
}

Json step_json(const TraceStep& step, const StepRollout& credit) {
  Json alternatives = Json::array();
  for (const ActionValue& action : credit.alternatives) alternatives.push_back(value_json(action));
  return {{"step", credit.step},
          {"event", event_name(step.event)},
          {"action", action_id(credit.taken.position)},
          {"value", credit.taken.value},
          {"deviation", credit.taken.deviation},
          {"alternatives", std::move(alternatives)},
          {"baseline", credit.baseline},
          {"credit", credit.credit},
          {"standard_error", credit.standard_error}};
}

void print_step(std::back_insert_iterator<std::string> out, const Trace& trace, const StepRollout& credit) {
  const TraceStep& step = trace.steps[credit.step];
  fmt::format_to(out, "step {} {} {}: credit {:+.4f} (standard error {:.4f})\n", credit.step, event_name(step.event),
                 action_name(trace, step, credit.taken.position), credit.credit, credit.standard_error);
  fmt::format_to(out, "  taken: value {:.4f} +- {:.4f}\n", credit.taken.value, credit.taken.deviation);
  for (const ActionValue& other : credit.alternatives) {
    fmt::format_to(out, "  instead {}: value {:.4f} +- {:.4f}\n", action_name(trace, step, other.position), other.value,
                   other.deviation);
  }
}

}  // namespace

std::string rollout_json(const Trace& trace, const EpisodeRollout& credit) {
  Json line{{"question_id", trace.question_id}, {"seed", trace.seed}};
  if (credit.not_scored) {
    line["not_scored"] = {{"reason", reason_name(credit.not_scored->reason)}, {"message", credit.not_scored->message}};
    return line.dump();
  }
  line["not_scored"] = nullptr;
  line["steps"] = Json::array();
  for (const StepRollout& step : credit.steps) line["steps"].push_back(step_json(trace.steps[step.step], step));
  return line.dump();
}

std::string explain_rollout(const Trace& trace, const EpisodeRollout& credit) {
  std::string text;
  const std::back_insert_iterator<std::string> out(text);
  fmt::format_to(out, "question {}: {}\nanswers: {}\n", trace.question_id, trace.question,
                 fmt::join(trace.answers, " | "));
  if (credit.not_scored) {
    fmt::format_to(out, "no credit ({}): {}\n", reason_name(credit.not_scored->reason), credit.not_scored->message);
  }
  for (const StepRollout& step : credit.steps) print_step(out, trace, step);
  return text;
}

}  // namespace harnessg
