// Rows to figures: means, misses, differences.
#include <algorithm>
#include <unordered_map>

#include "bench/bootstrap.h"
#include "bench/report.h"

namespace harnessg::bench {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::vector<const Row*> in_order(std::span<const Row> rows) {
  std::vector<const Row*> sorted;
  for (const Row& row : rows) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const Row* a, const Row* b) { return a->number < b->number; });
  return sorted;
}

}  // namespace

std::vector<Figure> summarise(std::span<const Row> rows, std::uint64_t seed) {
  std::map<std::string, std::vector<double>> columns;
  for (const Row* row : in_order(rows))
    for (const auto& [name, value] : row->values) columns[name].push_back(value);
  std::vector<Figure> figures;
  for (const auto& [name, values] : columns) {
    const auto [low, high] = bootstrap_interval(values, kResamples, kLevel, seed);
    figures.push_back({name, mean_of(values), low, high, values.size()});
  }
  return figures;
}

std::map<std::string, std::map<std::string, std::size_t>> count_misses(std::span<const Row> rows) {
  std::map<std::string, std::map<std::string, std::size_t>> misses;
  for (const Row& row : rows)
    for (const auto& [level, reason] : row.missed) ++misses[level][reason];
  return misses;
}

std::vector<Difference> paired_differences(std::span<const Row> a, std::span<const Row> b, std::uint64_t seed) {
  std::unordered_map<std::string, const Row*> by_id;
  for (const Row& row : b) by_id.emplace(row.id, &row);
  struct Pairs {
    std::vector<double> a, b, differences;
  };
  std::map<std::string, Pairs> columns;
  for (const Row* row : in_order(a)) {
    const auto other = by_id.find(row->id);
    if (other == by_id.end()) continue;
    for (const auto& [name, value] : row->values) {
      const auto at = other->second->values.find(name);
      if (at == other->second->values.end()) continue;
      Pairs& pairs = columns[name];
      pairs.a.push_back(value);
      pairs.b.push_back(at->second);
      pairs.differences.push_back(at->second - value);
    }
  }
  std::vector<Difference> differences;
  for (const auto& [name, pairs] : columns) {
    const auto [low, high] = bootstrap_interval(pairs.differences, kResamples, kLevel, seed);
    const auto count = [&](auto holds) {
      return static_cast<std::size_t>(std::count_if(pairs.differences.begin(), pairs.differences.end(), holds));
    };
    differences.push_back({name, mean_of(pairs.a), mean_of(pairs.b), low, high, count([](double d) { return d > 0; }),
                           count([](double d) { return d < 0; }), pairs.differences.size()});
  }
  return differences;
}

}  // namespace harnessg::bench
