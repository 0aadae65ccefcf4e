#include "data/precomputed.h"

#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/npy.h"
#include "data/vectors.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

constexpr double kNormTolerance = 1e-3;
constexpr std::array<const char*, 3> kFiles = {"paragraph.npy", "sentence.npy", "entity.npy"};
constexpr std::array<const char*, 3> kKinds = {"paragraphs", "sentences", "entities"};

Status check_unit_rows(const Matrix& matrix, const fs::path& file) {
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const double norm = std::sqrt(static_cast<double>(dot(matrix.row(r), matrix.row(r))));
    if (!(std::abs(norm - 1) <= kNormTolerance))
      return fail(ErrorCode::kBadInput, "{}: row {} has norm {}; divide every row by its L2 norm", file.string(), r,
                  norm);
  }
  return {};
}

// Over the dimension and all values, paragraphs first; 32 hex digits, the same on any machine.
std::string version_of(std::span<const Matrix> matrices) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  const std::uint64_t dim = matrices.front().dim;
  XXH3_128bits_update(state.get(), &dim, sizeof(dim));
  for (const Matrix& matrix : matrices)
    XXH3_128bits_update(state.get(), matrix.values.data(), matrix.values.size() * sizeof(float));
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<std::array<Matrix, 3>> read_folder(const fs::path& folder) {
  std::array<Matrix, 3> matrices;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    HARNESSG_ASSIGN(matrices[kind], read_npy(folder / kFiles[kind]));
    if (matrices[kind].dim != matrices[0].dim)
      return fail(ErrorCode::kBadInput, "{}: has dimension {}, but {} has {}", (folder / kFiles[kind]).string(),
                  matrices[kind].dim, kFiles[0], matrices[0].dim);
    HARNESSG_RETURN_IF_ERROR(check_unit_rows(matrices[kind], folder / kFiles[kind]));
  }
  return matrices;
}

Result<std::array<Matrix, 3>> split_file(const fs::path& file, const NodeCounts& counts) {
  HARNESSG_ASSIGN(const Matrix all, read_npy(file));
  const std::uint64_t due = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (all.rows != due)
    return fail(ErrorCode::kBadInput, "{}: has {} rows, but {} paragraphs, {} sentences and {} entities need {}",
                file.string(), all.rows, counts[0], counts[1], counts[2], due);
  HARNESSG_RETURN_IF_ERROR(check_unit_rows(all, file));
  std::array<Matrix, 3> matrices;
  auto begin = all.values.begin();
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const auto end = begin + static_cast<std::ptrdiff_t>(counts[kind] * all.dim);
    matrices[kind] = {counts[kind], all.dim, std::vector<float>(begin, end)};
    begin = end;
  }
  return matrices;
}

// The whole of a file that may be compressed.
Result<std::string> read_text(const fs::path& file) {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in) return fail(ErrorCode::kIo, "{}: cannot be opened; check its permissions", file.string());
  std::string text, buffer(1u << 18, '\0');
  int got = 0;
  while ((got = gzread(in.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0)
    text.append(buffer, 0, static_cast<std::size_t>(got));
  int error = Z_OK;
  gzerror(in.get(), &error);
  if (got < 0 || error != Z_OK)
    return fail(ErrorCode::kBadInput, "{}: is cut short or damaged; write it again", file.string());
  return text;
}

Result<std::vector<std::string>> read_texts(const fs::path& file) {
  HARNESSG_ASSIGN(const std::string text, read_text(file));
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array()) return fail(ErrorCode::kBadInput, "{}: must be one JSON list of query texts", file.string());
  std::vector<std::string> texts;
  texts.reserve(json.size());
  for (const auto& item : json) {
    if (!item.is_string())
      return fail(ErrorCode::kBadInput, "{}: item {} of the list is no text", file.string(), texts.size());
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

Result<fs::path> find_texts_file(const fs::path& folder) {
  for (const char* name : {"queries.json", "queries.json.gz"})
    if (std::error_code error; fs::exists(folder / name, error)) return folder / name;
  return fail(ErrorCode::kNotFound, "{}: has neither queries.json nor queries.json.gz", folder.string());
}

// Whether the nodes' matrices beside the queries, if there are any, are those of the index.
Status check_same_nodes(const fs::path& folder, const EmbedderInfo& info) {
  if (std::error_code error; !fs::exists(folder / kFiles[0], error)) return {};
  HARNESSG_ASSIGN(const auto matrices, read_folder(folder));
  if (const std::string version = version_of(matrices); version != info.version)
    return fail(ErrorCode::kWrongIndex, "{}: its matrices (version {}) are not those that the index holds (version {})",
                folder.string(), version, info.version);
  return {};
}

}  // namespace

Result<PrecomputedVectors> read_precomputed_vectors(const fs::path& path, const NodeCounts& counts) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  HARNESSG_ASSIGN(auto matrices, folder ? read_folder(path) : split_file(path, counts));
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const fs::path file = folder ? path / kFiles[kind] : path;
    if (matrices[kind].rows != counts[kind])
      return fail(ErrorCode::kBadInput, "{}: has {} rows, but the graph has {} {}; compute the vectors for this graph",
                  file.string(), matrices[kind].rows, counts[kind], kKinds[kind]);
    if (matrices[kind].dim == 0) return fail(ErrorCode::kBadInput, "{}: its rows are empty", file.string());
  }
  const fs::path named = path.has_filename() ? path : path.parent_path();  // "folder/" is "folder"
  EmbedderInfo info{"precomputed:" + (folder ? named.filename() : named.stem()).string(), version_of(matrices),
                    static_cast<std::uint32_t>(matrices[0].dim), ""};
  return PrecomputedVectors{std::move(matrices[0]), std::move(matrices[1]), std::move(matrices[2]), std::move(info)};
}

Result<PrecomputedQueries> PrecomputedQueries::open(const fs::path& folder, const EmbedderInfo& info) {
  PrecomputedQueries queries;
  queries.info_ = info;
  const fs::path matrix_file = folder / "query.npy";
  HARNESSG_ASSIGN(queries.vectors_, read_npy(matrix_file));
  const Matrix& vectors = queries.vectors_;
  if (vectors.dim != info.dim)
    return fail(ErrorCode::kWrongIndex, "{}: has dimension {}, but the index has {}", matrix_file.string(), vectors.dim,
                info.dim);
  HARNESSG_RETURN_IF_ERROR(check_unit_rows(vectors, matrix_file));
  HARNESSG_RETURN_IF_ERROR(check_same_nodes(folder, info));
  HARNESSG_ASSIGN(const fs::path texts_file, find_texts_file(folder));
  HARNESSG_ASSIGN(std::vector<std::string> texts, read_texts(texts_file));
  if (texts.size() != vectors.rows)
    return fail(ErrorCode::kBadInput, "{}: has {} texts, but {} has {} rows", texts_file.string(), texts.size(),
                matrix_file.string(), vectors.rows);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto [place, added] = queries.rows_.try_emplace(std::move(texts[i]), i);
    if (!added && !std::ranges::equal(vectors.row(place->second), vectors.row(i)))
      return fail(ErrorCode::kBadInput, "{}: items {} and {} are the same text, but their vectors differ",
                  texts_file.string(), place->second, i);
  }
  return queries;
}

Result<Matrix> PrecomputedQueries::embed_passages(std::span<const std::string>) const {
  return fail(ErrorCode::kUnavailable,
              "{} has no vectors of passage texts: passages come from paragraph.npy, sentence.npy and entity.npy",
              info_.name);
}

Result<Matrix> PrecomputedQueries::embed_queries(std::span<const std::string> texts) const {
  Matrix matrix{texts.size(), vectors_.dim, {}};
  matrix.values.reserve(texts.size() * vectors_.dim);
  for (const std::string& text : texts) {
    const auto found = rows_.find(text);
    if (found == rows_.end())
      return fail(ErrorCode::kBadInput, "{} has no vector of the query \"{}\"; add it to queries.json and query.npy",
                  info_.name, text);
    const auto row = vectors_.row(found->second);
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  }
  return matrix;
}

}  // namespace harnessg
