// Seeded vectors for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "data/embedder.h"

// `noise` around one common direction: 1 spreads the rows over the sphere, 1e-7 makes all of them nearly tied.
inline harnessg::Matrix random_unit_rows(std::size_t rows, std::size_t dim, std::uint64_t seed, double noise = 1) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> common(dim), row(dim);
  for (double& value : common) value = noise == 1 ? 0 : normal(generator);
  harnessg::Matrix matrix{rows, dim, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (std::size_t j = 0; j < dim; ++j) {
      row[j] = common[j] + noise * normal(generator);
      squares += row[j] * row[j];
    }
    for (const double value : row) matrix.values.push_back(static_cast<float>(value / std::sqrt(squares)));
  }
  return matrix;
}
