// One unit vector a node, and exact nearest neighbours among them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "data/embedder.h"
#include "data/result.h"
#include "data/row_codes.h"

namespace harnessg {

struct Scored {
  std::uint32_t id = 0;  // row, that is node index
  float score = 0;

  friend bool operator==(const Scored&, const Scored&) = default;
};

// The one order of the engine: score descending, id ascending.
constexpr bool ranks_before(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// The one dot product that decides an order. Sixteen partial sums in float32, combined in a fixed tree, no fused
// multiply-add: the same bits on every machine, whatever instructions it has. Both sides have the same length.
float dot(std::span<const float> a, std::span<const float> b);

// Rows in a FAISS flat inner-product index. Const and thread-safe after construction; movable.
class VectorTable {
 public:
  // Takes unit rows (kBadInput naming the first row whose norm differs from 1 by more than 1e-3, or that is not
  // finite).
  static Result<VectorTable> create(Matrix rows);
  // FAISS's own file format. kNotFound or kIo when the file cannot be opened, kCorrupt naming it when it holds anything
  // but one such index of unit rows.
  static Result<VectorTable> load(const std::filesystem::path& file);
  // kIo naming the file; the file may then be incomplete.
  Status save(const std::filesystem::path& file) const;

  VectorTable(VectorTable&&) noexcept;
  VectorTable& operator=(VectorTable&&) noexcept;
  ~VectorTable();

  std::size_t size() const;
  std::size_t dim() const;
  std::span<const float> row(std::size_t id) const;

  // The k best rows by dot(), ranks_before order; exact: a scan of the rows rounded to bytes (row_codes.h) names those
  // that can be among them. All rows when k is larger. `query` is finite.
  std::vector<Scored> best(std::span<const float> query, std::size_t k) const;
  // Of several queries of dim() floats each; the same as one by one, with one scan for all of them.
  std::vector<std::vector<Scored>> best(std::span<const float* const> queries, std::size_t k) const;
  // For each query where dot() of every row lies (row_codes.h).
  std::vector<ScoreIntervals> intervals(std::span<const float* const> queries) const;
  // Makes now what best() would make at its first call: the rounded rows, a quarter of the vectors' memory.
  void make_ready() const;

  std::size_t memory_bytes() const;

 private:
  struct Impl;
  explicit VectorTable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace harnessg
