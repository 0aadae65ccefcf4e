// Unit rows in a byte a value: a first pass over all rows that reads a quarter of the bytes and leaves out none of the
// best. Its answer only says which rows the exact dot product has to be computed for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace harnessg {

// Where the scores of all rows lie, in row order.
struct ScoreIntervals {
  std::vector<float> middle;
  std::vector<float> radius;
};

// Row x is kept as scale * c with integers c in -127..127, and the norm of what that leaves out, |x - scale * c|. A
// query q is rounded the same way, to scale * d, when it comes. By Cauchy-Schwarz, with e for what was left out,
//   |q . x - (scale * d) . (scale * c)| <= |q| |e_x| + (|x| + |e_x|) |e_q|,
// so a row whose bound from above is under the k-th best bound from below is not among the k best. Integer products are
// exact, so which rows are named does not depend on the instruction set. Const and thread-safe.
class RowCodes {
 public:
  // Rows longer than this have no codes: their integer products would not fit 32 bits.
  static constexpr std::size_t kMostDim = 32768;

  // Row-major rows of norm at most 1.001; 1 <= dim <= kMostDim.
  RowCodes(const float* rows, std::size_t count, std::size_t dim);

  // For each query (finite, dim floats), ids of rows that hold its k best by exact dot product, ascending; more than k
  // where bounds overlap. `slack`: how far the score that decides may be from the exact dot product, one a query.
  // Queries given together are scanned together: the rows are read once.
  std::vector<std::vector<std::uint32_t>> contenders(std::span<const float* const> queries,
                                                     std::span<const double> slack, std::size_t k) const;

  // For each query an interval of every row's score: middle is the product of the rounded row and the rounded query,
  // the same bits on every machine, and the score that decides is within radius of it.
  std::vector<ScoreIntervals> intervals(std::span<const float* const> queries, std::span<const double> slack) const;

  std::size_t memory_bytes() const;

 private:
  std::size_t count_;
  std::size_t dim_;
  std::size_t stride_;  // bytes a row, a multiple of 64
  std::vector<std::int8_t> bytes_;
  std::int8_t* codes_;              // in bytes_, aligned to 64
  std::vector<float> scales_;       // a row
  std::vector<float> errors_;       // |e_x| a row, rounded up; rows that fill the last block: minus infinity
  std::vector<std::int32_t> sums_;  // of a row's codes
};

}  // namespace harnessg
