// The text block of the free-query arm.
#include <fmt/format.h>

#include <algorithm>

#include "data/label.h"
#include "engine/free_query.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

void section(std::string& out, std::string_view name, const std::vector<std::string>& lines) {
  out += fmt::format("\n{}:\n", name);
  if (lines.empty()) out += "- none\n";
  for (const std::string& line : lines) out += line + '\n';
}

// "S3 | Title: text" of each.
std::vector<std::string> sentence_lines(const Graph& graph, const FreeQueryEpisode& episode) {
  std::vector<std::string> lines;
  for (const SentenceId s : episode.visible()) {
    const auto number = std::ranges::find(episode.seen(), s) - episode.seen().begin();
    lines.push_back(
        fmt::format("S{} | {}", number, one_line(sentence_text(graph.title(graph.paragraph(s)), graph.text(s)))));
  }
  return lines;
}

}  // namespace

std::string FreeQueryArm::observation(const FreeQueryEpisode& episode) const {
  const Graph& graph = environment_->world().graph;
  std::string out = fmt::format("[HARNESS_G_OBS]\nstep: {}\nmode: {}\n", episode.turn_,
                                options_.transition_matched ? kArmMatched : kArmFreeQuery);
  if (episode.ended()) {
    out += "event: ANSWER\n";
    section(out, "answer", {one_line(*episode.answer_)});
    return out + "[/HARNESS_G_OBS]";
  }
  if (episode.turns_.empty()) {
    section(out, "question", {one_line(episode.question().text)});
    section(out, "visible_sentences", sentence_lines(graph, episode));
  } else if (const auto& [text, outcome, position] = episode.turns_.back(); outcome.invalid) {
    out += fmt::format("event: INVALID_ACTION\n\ninvalid_action: {}\ninvalid_reason: {}\n", one_line(text),
                       one_line(outcome.invalid_reason));
  } else {
    out += "event: QUERY\n";
    section(out, "query", {one_line(text)});
    if (outcome.lookup) {
      const EntityId entity = outcome.lookup->entity();
      section(out, "target_entity",
              {fmt::format("{} | {}", one_line(graph.surface(entity)), label_name(graph.label(entity)))});
    }
    section(out, "new_visible_sentences", sentence_lines(graph, episode));
  }
  const std::string_view instruction =
      episode.truncated_ ? "The turn budget is used up: the search is over without an answer."
                         : "Write one search query, or give the final answer in <answer>...</answer>.";
  out += fmt::format("\ninstruction:\n{}\n", instruction);
  return out + "[/HARNESS_G_OBS]";
}

}  // namespace harnessg
