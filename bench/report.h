// A benchmark's rows summed up: means with intervals, tables by section, JSON, a page, and paired differences.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/datasets.h"
#include "bench/row.h"
#include "data/result.h"

namespace harnessg::bench {

inline constexpr std::size_t kResamples = 1000;  // of the bootstrap over questions
inline constexpr double kLevel = 0.95;           // of its percentile intervals

// A mean over the questions that have the figure. `name` is "section/subject/figure"; a play's or collapse's subject is
// "arm/policy".
struct Figure {
  std::string name;
  double value = 0;
  double low = 0;  // the interval
  double high = 0;
  std::size_t questions = 0;
};

// By name. Resampled with seeds made of `seed`; the same rows in any order give the same figures.
std::vector<Figure> summarise(std::span<const Row> rows, std::uint64_t seed);

// How many questions are missed at which level for which reason.
std::map<std::string, std::map<std::string, std::size_t>> count_misses(std::span<const Row> rows);

// One section as rows (subjects) and columns (figures), in the order in which they are defined.
struct SectionTable {
  std::string section;
  std::string title;
  std::vector<std::string> subjects;
  std::vector<std::string> columns;
  std::vector<std::vector<const Figure*>> cells;  // [subject][column], null where there is none
};
// Sections without figures are left out. Refers to `figures`; `subjects` are put in the order given where they are in
// it.
std::vector<SectionTable> section_tables(std::span<const Figure> figures, std::span<const std::string> subjects);

// What a column means, one sentence.
std::string_view meaning_of(std::string_view section, std::string_view column);

struct Report {
  std::string description;  // what was measured, a JSON object: the header of the rows
  std::vector<LeftOut> left_out;
  std::size_t asked = 0;  // questions of the file
  std::vector<Figure> figures;
  std::map<std::string, std::map<std::string, std::size_t>> misses;
  std::vector<std::string> subjects;  // in the order of the call: "menu/random", ...
  std::vector<std::string> series;    // subjects that are checkpoints of one training, in order
};

std::string report_json(const Report& report);
// For a terminal: each figure with half the width of its interval.
std::string report_table(const Report& report);
// One HTML file with plots as SVG; it loads nothing.
std::string report_page(const Report& report);

// Of the questions that both have, by id: B - A.
struct Difference {
  std::string name;
  double a = 0;
  double b = 0;
  double low = 0;  // the interval of b - a
  double high = 0;
  std::size_t better = 0;  // questions where B is above A
  std::size_t worse = 0;
  std::size_t questions = 0;
};
std::vector<Difference> paired_differences(std::span<const Row> a, std::span<const Row> b, std::uint64_t seed);
std::string differences_json(std::string_view description_a, std::string_view description_b,
                             std::span<const Difference> differences);
std::string differences_table(std::span<const Difference> differences);

}  // namespace harnessg::bench
