#include "bindings/cli/play_session.h"

#include <algorithm>

#include "data/text.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

constexpr std::string_view kHelp =
    "A3           take the action A3 of the list above (any other text is blocked and costs a turn)\n"
    "preview A3   see what A3 would show; costs nothing\n"
    "?            this help\n"
    "quit         leave\n";

std::string trimmed(const std::string& line) {
  const auto words = split_words(line);
  if (words.empty()) return {};
  const char* const end = words.back().data() + words.back().size();
  return {words.front().data(), static_cast<std::size_t>(end - words.front().data())};
}

}  // namespace

std::string describe_outcome(const Environment& environment, const Episode& episode, const Outcome& outcome) {
  const Graph& graph = environment.index().graph();
  std::string text;
  for (const SentenceId s : outcome.sentences) {
    const bool is_new =
        std::find(outcome.new_sentences.begin(), outcome.new_sentences.end(), s) != outcome.new_sentences.end();
    const auto seen = std::find(episode.seen().begin(), episode.seen().end(), s) - episode.seen().begin();
    text += fmt::format("  {:<4}{}\n", is_new ? "new" : fmt::format("S{}", seen),
                        one_line(sentence_text(graph.title(graph.paragraph(s)), graph.text(s))));
  }
  std::string names;
  for (const EntityId e : outcome.entities)
    names += fmt::format("{}{}", names.empty() ? "" : "; ", one_line(graph.surface(e)));
  if (!names.empty()) text += fmt::format("  entities: {}\n", names);
  if (outcome.ends) return text + "  the search ends\n";
  if (outcome.truncated) return text + "  the turn budget runs out\n";
  return text + fmt::format("  {} actions on the next menu\n", outcome.menu.size());
}

Status PlaySession::start() { return say_(environment_.observation(episode_) + "\n"); }

Status PlaySession::step(std::string_view text) {
  HARNESSG_RETURN_IF_ERROR(environment_.step(episode_, text));
  return say_(fmt::format("\n{}\n", environment_.observation(episode_)));
}

Status PlaySession::play(const std::vector<std::string>& actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (episode_.over()) {
      return fail(ErrorCode::kInvalidArgument, "--actions goes on with {} after the search {}; leave out the last {}",
                  actions[i], episode_.ended() ? "has ended" : "ran out of turns", actions.size() - i);
    }
    HARNESSG_RETURN_IF_ERROR(say_(fmt::format("\n> {}\n", actions[i])));
    HARNESSG_RETURN_IF_ERROR(step(actions[i]));
  }
  return {};
}

Status PlaySession::preview(std::string_view text) {
  const ParsedAction action = parse_action(text, /*initialized=*/true, episode_.menu().size());
  if (!action.valid()) return say_(fmt::format("  {}\n", action.invalid_reason));
  HARNESSG_ASSIGN(const Outcome outcome, environment_.preview(episode_, *action.position));
  return say_(describe_outcome(environment_, episode_, outcome));
}

Result<bool> PlaySession::converse(std::istream& input) {
  while (!episode_.over()) {
    HARNESSG_RETURN_IF_ERROR(say_("\n> "));
    std::string line;
    if (!std::getline(input, line)) {
      HARNESSG_RETURN_IF_ERROR(say_("\n"));
      return false;
    }
    line = trimmed(line);
    if (line == "quit") return false;
    if (line.empty()) continue;
    if (line == "?") {
      HARNESSG_RETURN_IF_ERROR(say_(kHelp));
    } else if (line.starts_with("preview ")) {
      HARNESSG_RETURN_IF_ERROR(preview(trimmed(line.substr(8))));
    } else {
      HARNESSG_RETURN_IF_ERROR(step(line));
    }
  }
  return true;
}

Status PlaySession::answer(const std::string& text) {
  HARNESSG_RETURN_IF_ERROR(environment_.answer(episode_, text));
  return say_(fmt::format("\nanswer> {}\n", one_line(text)));
}

Status PlaySession::ask_answer(std::istream& input) {
  HARNESSG_RETURN_IF_ERROR(say_("\nanswer> "));
  std::string line;
  const bool given = static_cast<bool>(std::getline(input, line));
  line = trimmed(line);
  if (!given || line.empty()) return say_("\n");
  return environment_.answer(episode_, line);
}

}  // namespace harnessg
