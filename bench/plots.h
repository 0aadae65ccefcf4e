// Plots as SVG, for a page that loads nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harnessg::bench {

struct Bar {
  std::string label;
  double value = 0;
  double low = 0;  // of its interval
  double high = 0;
};

struct Line {
  std::string label;
  std::vector<double> values;  // one a tick
};

// "&", "<", ">" and quotation marks made harmless.
std::string escaped(std::string_view text);

// Horizontal bars from 0 to `most`, or to the largest value where that is more, with their intervals.
std::string bar_chart(std::string_view title, const std::vector<Bar>& bars, double most = 1);

// Lines over ticks at equal distances, from 0 up.
std::string line_chart(std::string_view title, const std::vector<std::string>& ticks, const std::vector<Line>& lines);

}  // namespace harnessg::bench
