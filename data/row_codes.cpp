#include "data/row_codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace harnessg {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kQueries = 16;   // scanned side by side, a lane each
constexpr std::size_t kRows = 4;       // scored by one call of a kernel
constexpr std::size_t kRowBlock = 64;  // read for all queries before the next ones: 24 KiB of 384 dimensions
constexpr int kShift = 128;            // makes a query's codes unsigned, as the byte products want one side
constexpr float kNever = -std::numeric_limits<float>::infinity();

// Up to sixteen queries: values of lane l at [l], and codes for four dimensions at a time: [dim / 4][lane][dim % 4].
struct alignas(kAlign) QueryGroup {
  float scale[kQueries] = {};
  float per_error[kQueries] = {};  // bound = per_error * |e_x| + constant
  float constant[kQueries] = {};
  float threshold[kQueries];  // no row whose bound from above is smaller can be among the k best
  const std::uint8_t* codes = nullptr;
};

struct RowBlock {
  const std::int8_t* codes;
  std::size_t stride;
  const float* scales;
  const float* errors;
  const std::int32_t* sums;
};

// Bounds from above of kRows rows for sixteen queries, [row][lane]; bit row * 16 + lane is set where one reaches the
// lane's threshold.
using Kernel = std::uint64_t (*)(const RowBlock& rows, const QueryGroup& group, float* above);

__attribute__((always_inline)) inline std::uint64_t bounds_portable(const RowBlock& rows, const QueryGroup& group,
                                                                    float* above) {
  std::uint64_t reached = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    std::int32_t sums[kQueries] = {};
    const std::int8_t* row = rows.codes + r * rows.stride;
    for (std::size_t four = 0; four < rows.stride / 4; ++four) {
      const std::uint8_t* packed = group.codes + four * 4 * kQueries;
      for (std::size_t lane = 0; lane < kQueries; ++lane) {
        for (std::size_t j = 0; j < 4; ++j) sums[lane] += packed[lane * 4 + j] * row[four * 4 + j];
      }
    }
    const float error = rows.errors[r];
    for (std::size_t lane = 0; lane < kQueries; ++lane) {
      const float product = static_cast<float>(sums[lane] - kShift * rows.sums[r]);
      const float bound = group.per_error[lane] * error + group.constant[lane];
      above[r * kQueries + lane] = rows.scales[r] * group.scale[lane] * product + bound;
      reached |= std::uint64_t{above[r * kQueries + lane] >= group.threshold[lane]} << (r * kQueries + lane);
    }
  }
  return reached;
}

std::uint64_t portable(const RowBlock& rows, const QueryGroup& group, float* above) {
  return bounds_portable(rows, group, above);
}

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined registers of its own intrinsics for ours (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
__attribute__((target("avx2"))) std::uint64_t avx2(const RowBlock& rows, const QueryGroup& group, float* above) {
  return bounds_portable(rows, group, above);
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) std::uint64_t avx512vnni(const RowBlock& rows,
                                                                                const QueryGroup& group, float* above) {
  __m512i sums[kRows] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                         _mm512_setzero_si512()};
  const std::int8_t* row = rows.codes;
  for (std::size_t byte = 0; byte < rows.stride; byte += 4) {
    const __m512i query = _mm512_load_si512(group.codes + byte * kQueries);
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t four;
      std::memcpy(&four, row + r * rows.stride + byte, sizeof(four));
      sums[r] = _mm512_dpbusd_epi32(sums[r], query, _mm512_set1_epi32(four));
    }
  }
  std::uint64_t reached = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    const __m512i shifted = _mm512_sub_epi32(sums[r], _mm512_set1_epi32(kShift * rows.sums[r]));
    const __m512 bound = _mm512_add_ps(_mm512_mul_ps(_mm512_load_ps(group.per_error), _mm512_set1_ps(rows.errors[r])),
                                       _mm512_load_ps(group.constant));
    const __m512 scale = _mm512_mul_ps(_mm512_load_ps(group.scale), _mm512_set1_ps(rows.scales[r]));
    const __m512 sum = _mm512_add_ps(_mm512_mul_ps(scale, _mm512_cvtepi32_ps(shifted)), bound);
    const __mmask16 mask = _mm512_cmp_ps_mask(sum, _mm512_load_ps(group.threshold), _CMP_GE_OQ);
    _mm512_storeu_ps(above + r * kQueries, sum);
    reached |= static_cast<std::uint64_t>(mask) << (r * kQueries);
  }
  return reached;
}
#pragma GCC diagnostic pop
#endif

Kernel best_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw")) return avx512vnni;
  if (__builtin_cpu_supports("avx2")) return avx2;
#endif
  return portable;
}

struct Rounded {
  float scale = 0;
  double error = 0;  // norm of what rounding left out
  double norm = 0;   // of the row itself
};

// Writes `dim` codes.
Rounded round_row(const float* row, std::size_t dim, std::int8_t* codes) {
  float largest = 0;
  for (std::size_t j = 0; j < dim; ++j) largest = std::max(largest, std::abs(row[j]));
  Rounded rounded;
  rounded.scale = largest / 127.0f;
  const float inverse = largest > 0 ? 127.0f / largest : 0.0f;
  // Sums of squares in eight parts, so that they need not wait for each other.
  double errors[8] = {};
  double squares[8] = {};
  for (std::size_t j = 0; j < dim; ++j) {
    // Adding and taking away 1.5 * 2^23 rounds to the nearest integer, ties to even.
    const float code = (row[j] * inverse + 12582912.0f) - 12582912.0f;
    codes[j] = static_cast<std::int8_t>(code);
    const double left = static_cast<double>(row[j]) - static_cast<double>(rounded.scale) * code;
    errors[j % 8] += left * left;
    squares[j % 8] += static_cast<double>(row[j]) * row[j];
  }
  for (std::size_t part = 0; part < 8; ++part) {
    rounded.error += errors[part];
    rounded.norm += squares[part];
  }
  rounded.error = std::sqrt(rounded.error);
  rounded.norm = std::sqrt(rounded.norm);
  return rounded;
}

// A hair more than the double it comes from: sums of squares and float32 are rounded.
float rounded_up(double value) {
  return std::nextafter(static_cast<float>(value * (1 + 1e-6)), std::numeric_limits<float>::max());
}

struct Candidate {
  std::uint32_t id;
  float above;
};

// What has been found for one query: every row that was not ruled out when it was seen, and the k best bounds from
// below (a heap, smallest first).
struct Found {
  std::vector<Candidate> candidates;
  std::vector<float> below;
};

class Scan {
 public:
  Scan(std::span<const float* const> queries, std::span<const double> slack, std::size_t dim, std::size_t stride,
       std::size_t k)
      : k_(k), groups_((queries.size() + kQueries - 1) / kQueries), found_(queries.size()) {
    const std::size_t group_bytes = stride * kQueries;
    codes_.assign(groups_.size() * group_bytes + kAlign, static_cast<std::uint8_t>(kShift));
    auto* codes = reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(codes_.data()) + kAlign - 1) /
                                                  kAlign * kAlign);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      groups_[g].codes = codes + g * group_bytes;
      std::fill_n(groups_[g].threshold, kQueries, std::numeric_limits<float>::infinity());
    }
    std::vector<std::int8_t> row(dim);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      QueryGroup& group = groups_[q / kQueries];
      const std::size_t lane = q % kQueries;
      const Rounded rounded = round_row(queries[q], dim, row.data());
      group.scale[lane] = rounded.scale;
      group.per_error[lane] = rounded_up(rounded.norm + rounded.error);
      // The last terms: what may be lost by rounding in `above` itself, whose parts are at most 1.1 |q|.
      group.constant[lane] = rounded_up(1.002 * rounded.error + slack[q] + 8e-7 * rounded.norm + 1e-30);
      group.threshold[lane] = kNever;
      std::uint8_t* packed = codes + (q / kQueries) * group_bytes + lane * 4;
      for (std::size_t j = 0; j < dim; ++j)
        packed[j / 4 * 4 * kQueries + j % 4] = static_cast<std::uint8_t>(row[j] + kShift);
      found_[q].below.reserve(k + 1);
    }
  }

  void run(const std::int8_t* codes, std::size_t stride, std::span<const float> scales, std::span<const float> errors,
           std::span<const std::int32_t> sums) {
    const Kernel kernel = best_kernel();
    float above[kRows * kQueries];
    for (std::size_t begin = 0; begin < scales.size(); begin += kRowBlock) {
      const std::size_t end = std::min(begin + kRowBlock, scales.size());
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        for (std::size_t row = begin; row < end; row += kRows) {
          const RowBlock block{codes + row * stride, stride, &scales[row], &errors[row], &sums[row]};
          std::uint64_t reached = kernel(block, groups_[g], above);
          while (reached != 0) {
            const auto bit = static_cast<std::size_t>(__builtin_ctzll(reached));
            reached &= reached - 1;
            consider(g, bit % kQueries, row + bit / kQueries, errors[row + bit / kQueries], above[bit]);
          }
        }
      }
    }
  }

  // Bounds from above of every row, and from them the intervals.
  std::vector<ScoreIntervals> intervals(const std::int8_t* codes, std::size_t stride, std::size_t count,
                                        std::span<const float> scales, std::span<const float> errors,
                                        std::span<const std::int32_t> sums) {
    const Kernel kernel = best_kernel();
    std::vector<ScoreIntervals> all(found_.size());
    for (ScoreIntervals& intervals : all) {
      intervals.middle.resize(count);
      intervals.radius.resize(count);
    }
    float above[kRows * kQueries];
    for (std::size_t row = 0; row < count; row += kRows) {
      const RowBlock block{codes + row * stride, stride, &scales[row], &errors[row], &sums[row]};
      for (std::size_t q = 0; q < all.size(); ++q) {
        const QueryGroup& group = groups_[q / kQueries];
        const std::size_t lane = q % kQueries;
        if (lane == 0) kernel(block, group, above);
        for (std::size_t r = 0; r < std::min(kRows, count - row); ++r) {
          const float radius = group.per_error[lane] * errors[row + r] + group.constant[lane];
          all[q].radius[row + r] = radius;
          all[q].middle[row + r] = above[r * kQueries + lane] - radius;
        }
      }
    }
    return all;
  }

  std::vector<std::vector<std::uint32_t>> contenders() const {
    std::vector<std::vector<std::uint32_t>> ids(found_.size());
    for (std::size_t q = 0; q < found_.size(); ++q) {
      const float threshold = groups_[q / kQueries].threshold[q % kQueries];
      for (const Candidate& candidate : found_[q].candidates) {
        if (candidate.above >= threshold) ids[q].push_back(candidate.id);
      }
    }
    return ids;
  }

 private:
  void consider(std::size_t g, std::size_t lane, std::size_t row, float error, float above) {
    QueryGroup& group = groups_[g];
    if (!(above >= group.threshold[lane])) return;  // raised since, by a row of the same block
    Found& found = found_[g * kQueries + lane];
    found.candidates.push_back({static_cast<std::uint32_t>(row), above});
    const float below = above - 2 * (group.per_error[lane] * error + group.constant[lane]);
    std::vector<float>& heap = found.below;
    heap.push_back(below);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    if (heap.size() > k_) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    if (heap.size() == k_) group.threshold[lane] = heap.front();
  }

  std::size_t k_;
  std::vector<QueryGroup> groups_;
  std::vector<std::uint8_t> codes_;
  std::vector<Found> found_;
};

}  // namespace

RowCodes::RowCodes(const float* rows, std::size_t count, std::size_t dim)
    : count_(count), dim_(dim), stride_((dim + kAlign - 1) / kAlign * kAlign) {
  const std::size_t padded = (count + kRows - 1) / kRows * kRows;
  bytes_.assign(padded * stride_ + kAlign, 0);
  codes_ =
      reinterpret_cast<std::int8_t*>((reinterpret_cast<std::uintptr_t>(bytes_.data()) + kAlign - 1) / kAlign * kAlign);
  scales_.assign(padded, 0);
  errors_.assign(padded, kNever);
  sums_.assign(padded, 0);
  for (std::size_t r = 0; r < count; ++r) {
    std::int8_t* codes = codes_ + r * stride_;
    const Rounded rounded = round_row(rows + r * dim, dim, codes);
    scales_[r] = rounded.scale;
    errors_[r] = rounded_up(rounded.error);
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < dim; ++j) sum += codes[j];
    sums_[r] = sum;
  }
}

std::vector<std::vector<std::uint32_t>> RowCodes::contenders(std::span<const float* const> queries,
                                                             std::span<const double> slack, std::size_t k) const {
  Scan scan(queries, slack, dim_, stride_, std::min(k, count_));
  scan.run(codes_, stride_, scales_, errors_, sums_);
  return scan.contenders();
}

std::vector<ScoreIntervals> RowCodes::intervals(std::span<const float* const> queries,
                                                std::span<const double> slack) const {
  Scan scan(queries, slack, dim_, stride_, 1);
  return scan.intervals(codes_, stride_, count_, scales_, errors_, sums_);
}

std::size_t RowCodes::memory_bytes() const {
  return bytes_.capacity() + (scales_.capacity() + errors_.capacity()) * sizeof(float) +
         sums_.capacity() * sizeof(std::int32_t);
}

}  // namespace harnessg
