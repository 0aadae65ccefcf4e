#include "bench/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/splitmix.h"

namespace harnessg::bench {

std::pair<double, double> bootstrap_interval(std::span<const double> values, std::size_t resamples, double level,
                                             std::uint64_t seed) {
  if (values.empty() || resamples == 0) return {0, 0};
  SplitMix bits(seed);
  std::vector<double> means;
  for (std::size_t n = 0; n < resamples; ++n) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[bits.next() % values.size()];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  const double tail = (1 - level) / 2 * static_cast<double>(resamples - 1);
  const auto low = static_cast<std::size_t>(std::floor(tail));
  const auto high = static_cast<std::size_t>(std::ceil(static_cast<double>(resamples - 1) - tail));
  return {means[low], means[high]};
}

}  // namespace harnessg::bench
