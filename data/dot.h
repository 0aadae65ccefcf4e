// The canonical dot product (declared in vectors.h) for many rows at once, and its variants per instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace harnessg {

// out[i] = dot(query, row ids[i]), the same bits as dot(); ids may repeat. `rows` is row-major with query.size() floats
// a row; out.size() == ids.size().
void dot_rows(std::span<const float> query, const float* rows, std::span<const std::uint32_t> ids,
              std::span<float> out);

// The same for the first out.size() rows.
void dot_rows(std::span<const float> query, const float* rows, std::span<float> out);

// One compiled variant. `rows` scores `count` rows; the rows are ids[0], ids[1], ... or, with ids == nullptr, 0, 1, ...
struct DotKernel {
  std::string_view name;
  float (*pair)(const float* a, const float* b, std::size_t dim);
  void (*rows)(const float* query, const float* rows, std::size_t dim, const std::uint32_t* ids, std::size_t count,
               float* out);
};

// The variants that this machine can run, the one in use first, the portable one last. All give the same bits.
std::span<const DotKernel> dot_kernels();

}  // namespace harnessg
