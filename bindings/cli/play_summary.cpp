#include "bindings/cli/play_summary.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "bindings/cli/report_table.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

enum class Standing : std::uint8_t { kNotSeen, kSeen, kSelected };

constexpr std::string_view standing_name(Standing standing) {
  switch (standing) {
    case Standing::kSelected:
      return "selected";
    case Standing::kSeen:
      return "seen    ";
    case Standing::kNotSeen:
      break;
  }
  return "not seen";
}

// What was found of one kind of gold node.
struct Found {
  std::size_t all = 0;
  std::size_t seen = 0;
  std::size_t selected = 0;

  void add(Standing standing) {
    ++all;
    seen += standing != Standing::kNotSeen ? 1 : 0;
    selected += standing == Standing::kSelected ? 1 : 0;
  }
  std::string text(std::string_view noun) const {
    return fmt::format("{} of {} {} seen, {} of {} selected", seen, all, noun, selected, all);
  }
};

template <class Matches>
Standing standing(const Episode& episode, Matches matches) {
  if (std::any_of(episode.selected().begin(), episode.selected().end(), matches)) return Standing::kSelected;
  if (std::any_of(episode.seen().begin(), episode.seen().end(), matches)) return Standing::kSeen;
  return Standing::kNotSeen;
}

std::string ending(const Episode& episode) {
  if (episode.truncated()) return ", the budget ran out";
  return episode.ended() ? "" : ", the search is not over";
}

std::string sentence_line(const Graph& graph, SentenceId s) {
  return one_line(sentence_text(graph.title(graph.paragraph(s)), graph.text(s)));
}

void add_selected(ReportTable& table, const Graph& graph, const Episode& episode) {
  if (episode.selected().empty()) table.row("selected", "nothing");
  bool first = true;
  for (const SentenceId s : episode.selected()) {
    const auto at = std::find(episode.seen().begin(), episode.seen().end(), s) - episode.seen().begin();
    table.row(first ? "selected" : "", fmt::format("S{} | {}", at, sentence_line(graph, s)));
    first = false;
  }
}

void add_gold_sentences(ReportTable& table, const Graph& graph, const Episode& episode,
                        std::span<const SentenceId> gold) {
  Found found;
  for (const SentenceId s : gold) {
    const Standing how = standing(episode, [s](SentenceId other) { return other == s; });
    table.row(found.all == 0 ? "gold" : "", fmt::format("{} | {}", standing_name(how), sentence_line(graph, s)));
    found.add(how);
  }
  table.row("evidence", found.text("gold sentences"));
}

void add_gold_paragraphs(ReportTable& table, const Graph& graph, const Episode& episode,
                         std::span<const ParagraphId> gold) {
  Found found;
  for (const ParagraphId p : gold) {
    const Standing how = standing(episode, [&](SentenceId s) { return graph.paragraph(s) == p; });
    table.row(found.all == 0 ? "gold" : "", fmt::format("{} | {}", standing_name(how), one_line(graph.title(p))));
    found.add(how);
  }
  table.row("evidence", found.text("gold paragraphs"));
}

void add_gold(ReportTable& table, const Graph& graph, const Episode& episode, const QuestionRecord& question) {
  if (question.supporting_facts.empty()) return;
  const ResolvedFacts facts = FactResolver(graph).resolve(question);
  if (!facts.sentences.empty()) {
    add_gold_sentences(table, graph, episode, facts.sentences);
  } else if (!facts.paragraphs.empty()) {
    add_gold_paragraphs(table, graph, episode, facts.paragraphs);
  }
  for (const std::string& missing : facts.missing) table.row("not in index", one_line(missing));
}

}  // namespace

std::string play_summary(const Environment& environment, const Episode& episode, const QuestionRecord& question) {
  const Graph& graph = environment.index().graph();
  ReportTable table;
  table.row("question", one_line(question.question));
  table.row("turns", fmt::format("{} of {}{}", episode.turn(), environment.config().turn_budget, ending(episode)));
  add_selected(table, graph, episode);
  table.row("answer", episode.answered() ? one_line(episode.answer()) : "none given");
  if (!question.answers.empty()) table.row("expected", one_line(fmt::format("{}", fmt::join(question.answers, " | "))));
  add_gold(table, graph, episode, question);
  return "\nSUMMARY\n" + table.text();
}

}  // namespace harnessg
