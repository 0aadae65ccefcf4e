#include "bench/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harnessg::bench {
namespace {

constexpr double kLabelWidth = 230;
constexpr double kPlotWidth = 380;
constexpr double kBarHeight = 20;
constexpr double kLineHeight = 200;
constexpr std::array<std::string_view, 6> kColours = {"#3b6ea5", "#c06c3c", "#4d8b57", "#8a5a9e", "#a8873a", "#58808a"};

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

std::string segment(double x1, double y1, double x2, double y2, std::string_view colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     colour);
}

std::string figure_around(std::string_view title, double width, double height, const std::string& content) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "role=\"img\" aria-label=\"{}\">\n{}</svg></figure>\n",
      escaped(title), width, height, width, height, escaped(title), content);
}

std::string bar_of(const Bar& bar, double y, double scale) {
  const auto x_of = [&](double value) { return kLabelWidth + std::max(0.0, value) * scale; };
  const double middle = y + kBarHeight / 2;
  std::string svg = text_at(kLabelWidth - 8, middle + 4, "end", bar.label);
  svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", kLabelWidth,
                     y + 3, x_of(bar.value) - kLabelWidth, kBarHeight - 6, kColours[0]);
  svg += segment(x_of(bar.low), middle, x_of(bar.high), middle, "#222");
  return svg + text_at(x_of(std::max(bar.high, bar.value)) + 6, middle + 4, "start", fmt::format("{:.3f}", bar.value));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bar_chart(std::string_view title, const std::vector<Bar>& bars, double most) {
  for (const Bar& bar : bars) most = std::max({most, bar.value, bar.high});
  std::string svg = segment(kLabelWidth, 0, kLabelWidth, kBarHeight * static_cast<double>(bars.size()), "#999");
  double y = 0;
  for (const Bar& bar : bars) {
    svg += bar_of(bar, y, kPlotWidth / most);
    y += kBarHeight;
  }
  return figure_around(title, kLabelWidth + kPlotWidth + 60, y + 4, svg);
}

std::string line_chart(std::string_view title, const std::vector<std::string>& ticks, const std::vector<Line>& lines) {
  double most = 1;
  for (const Line& line : lines)
    for (const double value : line.values) most = std::max(most, value);
  constexpr double kLeft = 40;
  const double step = kPlotWidth / static_cast<double>(std::max<std::size_t>(ticks.size() - 1, 1));
  const auto y_of = [&](double value) { return 10 + (1 - value / most) * kLineHeight; };
  std::string svg = segment(kLeft, y_of(0), kLeft + kPlotWidth, y_of(0), "#999") +
                    segment(kLeft, y_of(0), kLeft, y_of(most), "#999") + text_at(kLeft - 4, y_of(0) + 4, "end", "0") +
                    text_at(kLeft - 4, y_of(most) + 4, "end", fmt::format("{:.3g}", most));
  for (std::size_t i = 0; i < ticks.size(); ++i)
    svg += text_at(kLeft + step * static_cast<double>(i), y_of(0) + 16, "middle", ticks[i]);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view colour = kColours[n % kColours.size()];
    std::string points;
    for (std::size_t i = 0; i < lines[n].values.size(); ++i)
      points += fmt::format("{:.1f},{:.1f} ", kLeft + step * static_cast<double>(i), y_of(lines[n].values[i]));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    const double y = 20 + 16 * static_cast<double>(n);
    svg += segment(kLeft + kPlotWidth + 30, y - 4, kLeft + kPlotWidth + 50, y - 4, colour) +
           text_at(kLeft + kPlotWidth + 56, y, "start", lines[n].label);
  }
  return figure_around(title, kLeft + kPlotWidth + 320, kLineHeight + 40, svg);
}

}  // namespace harnessg::bench
