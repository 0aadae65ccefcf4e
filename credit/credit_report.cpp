#include "credit/credit_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "credit/action_name.h"
#include "credit/context_batch.h"

namespace harnessg {
namespace {

using Json = nlohmann::ordered_json;

std::string_view text_of(const Trace& trace, SentenceId sentence) {
  const auto at = trace.sentences.find(index(sentence));
  return at == trace.sentences.end() ? std::string_view{} : std::string_view(at->second.text);
}

Json step_json(const TraceStep& step, const StepCredit& credit) {
  Json frontier = Json::array();
  for (const AlternativeCredit& alternative : credit.frontier) {
    frontier.push_back(
        {{"action", action_id(alternative.position)}, {"score", alternative.score}, {"gain", alternative.gain}});
  }
  return {{"step", credit.step},
          {"event", event_name(step.event)},
          {"action", step.position ? Json(action_id(*step.position)) : Json(nullptr)},
          {"score_before", credit.score_before},
          {"score_taken", credit.score_taken},
          {"gain", credit.gain},
          {"frontier", std::move(frontier)},
          {"baseline", credit.baseline},
          {"r_frontier", credit.r_fr},
          {"r_enabling", credit.r_en},
          {"bonus", credit.bonus},
          {"total", credit.total}};
}

using Lines = std::back_insert_iterator<std::string>;

void print_sentences(Lines out, const Trace& trace, const char* title, const std::vector<SentenceId>& sentences) {
  fmt::format_to(out, "  {} ({})\n", title, sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    fmt::format_to(out, "    [{}] {}\n", i + 1, text_of(trace, sentences[i]));
  }
}

void print_step(Lines out, const Trace& trace, const EpisodeCredit& episode, const StepCredit& credit) {
  const TraceStep& step = trace.steps[credit.step];
  const std::uint32_t position = step.position.value_or(0);
  fmt::format_to(out, "step {} {} {}: total {:+.4f}, frontier {:+.4f}, enabling {:+.4f}", credit.step,
                 event_name(step.event), action_name(trace, step, position), credit.total, credit.r_fr, credit.r_en);
  fmt::format_to(out, "{}\n", credit.bonus == 0 ? std::string{} : fmt::format(", bonus {:+.4f}", credit.bonus));
  print_sentences(out, trace, "seen before", context_before(trace, credit.step));
  if (step.event == Event::kLookup) print_sentences(out, trace, "new", step.outcome.new_sentences);
  fmt::format_to(out, "  taken: g {:.4f} -> {:.4f}, gain {:+.4f}\n", credit.score_before, credit.score_taken,
                 credit.gain);
  for (const AlternativeCredit& other : credit.frontier) {
    fmt::format_to(out, "  instead {}: g {:.4f}, gain {:+.4f}\n", action_name(trace, step, other.position), other.score,
                   other.gain);
  }
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (const auto& [t, u] : episode.edges) {
    if (u == credit.step) from.push_back(t);
    if (t == credit.step) to.push_back(u);
  }
  if (!from.empty()) fmt::format_to(out, "  builds on step {}\n", fmt::join(from, ", "));
  if (!to.empty()) fmt::format_to(out, "  made possible step {}\n", fmt::join(to, ", "));
}

}  // namespace

std::string credit_json(const Trace& trace, const EpisodeCredit& credit) {
  Json line{{"question_id", trace.question_id}, {"seed", trace.seed}};
  if (credit.not_scored) {
    line["not_scored"] = {{"reason", reason_name(credit.not_scored->reason)}, {"message", credit.not_scored->message}};
    return line.dump();
  }
  line["not_scored"] = nullptr;
  line["steps"] = Json::array();
  for (const StepCredit& step : credit.steps) line["steps"].push_back(step_json(trace.steps[step.step], step));
  line["edges"] = credit.edges;
  return line.dump();
}

std::string explain_credit(const Trace& trace, const EpisodeCredit& credit) {
  std::string text;
  const Lines out(text);
  fmt::format_to(out, "question {}: {}\nanswers: {}\n", trace.question_id, trace.question,
                 fmt::join(trace.answers, " | "));
  if (credit.not_scored) {
    fmt::format_to(out, "no credit ({}): {}\n", reason_name(credit.not_scored->reason), credit.not_scored->message);
  }
  for (const StepCredit& step : credit.steps) print_step(out, trace, credit, step);
  return text;
}

}  // namespace harnessg
