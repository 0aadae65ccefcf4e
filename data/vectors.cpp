#include "data/vectors.h"

#include <faiss/IndexFlat.h>
#include <faiss/index_io.h>
#include <faiss/utils/distances.h>
#include <omp.h>

#include <algorithm>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <system_error>

#include "data/dot.h"
#include "data/ranking.h"

namespace harnessg {
namespace {

constexpr double kNormTolerance = 1e-3;
// Proposals beyond k, so that rounding seldom leaves the k-th place open.
constexpr std::size_t kSlack = 16;

// FAISS works on the calling thread alone: the engine's parallelism is outside of it. The setting belongs to the
// calling thread and is put back.
class OneOpenMpThread {
 public:
  OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneOpenMpThread() { omp_set_num_threads(before_); }
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

 private:
  int before_;
};

// FAISS would leave BLAS aside for fewer than 20 queries at once, at less than half the speed.
void use_blas_for_single_queries() {
  static const bool set = [] {
    faiss::distance_compute_blas_threshold = 1;
    return true;
  }();
  static_cast<void>(set);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string system_message(int error) { return std::generic_category().message(error); }

// More than |FAISS's score - dot()| can be. Adding d products in any order, fused or not, errs by at most
// d u / (1 - d u) times the sum of their absolute values (Higham, Accuracy and Stability of Numerical Algorithms,
// section 3.1; u = 2^-24), and that sum is at most |query| |row|, with |row| <= 1.001. Two such sums differ by twice
// that; 1.01 covers 1 / (1 - d u) and the row's norm up to d = 100,000, the last term products that underflow.
double rounding_bound(std::span<const float> query) {
  double squares = 0;
  for (const float value : query) squares += static_cast<double>(value) * value;
  const double dim = static_cast<double>(query.size());
  return 1.01 * 2 * dim * 0x1p-24 * std::sqrt(squares) + 2 * dim * FLT_TRUE_MIN;
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
  explicit Impl(std::unique_ptr<faiss::IndexFlatIP> rows) : index(std::move(rows)) { use_blas_for_single_queries(); }
  std::unique_ptr<faiss::IndexFlatIP> index;

  std::size_t rows() const { return static_cast<std::size_t>(index->ntotal); }
  std::size_t dim() const { return static_cast<std::size_t>(index->d); }

  // The k best when FAISS's k + kSlack proposals hold them for certain.
  std::optional<std::vector<Scored>> best_of_proposals(std::span<const float> query, std::size_t k) const;
  std::vector<Scored> best_of_all(std::span<const float> query, std::size_t k) const;
};

std::optional<std::vector<Scored>> VectorTable::Impl::best_of_proposals(std::span<const float> query,
                                                                        std::size_t k) const {
  const std::size_t count = k + kSlack;
  std::vector<float> proposed_scores(count);
  std::vector<std::int64_t> proposed(count);
  {
    const OneOpenMpThread one_thread;
    index->search(1, query.data(), static_cast<std::int64_t>(count), proposed_scores.data(), proposed.data());
  }
  std::vector<std::uint32_t> ids;
  ids.reserve(count);
  for (const std::int64_t id : proposed)
    if (id >= 0) ids.push_back(static_cast<std::uint32_t>(id));
  if (ids.size() < count) return std::nullopt;

  std::vector<float> scores(count);
  dot_rows(query, index->get_xb(), ids, scores);
  std::vector<Scored> best(count);
  for (std::size_t i = 0; i < count; ++i) best[i] = {ids[i], scores[i]};
  std::sort(best.begin(), best.end(), ranks_before);
  // No other row scores more than this by dot(); an equal one could have the smaller id.
  const double others = proposed_scores.back() + rounding_bound(query);
  if (!(others < best[k - 1].score)) return std::nullopt;
  best.resize(k);
  return best;
}

std::vector<Scored> VectorTable::Impl::best_of_all(std::span<const float> query, std::size_t k) const {
  std::vector<float> scores(rows());
  dot_rows(query, index->get_xb(), scores);
  return best_of(scores, k);
}

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
  k = std::min(k, size());
  if (k == 0) return {};
  if (size() - k > kSlack)
    if (auto best = impl_->best_of_proposals(query, k)) return *std::move(best);
  // Too many near ties: a wider proposal costs FAISS another pass over all rows, and so does the answer itself.
  return impl_->best_of_all(query, k);
}

std::size_t VectorTable::memory_bytes() const { return impl_->index->codes.capacity() + sizeof(Impl); }

}  // namespace harnessg
