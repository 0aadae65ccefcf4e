// Figures by section, and as text.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/misses.h"
#include "bench/report.h"

namespace harnessg::bench {
namespace {

struct Column {
  std::string_view section;
  std::string_view name;  // a name before "@" stands for every depth
  std::string_view meaning;
};

struct Section {
  std::string_view name;
  std::string_view title;
};
constexpr std::array<Section, 4> kSections = {{
    {"reach", "Reachability: what the best legal sequence of actions within the turn budget finds"},
    {"retrieval", "Retrieval baselines: the first k paragraphs of one ranking"},
    {"play", "Policies: what their episodes saw, selected and answered"},
    {"collapse", "Collapse: groups of rollouts of one question"},
}};

constexpr std::array kColumns = {
    Column{"reach", "first view", "share of questions whose gold of this level is all in the first view"},
    Column{"reach", "seen, greedy", "all seen by the action, at each turn, that shows most gold not yet seen"},
    Column{"reach", "seen", "all seen by some sequence of actions, by exact search"},
    Column{"reach", "selected", "all selected by some sequence, by exact search"},
    Column{"reach", "search gave up", "the search was cut off before it knew; counted as not reached"},
    Column{"retrieval", "R", "gold paragraphs among the first k / gold paragraphs that the corpus has"},
    Column{"retrieval", "all gold", "share of questions with all gold paragraphs among the first k"},
    Column{"retrieval", "titles", "titles of gold paragraphs among the titles of the first k / all"},
    Column{"retrieval", "all titles", "share of questions with all of these titles"},
    Column{"retrieval", "answer", "share of questions with an accepted answer as a text in the first k"},
    Column{"play", "all seen, paragraphs", "share of episodes that saw a sentence of each gold paragraph"},
    Column{"play", "all seen, sentences", "share of episodes that saw every gold sentence"},
    Column{"play", "all seen, answer", "share of episodes that saw a sentence that says an accepted answer"},
    Column{"play", "recall of seen, paragraphs", "gold paragraphs seen / all"},
    Column{"play", "recall of seen, sentences", "gold sentences seen / all"},
    Column{"play", "recall of selected, paragraphs", "gold paragraphs with a selected sentence / all"},
    Column{"play", "recall of selected, sentences", "gold sentences selected / all"},
    Column{"play", "EM", "exact match of the answer by the data set's own script"},
    Column{"play", "F1", "F1 of the answer by the data set's own script"},
    Column{"play", "cover EM", "the answer contains an accepted one, words in a row; no exact match"},
    Column{"play", "support EM", "supporting facts selected exactly, by the data set's own script"},
    Column{"play", "support F1", "F1 of the supporting facts selected, by the data set's own script"},
    Column{"play", "joint EM", "HotpotQA's joint exact match of answer and facts"},
    Column{"play", "joint F1", "HotpotQA's joint F1 of answer and facts"},
    Column{"play", "answered", "share of episodes that gave an answer"},
    Column{"play", "turns", "turns used, the first view and the answer included"},
    Column{"play", "blocked turns", "turns that were no valid action"},
    Column{"play", "lookups", "lookups, or queries"},
    Column{"play", "lookups with news", "of these, such as showed a sentence not yet seen"},
    Column{"play", "repeated lookups", "of these, such as the episode had asked before"},
    Column{"collapse", "classes", "different sets of sentences seen, a group"},
    Column{"collapse", "classes at 0.8", "classes when sets linked by a Jaccard overlap of 0.8 or more are one"},
    Column{"collapse", "two classes or more", "share of groups with at least two classes"},
    Column{"collapse", "two classes or more at 0.8", "the same with sets linked at 0.8"},
    Column{"collapse", "query forms", "different sequences of actions (or queries as written) / rollouts"},
    Column{"collapse", "ACR, EM", "advantage collapse rate: share of groups whose rewards, here EM, are all equal"},
    Column{"collapse", "ACR, F1", "the same, rewarded by F1"},
    Column{"collapse", "ACR, recall of seen, paragraphs", "the same, rewarded by the recall of gold paragraphs seen"},
    Column{"collapse", "ACR, all seen, answer", "the same, rewarded for having seen the answer"},
};

std::string_view before_depth(std::string_view column) { return column.substr(0, column.find('@')); }

std::size_t place_of(std::string_view section, std::string_view column) {
  const auto at = std::find_if(kColumns.begin(), kColumns.end(), [&](const Column& known) {
    return known.section == section && (known.name == column || known.name == before_depth(column));
  });
  return static_cast<std::size_t>(at - kColumns.begin());
}

struct NameParts {
  std::string section;
  std::string subject;
  std::string column;
};
// The subject may hold slashes, as a model's name does; columns hold none.
NameParts parts_of(const std::string& name) {
  const std::size_t first = name.find('/');
  const std::size_t last = name.rfind('/');
  return {name.substr(0, first), name.substr(first + 1, last - first - 1), name.substr(last + 1)};
}

std::size_t depth_of(std::string_view column) {
  const std::size_t at = column.find('@');
  return at == std::string_view::npos ? 0 : std::stoul(std::string(column.substr(at + 1)));
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string cell_text(const Figure* figure) {
  if (figure == nullptr) return "-";
  return fmt::format("{:.3f} ±{:.3f}", figure->value, (figure->high - figure->low) / 2);
}

// Columns as rows where there are many of them: a terminal is narrow.
std::string text_of(const SectionTable& table) {
  std::string text = fmt::format("\n{}\n", table.title);
  std::size_t width = 12;
  for (const std::string& column : table.columns) width = std::max(width, column.size());
  constexpr std::size_t kAcross = 4;
  for (std::size_t from = 0; from < table.subjects.size(); from += kAcross) {
    const std::size_t to = std::min(from + kAcross, table.subjects.size());
    text += fmt::format("{:<{}}", "", width);
    for (std::size_t s = from; s < to; ++s) text += fmt::format("  {:>22}", table.subjects[s]);
    text += '\n';
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      text += fmt::format("{:<{}}", table.columns[c], width);
      for (std::size_t s = from; s < to; ++s) text += fmt::format("  {:>22}", cell_text(table.cells[s][c]));
      text += '\n';
    }
  }
  return text;
}

std::string misses_text(const Report& report) {
  std::string text;
  for (const auto& [level, reasons] : report.misses) {
    text += fmt::format("\nMissed, {}:\n", level);
    for (std::size_t i = kMissReasons; i-- > 0;) {
      const auto reason = static_cast<MissReason>(i);
      const auto at = reasons.find(std::string(reason_name(reason)));
      if (at != reasons.end())
        text += fmt::format("{:>6}  {:<14} {}\n", at->second, at->first, reason_description(reason));
    }
  }
  return text;
}

}  // namespace

std::string_view meaning_of(std::string_view section, std::string_view column) {
  const std::size_t at = place_of(section, column);
  return at < kColumns.size() ? kColumns[at].meaning : std::string_view();
}

std::vector<SectionTable> section_tables(std::span<const Figure> figures, std::span<const std::string> subjects) {
  std::vector<SectionTable> tables;
  for (const Section& section : kSections) {
    SectionTable table{std::string(section.name), std::string(section.title), {}, {}, {}};
    std::map<std::pair<std::string, std::string>, const Figure*> cells;
    std::vector<std::string> found;
    for (const Figure& figure : figures) {
      const NameParts parts = parts_of(figure.name);
      if (parts.section != section.name) continue;
      cells[{parts.subject, parts.column}] = &figure;
      add_name(found, parts.subject);
      add_name(table.columns, parts.column);
    }
    for (const std::string& subject : subjects)
      if (std::find(found.begin(), found.end(), subject) != found.end()) table.subjects.push_back(subject);
    for (const std::string& subject : found) add_name(table.subjects, subject);
    std::sort(table.columns.begin(), table.columns.end(), [&](const std::string& a, const std::string& b) {
      return std::pair(place_of(section.name, a), depth_of(a)) < std::pair(place_of(section.name, b), depth_of(b));
    });
    for (const std::string& subject : table.subjects) {
      auto& row = table.cells.emplace_back();
      for (const std::string& column : table.columns) {
        const auto at = cells.find({subject, column});
        row.push_back(at == cells.end() ? nullptr : at->second);
      }
    }
    if (!table.subjects.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

std::string report_table(const Report& report) {
  std::string text =
      fmt::format("{} questions, {} left out or without all of their gold\n", report.asked, report.left_out.size());
  for (const SectionTable& table : section_tables(report.figures, report.subjects)) text += text_of(table);
  text += misses_text(report);
  text += fmt::format("\n±: half the width of the {:.0f} % interval, {} resamples of the questions\n", 100 * kLevel,
                      kResamples);
  return text;
}

std::string differences_table(std::span<const Difference> differences) {
  std::string text = fmt::format("{:<64} {:>8} {:>8} {:>8}  {:<18} {:>7} {:>6}\n", "", "A", "B", "B - A", "interval",
                                 "better", "worse");
  for (const Difference& d : differences) {
    const bool clear = d.low > 0 || d.high < 0;
    text += fmt::format("{:<64} {:>8.3f} {:>8.3f} {:>+8.3f}  [{:>+6.3f}, {:>+6.3f}] {} {:>6} {:>6}\n", d.name, d.a, d.b,
                        d.b - d.a, d.low, d.high, clear ? '*' : ' ', d.better, d.worse);
  }
  return text + "*: the interval of the difference does not hold 0\n";
}

}  // namespace harnessg::bench
