#include "data/row_codes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "data/splitmix.h"
#include "data/vectors.h"
#include "tests/data/random_rows.h"

using namespace harnessg;

namespace {

std::vector<std::uint32_t> best_ids(const Matrix& rows, const float* query, std::size_t k) {
  std::vector<Scored> scored;
  for (std::uint32_t r = 0; r < rows.rows; ++r) scored.push_back({r, dot({query, rows.dim}, rows.row(r))});
  std::sort(scored.begin(), scored.end(), ranks_before);
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < std::min(k, scored.size()); ++i) ids.push_back(scored[i].id);
  return ids;
}

std::vector<std::vector<std::uint32_t>> contenders(const Matrix& rows, const Matrix& queries, std::size_t k) {
  const RowCodes codes(rows.values.data(), rows.rows, rows.dim);
  std::vector<const float*> pointers;
  for (std::size_t q = 0; q < queries.rows; ++q) pointers.push_back(queries.row(q).data());
  return codes.contenders(pointers, std::vector<double>(queries.rows, 1e-4), k);
}

bool holds_all(const std::vector<std::uint32_t>& ids, const std::vector<std::uint32_t>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](std::uint32_t id) { return std::binary_search(ids.begin(), ids.end(), id); });
}

}  // namespace

TEST_CASE("the scan of rounded rows leaves out none of the best, whatever the dimension and the number of rows") {
  for (const std::size_t dim : {1, 3, 63, 64, 65, 384}) {
    for (const std::size_t count : {1, 2, 5, 64, 1001}) {
      CAPTURE(dim);
      CAPTURE(count);
      const Matrix rows = random_unit_rows(count, dim, dim * 1000 + count);
      const Matrix queries = random_unit_rows(33, dim, 7);
      const auto found = contenders(rows, queries, 10);
      REQUIRE(found.size() == 33);
      for (std::size_t q = 0; q < 33; ++q) {
        CHECK(holds_all(found[q], best_ids(rows, queries.row(q).data(), 10)));
        CHECK(std::is_sorted(found[q].begin(), found[q].end()));
        CHECK((found[q].empty() || found[q].back() < count));
      }
    }
  }
}

TEST_CASE("the scan names few rows more than asked for") {
  const Matrix rows = random_unit_rows(20000, 384, 3);
  const auto found = contenders(rows, random_unit_rows(16, 384, 4), 20);
  for (const auto& ids : found) CHECK(ids.size() < 600);
}

TEST_CASE("a query's contenders do not depend on the queries scanned beside it") {
  const Matrix rows = random_unit_rows(3000, 96, 11);
  const Matrix queries = random_unit_rows(40, 96, 12);
  const auto together = contenders(rows, queries, 8);
  for (std::size_t q = 0; q < queries.rows; ++q) {
    const auto row = queries.row(q);
    CHECK(contenders(rows, Matrix{1, 96, {row.begin(), row.end()}}, 8).front() == together[q]);
  }
}

TEST_CASE("rows that rounding cannot tell apart are all contenders") {
  Matrix rows = random_unit_rows(50, 64, 5);
  const std::vector<float> one(rows.row(7).begin(), rows.row(7).end());
  for (const std::size_t r : {20, 30, 49}) std::copy(one.begin(), one.end(), rows.values.begin() + r * 64);
  const auto found = contenders(rows, Matrix{1, 64, one}, 1).front();
  CHECK(holds_all(found, {7, 20, 30, 49}));
}

TEST_CASE("a query of zeros has every row as a contender, and a spiky one is bounded as well") {
  const Matrix rows = random_unit_rows(200, 64, 6);
  CHECK(contenders(rows, Matrix{1, 64, std::vector<float>(64, 0.0f)}, 3).front().size() == 200);
  std::vector<float> spike(64, 1e-3f);
  spike[5] = 1;
  CHECK(holds_all(contenders(rows, Matrix{1, 64, spike}, 5).front(), best_ids(rows, spike.data(), 5)));
}
