#include "data/dot.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "data/vectors.h"

using namespace harnessg;

namespace {

// The definition, one rounded operation at a time; volatile keeps the compiler from fusing or reordering any.
float defined_dot(std::span<const float> a, std::span<const float> b) {
  volatile float lanes[16] = {};
  for (std::size_t i = 0; i < a.size(); ++i) {
    volatile float product = a[i] * b[i];
    lanes[i % 16] = lanes[i % 16] + product;
  }
  for (std::size_t half = 8; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) lanes[j] = lanes[j] + lanes[j + half];
  return lanes[0];
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// Numbers of every size: ordinary, denormal, tiny, large, zeros of both signs.
std::vector<float> mixed_numbers(std::size_t count, std::mt19937_64& generator) {
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = normal(generator);
    switch (generator() % 8) {
      case 0:
        number *= 1e-40f;
        break;
      case 1:
        number *= 1e-20f;
        break;
      case 2:
        number *= 1e15f;
        break;
      case 3:
        number = number < 0 ? -0.0f : 0.0f;
        break;
      case 4:
        number = std::numeric_limits<float>::denorm_min();
        break;
      default:
        break;
    }
  }
  return numbers;
}

std::vector<float> ordinary_numbers(std::size_t count, std::mt19937_64& generator) {
  std::normal_distribution<float> normal(0, 0.05f);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(generator);
  return numbers;
}

std::vector<std::size_t> dimensions() {
  std::vector<std::size_t> dims{128, 255, 384, 385, 399, 768, 1000, 1024};
  for (std::size_t dim = 0; dim <= 70; ++dim) dims.push_back(dim);
  return dims;
}

}  // namespace

TEST_CASE("every compiled variant of the dot product gives the bits of its definition") {
  CHECK(dot_kernels().back().name == "portable");
  std::mt19937_64 generator(1);
  for (const std::size_t dim : dimensions()) {
    for (int repetition = 0; repetition < 40; ++repetition) {
      const bool mixed = repetition % 2 == 0;
      const auto a = mixed ? mixed_numbers(dim, generator) : ordinary_numbers(dim, generator);
      const auto b = mixed ? mixed_numbers(dim, generator) : ordinary_numbers(dim, generator);
      const std::uint32_t expected = bits(defined_dot(a, b));
      REQUIRE(bits(dot(a, b)) == expected);
      for (const DotKernel& kernel : dot_kernels()) {
        CAPTURE(std::string(kernel.name));
        REQUIRE(bits(kernel.pair(a.data(), b.data(), dim)) == expected);
      }
    }
  }
}

TEST_CASE("no variant fuses a multiplication with an addition") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11; unrounded, the last term would remain.
  std::vector<float> a(17, 0.0f), b(17, 0.0f);
  a[0] = 1;
  b[0] = -(1 + 0x1p-11f);
  a[16] = b[16] = 1 + 0x1p-12f;
  CHECK(dot(a, b) == 0);
  for (const DotKernel& kernel : dot_kernels()) {
    CAPTURE(std::string(kernel.name));
    CHECK(kernel.pair(a.data(), b.data(), a.size()) == 0);
  }
}

TEST_CASE("many rows score the same bits as one by one, in any choice and number") {
  std::mt19937_64 generator(2);
  for (const std::size_t dim : {1u, 15u, 16u, 64u, 100u, 384u}) {
    constexpr std::size_t kRows = 23;
    const auto rows = mixed_numbers(kRows * dim, generator);
    const auto query = mixed_numbers(dim, generator);
    const auto one = [&](std::size_t r) { return bits(dot(query, std::span(rows).subspan(r * dim, dim))); };
    for (std::size_t count = 0; count <= 11; ++count) {
      std::vector<std::uint32_t> ids(count);
      for (auto& id : ids) id = static_cast<std::uint32_t>(generator() % kRows);
      for (const DotKernel& kernel : dot_kernels()) {
        CAPTURE(std::string(kernel.name));
        std::vector<float> out(count);
        kernel.rows(query.data(), rows.data(), dim, ids.data(), count, out.data());
        for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(out[i]) == one(ids[i]));
        kernel.rows(query.data(), rows.data(), dim, nullptr, count, out.data());
        for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(out[i]) == one(i));
      }
      std::vector<float> out(count);
      dot_rows(query, rows.data(), ids, out);
      for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(out[i]) == one(ids[i]));
      dot_rows(query, rows.data(), out);
      for (std::size_t i = 0; i < count; ++i) REQUIRE(bits(out[i]) == one(i));
    }
  }
}

TEST_CASE("a dot product is the sum of products") {
  const std::vector<float> a{1, 2, 3}, b{4, -5, 0.5f};
  CHECK(dot(a, b) == -4.5f);
  CHECK(bits(dot(std::span<const float>(), std::span<const float>())) == 0);
}
