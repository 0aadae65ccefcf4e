#include "data/vectors.h"

#include <faiss/IndexFlat.h>
#include <faiss/index_io.h>

#include <algorithm>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>

#include "data/dot.h"
#include "data/ranking.h"
#include "data/row_codes.h"

namespace harnessg {
namespace {

constexpr double kNormTolerance = 1e-3;
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string system_message(int error) { return std::generic_category().message(error); }

// More than |dot() - the exact dot product| can be. Adding d products in any order errs by at most d u / (1 - d u)
// times the sum of their absolute values (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1; u =
// 2^-24), and that sum is at most |query| |row|, with |row| <= 1.001. 1.01 covers 1 / (1 - d u) and the row's norm up
// to d = 100,000, the last term products that underflow.
double rounding_bound(std::span<const float> query) {
  double squares = 0;
  for (const float value : query) squares += static_cast<double>(value) * value;
  const double dim = static_cast<double>(query.size());
  return 1.01 * dim * 0x1p-24 * std::sqrt(squares) + dim * FLT_TRUE_MIN;
}

Status check_unit_rows(const float* values, std::size_t rows, std::size_t dim, ErrorCode code, std::string_view what) {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<const float> row(values + r * dim, dim);
    const double norm = std::sqrt(static_cast<double>(dot(row, row)));
    if (!(std::abs(norm - 1) <= kNormTolerance))
      return fail(code, "{}: row {} has norm {}, but rows must be L2-normalised and finite", what, r, norm);
  }
  return {};
}

Result<File> open_file(const std::filesystem::path& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (file) return file;
  const int error = errno;
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: cannot be opened: {}", path.string(),
              system_message(error));
}

// FAISS believes the sizes it reads and allocates them, so they are compared with the file's own size first. A flat
// inner-product index (FAISS's index_write.cpp) is "IxFI", int32 dimension, int64 rows, 16 unused bytes, bool trained,
// int32 metric (0: inner product), uint64 number of floats, the floats. Leaves the file at its beginning.
Status check_header(std::FILE* file, const std::filesystem::path& path) {
  constexpr std::size_t kHeaderBytes = 45;
  char header[kHeaderBytes];
  if (std::fread(header, 1, kHeaderBytes, file) != kHeaderBytes || std::memcmp(header, "IxFI", 4) != 0)
    return fail(ErrorCode::kCorrupt, "{}: not a FAISS flat inner-product index", path.string());
  std::int32_t dim, metric;
  std::int64_t rows;
  std::uint64_t floats;
  std::memcpy(&dim, header + 4, sizeof(dim));
  std::memcpy(&rows, header + 8, sizeof(rows));
  std::memcpy(&metric, header + 33, sizeof(metric));
  std::memcpy(&floats, header + 37, sizeof(floats));
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) return fail(ErrorCode::kIo, "{}: {}", path.string(), error.message());
  const bool plausible = metric == faiss::METRIC_INNER_PRODUCT && dim >= 0 && rows >= 0 &&
                         static_cast<std::uint64_t>(rows) <= std::numeric_limits<std::uint32_t>::max() &&
                         floats == static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(dim) &&
                         (bytes - kHeaderBytes) % sizeof(float) == 0 &&
                         (bytes - kHeaderBytes) / sizeof(float) == floats;
  if (!plausible)
    return fail(ErrorCode::kCorrupt, "{}: {} bytes do not hold the {} vectors of dimension {} that its header names",
                path.string(), bytes, rows, dim);
  std::rewind(file);
  return {};
}

}  // namespace

struct VectorTable::Impl {
  explicit Impl(std::unique_ptr<faiss::IndexFlatIP> rows) : index(std::move(rows)) {}

  std::unique_ptr<faiss::IndexFlatIP> index;
  std::once_flag coded;
  std::optional<RowCodes> codes;

  std::size_t rows() const { return static_cast<std::size_t>(index->ntotal); }
  std::size_t dim() const { return static_cast<std::size_t>(index->d); }

  void make_codes() {
    std::call_once(coded, [&] {
      if (rows() > 0 && dim() <= RowCodes::kMostDim) codes.emplace(index->get_xb(), rows(), dim());
    });
  }
};

VectorTable::VectorTable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VectorTable::VectorTable(VectorTable&&) noexcept = default;
VectorTable& VectorTable::operator=(VectorTable&&) noexcept = default;
VectorTable::~VectorTable() = default;

Result<VectorTable> VectorTable::create(Matrix rows) {
  if (rows.values.size() != rows.rows * rows.dim || (rows.dim == 0 && rows.rows > 0) ||
      rows.rows > std::numeric_limits<std::uint32_t>::max())
    return fail(ErrorCode::kBadInput, "a matrix of {} rows and {} columns cannot hold {} values", rows.rows, rows.dim,
                rows.values.size());
  HARNESSG_RETURN_IF_ERROR(check_unit_rows(rows.values.data(), rows.rows, rows.dim, ErrorCode::kBadInput, "vectors"));
  auto index = std::make_unique<faiss::IndexFlatIP>(static_cast<std::int64_t>(rows.dim));
  if (rows.rows > 0) index->add(static_cast<std::int64_t>(rows.rows), rows.values.data());
  return VectorTable(std::make_unique<Impl>(std::move(index)));
}

Result<VectorTable> VectorTable::load(const std::filesystem::path& path) {
  HARNESSG_ASSIGN(const File file, open_file(path, "rb"));
  HARNESSG_RETURN_IF_ERROR(check_header(file.get(), path));
  try {
    std::unique_ptr<faiss::Index> any(faiss::read_index(file.get()));
    if (dynamic_cast<faiss::IndexFlatIP*>(any.get()) == nullptr)
      return fail(ErrorCode::kCorrupt, "{}: not a FAISS flat inner-product index", path.string());
    std::unique_ptr<faiss::IndexFlatIP> index(static_cast<faiss::IndexFlatIP*>(any.release()));
    auto impl = std::make_unique<Impl>(std::move(index));
    HARNESSG_RETURN_IF_ERROR(
        check_unit_rows(impl->index->get_xb(), impl->rows(), impl->dim(), ErrorCode::kCorrupt, path.string()));
    return VectorTable(std::move(impl));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kCorrupt, "{}: FAISS cannot read it: {}", path.string(), error.what());
  }
}

Status VectorTable::save(const std::filesystem::path& path) const {
  HARNESSG_ASSIGN(File file, open_file(path, "wb"));
  try {
    faiss::write_index(impl_->index.get(), file.get());
  } catch (const std::exception& error) {
    return fail(ErrorCode::kIo, "{}: cannot be written: {}", path.string(), error.what());
  }
  // What is still buffered may meet a full disk.
  const bool flushed = std::fflush(file.get()) == 0;
  const int flush_error = errno;
  if (!flushed) return fail(ErrorCode::kIo, "{}: cannot be written: {}", path.string(), system_message(flush_error));
  if (std::fclose(file.release()) != 0)
    return fail(ErrorCode::kIo, "{}: cannot be written: {}", path.string(), system_message(errno));
  return {};
}

std::size_t VectorTable::size() const { return impl_->rows(); }
std::size_t VectorTable::dim() const { return impl_->dim(); }

std::span<const float> VectorTable::row(std::size_t id) const { return {impl_->index->get_xb() + id * dim(), dim()}; }

std::vector<Scored> VectorTable::best(std::span<const float> query, std::size_t k) const {
  const float* const one = query.data();
  return best(std::span(&one, 1), k).front();
}

std::vector<std::vector<Scored>> VectorTable::best(std::span<const float* const> queries, std::size_t k) const {
  std::vector<std::vector<Scored>> best(queries.size());
  k = std::min(k, size());
  if (k == 0) return best;
  make_ready();
  std::vector<float> scores;
  if (!impl_->codes) {
    scores.resize(size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      dot_rows({queries[q], dim()}, impl_->index->get_xb(), scores);
      best[q] = best_of(scores, k);
    }
    return best;
  }
  std::vector<double> slack;
  for (const float* query : queries) slack.push_back(rounding_bound({query, dim()}));
  const auto contenders = impl_->codes->contenders(queries, slack, k);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const std::vector<std::uint32_t>& ids = contenders[q];
    scores.resize(ids.size());
    dot_rows({queries[q], dim()}, impl_->index->get_xb(), ids, scores);
    for (std::size_t i = 0; i < ids.size(); ++i) best[q].push_back({ids[i], scores[i]});
    std::partial_sort(best[q].begin(), best[q].begin() + static_cast<std::ptrdiff_t>(k), best[q].end(), ranks_before);
    best[q].resize(k);
  }
  return best;
}

std::vector<ScoreIntervals> VectorTable::intervals(std::span<const float* const> queries) const {
  make_ready();
  std::vector<double> slack;
  for (const float* query : queries) slack.push_back(rounding_bound({query, dim()}));
  if (impl_->codes) return impl_->codes->intervals(queries, slack);
  std::vector<ScoreIntervals> all(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    all[q].middle.resize(size());
    all[q].radius.assign(size(), 0);
    dot_rows({queries[q], dim()}, impl_->index->get_xb(), all[q].middle);
  }
  return all;
}

void VectorTable::make_ready() const { impl_->make_codes(); }

std::size_t VectorTable::memory_bytes() const {
  return impl_->index->codes.capacity() + (impl_->codes ? impl_->codes->memory_bytes() : 0) + sizeof(Impl);
}

}  // namespace harnessg
