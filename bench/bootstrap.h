// Percentile intervals of a mean by resampling.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace harnessg::bench {

// The interval that holds `level` of the means of `resamples` samples drawn with replacement, as many values each. A
// pure function of the values in their order and the seed. Of no values (0, 0), of one its value twice.
std::pair<double, double> bootstrap_interval(std::span<const double> values, std::size_t resamples, double level,
                                             std::uint64_t seed);

}  // namespace harnessg::bench
