#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bench/misses.h"
#include "bench/plots.h"
#include "bench/report.h"

namespace harnessg::bench {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>harnessg bench</title><style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1080px; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 0.8em 0; } th, td { padding: 3px 9px; text-align: right; }
th { font-weight: 600; border-bottom: 1px solid #999; } td:first-child, th:first-child { text-align: left; }
td small { color: #777; } tr:nth-child(even) td { background: #f6f6f6; } .wide { overflow-x: auto; }
figure { margin: 1em 0; } figcaption { font-weight: 600; } svg text { font: 12px system-ui, sans-serif; }
svg { max-width: 100%; height: auto; } dt { font-weight: 600; } dd { margin: 0 0 4px 1.5em; }
</style></head><body>
)";

// The figures that are plotted, of each section.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPlotted = {{
    {"reach", "first view"},
    {"reach", "seen, greedy"},
    {"reach", "seen"},
    {"reach", "selected"},
    {"retrieval", "R@5"},
    {"retrieval", "all gold@5"},
    {"play", "all seen, paragraphs"},
    {"play", "all seen, answer"},
    {"play", "F1"},
    {"collapse", "two classes or more"},
    {"collapse", "query forms"},
    {"collapse", "ACR, recall of seen, paragraphs"},
}};

std::string cell_of(const Figure* figure) {
  if (figure == nullptr) return "<td></td>";
  return fmt::format("<td title=\"{} questions\">{:.3f}<br><small>{:.3f} – {:.3f}</small></td>", figure->questions,
                     figure->value, figure->low, figure->high);
}

std::string table_of(const SectionTable& table) {
  std::string html = "<div class=\"wide\"><table><tr><th></th>";
  for (const std::string& column : table.columns) html += fmt::format("<th>{}</th>", escaped(column));
  html += "</tr>\n";
  for (std::size_t s = 0; s < table.subjects.size(); ++s) {
    html += fmt::format("<tr><td>{}</td>", escaped(table.subjects[s]));
    for (const Figure* figure : table.cells[s]) html += cell_of(figure);
    html += "</tr>\n";
  }
  html += "</table></div>\n<details><summary>What the columns are</summary><dl>\n";
  for (const std::string& column : table.columns) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(column), escaped(meaning_of(table.section, column)));
  }
  return html + "</dl></details>\n";
}

std::string plots_of(const SectionTable& table) {
  std::string html;
  for (const auto& [section, column] : kPlotted) {
    const auto at = std::find(table.columns.begin(), table.columns.end(), column);
    if (section != table.section || at == table.columns.end()) continue;
    std::vector<Bar> bars;
    for (std::size_t s = 0; s < table.subjects.size(); ++s) {
      const Figure* const figure = table.cells[s][static_cast<std::size_t>(at - table.columns.begin())];
      if (figure != nullptr) bars.push_back({table.subjects[s], figure->value, figure->low, figure->high});
    }
    html += bar_chart(column, bars);
  }
  return html;
}

// Along training: one line a figure over the checkpoints.
std::string series_of(const SectionTable& table, const std::vector<std::string>& series) {
  if (series.size() < 2) return {};
  std::vector<Line> lines;
  for (const auto& [section, column] : kPlotted) {
    const auto at = std::find(table.columns.begin(), table.columns.end(), column);
    if (section != table.section || at == table.columns.end()) continue;
    Line line{std::string(column), {}};
    for (const std::string& name : series) {
      const auto subject = std::find(table.subjects.begin(), table.subjects.end(), name);
      if (subject == table.subjects.end()) continue;
      const Figure* const figure = table.cells[static_cast<std::size_t>(subject - table.subjects.begin())]
                                              [static_cast<std::size_t>(at - table.columns.begin())];
      if (figure != nullptr) line.values.push_back(figure->value);
    }
    if (line.values.size() == series.size()) lines.push_back(std::move(line));
  }
  return lines.empty() ? std::string() : line_chart("Along the checkpoints", series, lines);
}

std::string misses_of(const Report& report) {
  std::string html;
  for (const auto& [level, reasons] : report.misses) {
    html += fmt::format("<h3>Missed: {}</h3><table><tr><th>reason</th><th>questions</th></tr>\n", escaped(level));
    for (std::size_t i = kMissReasons; i-- > 0;) {
      const auto at = reasons.find(std::string(reason_name(static_cast<MissReason>(i))));
      if (at != reasons.end())
        html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n",
                            escaped(reason_description(static_cast<MissReason>(i))), at->second);
    }
    html += "</table>\n";
  }
  return html;
}

std::string left_out_of(const Report& report) {
  if (report.left_out.empty()) return {};
  std::string html = fmt::format("<details><summary>{} of {} questions without all of their gold</summary><ul>\n",
                                 report.left_out.size(), report.asked);
  for (const LeftOut& one : report.left_out) {
    html += fmt::format("<li>{}: {} ({})</li>\n", escaped(one.id), escaped(gap_name(one.gap)), escaped(one.what));
  }
  return html + "</ul></details>\n";
}

std::string description_of(const Report& report) {
  std::string html = "<table>\n";
  const auto description = nlohmann::ordered_json::parse(report.description);
  for (const auto& [name, value] : description.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    html += fmt::format("<tr><td>{}</td><td style=\"text-align: left\">{}</td></tr>\n", escaped(name), escaped(text));
  }
  return html + "</table>\n";
}

}  // namespace

std::string report_page(const Report& report) {
  std::string html(kHead);
  html += "<h1>What can be found, what is found, and whether it collapses</h1>\n";
  html += fmt::format("<p>{} questions. Values are means over questions with {:.0f} % bootstrap intervals.</p>\n",
                      report.asked, 100 * kLevel);
  html += left_out_of(report);
  for (const SectionTable& table : section_tables(report.figures, report.subjects)) {
    html += fmt::format("<h2>{}</h2>\n", escaped(table.title)) + plots_of(table) + series_of(table, report.series) +
            table_of(table);
    if (table.section == "reach") html += misses_of(report);
  }
  return html + "<h2>What was measured</h2>\n" + description_of(report) + "</body></html>\n";
}

}  // namespace harnessg::bench
