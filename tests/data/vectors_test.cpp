#include "data/vectors.h"

#include <doctest/doctest.h>
#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "data/dot.h"
#include "tests/data/random_rows.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

std::vector<Scored> best_by_sorting(const Matrix& rows, std::span<const float> query, std::size_t k) {
  std::vector<Scored> all;
  for (std::uint32_t r = 0; r < rows.rows; ++r) all.push_back({r, dot(query, rows.row(r))});
  std::sort(all.begin(), all.end(), ranks_before);
  all.resize(std::min(k, all.size()));
  return all;
}

void check_best(const Matrix& rows, const Matrix& queries) {
  const VectorTable table = VectorTable::create(rows).value();
  for (std::size_t q = 0; q < queries.rows; ++q)
    for (const std::size_t k : {0u, 1u, 6u, 20u, 150u, 990u, 1000u, 1001u, 5000u})
      REQUIRE(table.best(queries.row(q), k) == best_by_sorting(rows, queries.row(q), k));
}

Matrix rows_of(std::size_t dim, std::vector<float> values) { return {values.size() / dim, dim, std::move(values)}; }

// Vectors of the recorded file, which are integers / 2048.
Matrix grid_rows(const nlohmann::json& rows) {
  Matrix matrix{rows.size(), rows.at(0).size(), {}};
  for (const auto& row : rows)
    for (const auto& value : row) matrix.values.push_back(value.get<float>() / 2048);
  return matrix;
}

std::string read_compressed(const std::filesystem::path& file) {
  gzFile in = gzopen(file.c_str(), "rb");
  REQUIRE(in != nullptr);
  std::string text, buffer(1 << 16, '\0');
  int got = 0;
  while ((got = gzread(in, buffer.data(), 1 << 16)) > 0) text.append(buffer, 0, static_cast<std::size_t>(got));
  gzclose(in);
  return text;
}

std::vector<std::uint32_t> ids_of(const std::vector<Scored>& best) {
  std::vector<std::uint32_t> ids;
  for (const Scored& scored : best) ids.push_back(scored.id);
  return ids;
}

}  // namespace

TEST_CASE("the best rows are those of a full sort by the canonical dot product") {
  for (const std::size_t dim : {3u, 64u, 384u})
    check_best(random_unit_rows(1000, dim, dim), random_unit_rows(5, dim, dim + 1));
}

TEST_CASE("the best rows are right where all of them are nearly tied") {
  check_best(random_unit_rows(1000, 384, 7, 1e-7), random_unit_rows(5, 384, 8));
  check_best(random_unit_rows(1000, 384, 9, 1e-5), random_unit_rows(5, 384, 10));
}

TEST_CASE("tied rows come in id order") {
  Matrix rows = random_unit_rows(1, 16, 3);
  for (int i = 0; i < 10; ++i) {
    const std::vector<float> copy = rows.values;
    rows.values.insert(rows.values.end(), copy.begin(), copy.end());
    rows.rows *= 2;
  }
  check_best(rows, random_unit_rows(3, 16, 4));
}

TEST_CASE("a query need not be of unit length") {
  Matrix queries = random_unit_rows(4, 64, 12);
  for (float& value : queries.values) value *= 50;
  check_best(random_unit_rows(1000, 64, 11, 1e-6), queries);
}

TEST_CASE("recorded ties are broken by the smaller id") {
  const auto file = shared_data("conformance/ties.json.gz");
  if (!file) return;
  const auto recorded = nlohmann::json::parse(read_compressed(*file));
  std::vector<float> query;
  for (const auto& value : recorded["query_vec"]) query.push_back(value.get<float>() / 2048);
  const auto best = [&](const char* vectors, std::size_t k) {
    return ids_of(VectorTable::create(grid_rows(recorded[vectors])).value().best(query, k));
  };
  const auto& expected = recorded["init_spec"];
  CHECK(best("paragraph_vec", 20) == expected["paragraphs"].get<std::vector<std::uint32_t>>());
  CHECK(best("entity_vec", 8) == expected["entities"].get<std::vector<std::uint32_t>>());
  CHECK(best("sentence_vec", 8) == expected["lists"][1].get<std::vector<std::uint32_t>>());
}

TEST_CASE("threads that search one table get the same rows and keep their own OpenMP setting") {
  const Matrix rows = random_unit_rows(2000, 64, 5), queries = random_unit_rows(20, 64, 6);
  const VectorTable table = VectorTable::create(rows).value();
  std::vector<std::vector<Scored>> alone;
  for (std::size_t q = 0; q < queries.rows; ++q) alone.push_back(table.best(queries.row(q), 10));
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&] {
      omp_set_num_threads(3);
      for (std::size_t q = 0; q < queries.rows; ++q) count += table.best(queries.row(q), 10) != alone[q];
      count += omp_get_max_threads() != 3;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("rows that are not of unit length are refused by number") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {0.5f, 0.0f, 1.002f, nan, infinity}) {
    const auto table = VectorTable::create(rows_of(2, {1, 0, 0, 1, bad, 0}));
    REQUIRE_FALSE(table);
    CHECK(table.error().code == ErrorCode::kBadInput);
    CHECK(table.error().message.find("row 2") != std::string::npos);
  }
  CHECK(VectorTable::create(rows_of(2, {1, 0, 0.9995f, 0})));
}

TEST_CASE("a matrix whose size disagrees with its values is refused") {
  CHECK_FALSE(VectorTable::create(Matrix{2, 2, {1, 0, 0}}));
  CHECK_FALSE(VectorTable::create(Matrix{2, 0, {}}));
}

TEST_CASE("a table without rows answers with nothing") {
  const VectorTable table = VectorTable::create(Matrix{0, 4, {}}).value();
  CHECK(table.size() == 0);
  CHECK(table.dim() == 4);
  CHECK(table.best(std::vector<float>{1, 0, 0, 0}, 5).empty());
}

TEST_CASE("a saved table loads with the same bits") {
  const TemporaryFolder folder;
  for (const Matrix& rows : {random_unit_rows(50, 24, 1), Matrix{0, 24, {}}}) {
    const VectorTable table = VectorTable::create(rows).value();
    REQUIRE(table.save(folder / "rows.faiss"));
    const VectorTable loaded = VectorTable::load(folder / "rows.faiss").value();
    REQUIRE(loaded.size() == rows.rows);
    CHECK(loaded.dim() == 24);
    for (std::size_t r = 0; r < rows.rows; ++r)
      CHECK(std::memcmp(loaded.row(r).data(), rows.row(r).data(), 24 * sizeof(float)) == 0);
    CHECK(loaded.memory_bytes() >= rows.values.size() * sizeof(float));
  }
}

TEST_CASE("a table file that is cut, lengthened or damaged in its header is refused by name") {
  const TemporaryFolder folder;
  const auto file = folder / "rows.faiss";
  REQUIRE(VectorTable::create(random_unit_rows(5, 8, 1)).value().save(file));
  const std::string whole = read_bytes(file);
  const auto refused = [&](const std::string& bytes) {
    write_bytes(file, bytes);
    const auto table = VectorTable::load(file);
    return !table && table.error().code == ErrorCode::kCorrupt &&
           table.error().message.find(file.string()) != std::string::npos;
  };
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(refused(whole.substr(0, size)));
  }
  CHECK(refused(whole + '\0'));
  constexpr std::size_t kUnusedBegin = 16, kUnusedEnd = 33, kHeaderEnd = 45;  // 16 unused bytes and "trained"
  for (std::size_t at = 0; at < kHeaderEnd; ++at) {
    if (at >= kUnusedBegin && at < kUnusedEnd) continue;
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      CAPTURE(at);
      CHECK(refused(bytes));
    }
  }
  std::string not_finite = whole;
  std::memcpy(not_finite.data() + kHeaderEnd, "\0\0\xc0\x7f", 4);
  CHECK(refused(not_finite));
}

TEST_CASE("missing files and full disks are told apart") {
  const TemporaryFolder folder;
  const auto missing = VectorTable::load(folder / "none.faiss");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::kNotFound);
  const VectorTable table = VectorTable::create(random_unit_rows(5, 8, 1)).value();
  CHECK(table.save(folder / "no" / "rows.faiss").error().code == ErrorCode::kNotFound);
  if (std::filesystem::exists("/dev/full")) {
    const Status full = table.save("/dev/full");
    REQUIRE_FALSE(full);
    CHECK(full.error().code == ErrorCode::kIo);
    CHECK(full.error().message.find("/dev/full") != std::string::npos);
  }
}
