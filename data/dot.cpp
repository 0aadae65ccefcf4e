// Bits are the same everywhere because every variant does the same float32 operations in the same order: lane j of
// sixteen adds the products of elements j, j + 16, ..., then lanes j and j + 8, j and j + 4, ... are added. Only how
// many lanes one register holds differs. The file must be compiled with -ffp-contract=off (cmake/Toolchain.cmake): a
// fused multiply-add rounds once where two operations round twice. tests/data/dot_test.cpp compares the variants.
#include "data/dot.h"

#include <array>
#include <utility>

#include "data/vectors.h"

namespace harnessg {
namespace {

#define HARNESSG_INLINE __attribute__((always_inline)) inline

constexpr std::size_t kLanes = 16;

template <std::size_t kFloats>
struct Register {
  using Type __attribute__((vector_size(kFloats * sizeof(float)))) = float;
  // The same at any address of a float array. Values of either type are never passed to a function: how that is done
  // depends on the instruction set.
  using InMemory __attribute__((vector_size(kFloats * sizeof(float)), aligned(alignof(float)), may_alias)) = float;
};

// Sixteen sums in registers of kWidth floats, with every step written out at compile time, so that they stay there.
template <std::size_t kWidth>
struct Lanes {
  using Vector = typename Register<kWidth>::Type;
  static constexpr std::size_t kParts = kLanes / kWidth;
  using Parts = std::make_index_sequence<kParts>;

  Vector part[kParts] = {};

  HARNESSG_INLINE void add_products(const float* a, const float* b) { add_products(Parts(), a, b); }

  template <std::size_t... kPart>
  HARNESSG_INLINE void add_products(std::index_sequence<kPart...>, const float* a, const float* b) {
    using InMemory = const typename Register<kWidth>::InMemory;
    ((part[kPart] +=
      *reinterpret_cast<InMemory*>(a + kPart * kWidth) * *reinterpret_cast<InMemory*>(b + kPart * kWidth)),
     ...);
  }

  HARNESSG_INLINE float sum() const {
    using Four = Register<4>::Type;
    Four four;
    if constexpr (kWidth == 16) {
      const auto eight = __builtin_shufflevector(part[0], part[0], 0, 1, 2, 3, 4, 5, 6, 7) +
                         __builtin_shufflevector(part[0], part[0], 8, 9, 10, 11, 12, 13, 14, 15);
      four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    } else if constexpr (kWidth == 8) {
      const auto eight = part[0] + part[1];
      four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    } else {
      static_assert(kWidth == 4);
      four = (part[0] + part[2]) + (part[1] + part[3]);
    }
    return (four[0] + four[2]) + (four[1] + four[3]);
  }
};

// The last elements with zeros behind them. A lane is never -0 (it starts at +0), so adding 0 * 0 changes no bit.
HARNESSG_INLINE void pad_tail(const float* from, std::size_t count, float* padded) {
  for (std::size_t j = 0; j < kLanes; ++j) padded[j] = j < count ? from[j] : 0.0f;
}

// Rows scored side by side, so that their additions do not wait for each other.
template <std::size_t kWidth, std::size_t... kRow>
HARNESSG_INLINE void score_block(std::index_sequence<kRow...>, const float* query, const float* const* rows,
                                 std::size_t dim, float* out) {
  Lanes<kWidth> sums[sizeof...(kRow)];
  std::size_t begin = 0;
  for (; begin + kLanes <= dim; begin += kLanes) (sums[kRow].add_products(query + begin, rows[kRow] + begin), ...);
  if (begin < dim) {
    float q[kLanes], r[kLanes];
    pad_tail(query + begin, dim - begin, q);
    ((pad_tail(rows[kRow] + begin, dim - begin, r), sums[kRow].add_products(q, r)), ...);
  }
  ((out[kRow] = sums[kRow].sum()), ...);
}

template <std::size_t kWidth>
HARNESSG_INLINE float score_pair(const float* a, const float* b, std::size_t dim) {
  float score;
  score_block<kWidth>(std::make_index_sequence<1>(), a, &b, dim, &score);
  return score;
}

template <std::size_t kWidth, std::size_t... kRow>
HARNESSG_INLINE void score_rows(std::index_sequence<kRow...> block, const float* query, const float* rows,
                                std::size_t dim, const std::uint32_t* ids, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + block.size() <= count; i += block.size()) {
    const float* const chosen[] = {(rows + (ids ? ids[i + kRow] : i + kRow) * dim)...};
    score_block<kWidth>(block, query, chosen, dim, out + i);
  }
  for (; i < count; ++i) out[i] = score_pair<kWidth>(query, rows + (ids ? ids[i] : i) * dim, dim);
}

#define HARNESSG_DOT_VARIANT(NAME, WIDTH, BLOCK, ...)                                                            \
  __VA_ARGS__ float pair_##NAME(const float* a, const float* b, std::size_t dim) {                               \
    return score_pair<WIDTH>(a, b, dim);                                                                         \
  }                                                                                                              \
  __VA_ARGS__ void rows_##NAME(const float* query, const float* rows, std::size_t dim, const std::uint32_t* ids, \
                               std::size_t count, float* out) {                                                  \
    score_rows<WIDTH>(std::make_index_sequence<BLOCK>(), query, rows, dim, ids, count, out);                     \
  }

#if defined(__x86_64__)
HARNESSG_DOT_VARIANT(avx512f, 16, 4, __attribute__((target("avx512f"))))
HARNESSG_DOT_VARIANT(avx2, 8, 4, __attribute__((target("avx2"))))
#endif
HARNESSG_DOT_VARIANT(portable, 4, 2, )

struct Kernels {
  std::array<DotKernel, 3> list;
  std::size_t count = 0;
};

Kernels find_kernels() {
  Kernels kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) kernels.list[kernels.count++] = {"avx512f", pair_avx512f, rows_avx512f};
  if (__builtin_cpu_supports("avx2")) kernels.list[kernels.count++] = {"avx2", pair_avx2, rows_avx2};
#endif
  kernels.list[kernels.count++] = {"portable", pair_portable, rows_portable};
  return kernels;
}

}  // namespace

std::span<const DotKernel> dot_kernels() {
  static const Kernels kernels = find_kernels();
  return std::span(kernels.list).first(kernels.count);
}

float dot(std::span<const float> a, std::span<const float> b) {
  return dot_kernels().front().pair(a.data(), b.data(), a.size());
}

void dot_rows(std::span<const float> query, const float* rows, std::span<const std::uint32_t> ids,
              std::span<float> out) {
  dot_kernels().front().rows(query.data(), rows, query.size(), ids.data(), ids.size(), out.data());
}

void dot_rows(std::span<const float> query, const float* rows, std::span<float> out) {
  dot_kernels().front().rows(query.data(), rows, query.size(), nullptr, out.size(), out.data());
}

}  // namespace harnessg
