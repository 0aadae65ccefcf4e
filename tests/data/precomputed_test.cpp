#include "data/precomputed.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/npy.h"
#include "tests/data/npy_file.h"
#include "tests/data/random_rows.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

constexpr NodeCounts kCounts{3, 7, 5};

struct Matrices {
  Matrix paragraph = random_unit_rows(3, 8, 1);
  Matrix sentence = random_unit_rows(7, 8, 2);
  Matrix entity = random_unit_rows(5, 8, 3);
};

void write_nodes(const TemporaryFolder& folder, const Matrices& matrices) {
  write_bytes(folder / "paragraph.npy", npy_bytes(matrices.paragraph));
  write_bytes(folder / "sentence.npy", npy_bytes(matrices.sentence));
  write_bytes(folder / "entity.npy", npy_bytes(matrices.entity));
}

void write_queries(const TemporaryFolder& folder, const Matrix& vectors, const std::vector<std::string>& texts) {
  write_bytes(folder / "query.npy", npy_bytes(vectors));
  write_bytes(folder / "queries.json", nlohmann::json(texts).dump());
}

EmbedderInfo info_of(std::uint32_t dim) { return {"precomputed:x", "0", dim, ""}; }

template <class T>
std::string error_of(const Result<T>& result, ErrorCode code) {
  REQUIRE_FALSE(result);
  CHECK(result.error().code == code);
  return result.error().message;
}

bool names(const std::string& message, std::string_view phrase) { return message.find(phrase) != std::string::npos; }

}  // namespace

TEST_CASE("a folder of matrices gives the vectors of all nodes") {
  const TemporaryFolder folder;
  const Matrices matrices;
  write_nodes(folder, matrices);
  const PrecomputedVectors vectors = read_precomputed_vectors(folder.path(), kCounts).value();
  CHECK(vectors.paragraph.values == matrices.paragraph.values);
  CHECK(vectors.sentence.values == matrices.sentence.values);
  CHECK(vectors.entity.values == matrices.entity.values);
  CHECK(vectors.info.name == "precomputed:" + folder.path().filename().string());
  CHECK(vectors.info.dim == 8);
  CHECK(vectors.info.version.size() == 32);
  CHECK(read_precomputed_vectors(folder / "", kCounts).value().info == vectors.info);
}

TEST_CASE("one file with all rows gives the same vectors and version as a folder") {
  const TemporaryFolder folder;
  const Matrices matrices;
  write_nodes(folder, matrices);
  Matrix all{15, 8, matrices.paragraph.values};
  all.values.insert(all.values.end(), matrices.sentence.values.begin(), matrices.sentence.values.end());
  all.values.insert(all.values.end(), matrices.entity.values.begin(), matrices.entity.values.end());
  write_bytes(folder / "all.npy", npy_bytes(all));
  const PrecomputedVectors one = read_precomputed_vectors(folder / "all.npy", kCounts).value();
  const PrecomputedVectors three = read_precomputed_vectors(folder.path(), kCounts).value();
  CHECK(one.paragraph.values == three.paragraph.values);
  CHECK(one.sentence.values == three.sentence.values);
  CHECK(one.entity.values == three.entity.values);
  CHECK(one.info.version == three.info.version);
  CHECK(one.info.name == "precomputed:all");
  CHECK(names(error_of(read_precomputed_vectors(folder / "all.npy", {3, 7, 6}), ErrorCode::kBadInput), "15 rows"));
}

TEST_CASE("a changed value changes the version") {
  const TemporaryFolder folder;
  Matrices matrices;
  write_nodes(folder, matrices);
  const auto before = read_precomputed_vectors(folder.path(), kCounts).value().info.version;
  matrices.entity.values[0] += 1e-6f;
  write_nodes(folder, matrices);
  CHECK(read_precomputed_vectors(folder.path(), kCounts).value().info.version != before);
}

TEST_CASE("matrices that do not fit the graph, each other or the unit sphere are refused by file") {
  const TemporaryFolder folder;
  write_nodes(folder, {});
  const auto refused = [&](const NodeCounts& counts) {
    return error_of(read_precomputed_vectors(folder.path(), counts), ErrorCode::kBadInput);
  };
  CHECK(names(refused({3, 8, 5}), "sentence.npy: has 7 rows, but the graph has 8 sentences"));
  write_bytes(folder / "entity.npy", npy_bytes(random_unit_rows(5, 9, 3)));
  CHECK(names(refused(kCounts), "entity.npy: has dimension 9"));
  Matrix long_row = random_unit_rows(5, 8, 3);
  for (std::size_t j = 16; j < 24; ++j) long_row.values[j] *= 2;
  write_bytes(folder / "entity.npy", npy_bytes(long_row));
  CHECK(names(refused(kCounts), "entity.npy: row 2 has norm 2"));
  std::filesystem::remove(folder / "entity.npy");
  CHECK(names(error_of(read_precomputed_vectors(folder.path(), kCounts), ErrorCode::kNotFound), "entity.npy"));
}

TEST_CASE("queries are found by their exact text, in any order and number") {
  const TemporaryFolder folder;
  const Matrix vectors = random_unit_rows(3, 8, 4);
  write_queries(folder, vectors, {"who?", "who? ", "où ça ?"});
  const auto queries = PrecomputedQueries::open(folder.path(), info_of(8)).value();
  CHECK(queries.size() == 3);
  const std::vector<std::string> texts{"où ça ?", "who?", "où ça ?"};
  const Matrix rows = queries.embed_queries(texts).value();
  REQUIRE(rows.rows == 3);
  CHECK(std::ranges::equal(rows.row(0), vectors.row(2)));
  CHECK(std::ranges::equal(rows.row(1), vectors.row(0)));
  CHECK(std::ranges::equal(rows.row(2), vectors.row(2)));
  CHECK(queries.embed_queries({}).value().rows == 0);
}

TEST_CASE("a query without a vector is named, and passages are refused") {
  const TemporaryFolder folder;
  write_queries(folder, random_unit_rows(1, 8, 4), {"who?"});
  const auto queries = PrecomputedQueries::open(folder.path(), info_of(8)).value();
  const std::vector<std::string> texts{"who?", "Who?"};
  CHECK(names(error_of(queries.embed_queries(texts), ErrorCode::kBadInput), "\"Who?\""));
  CHECK(names(error_of(queries.embed_passages(texts), ErrorCode::kUnavailable), "paragraph.npy"));
}

TEST_CASE("a compressed list of queries is read, a cut one refused") {
  const TemporaryFolder folder;
  write_bytes(folder / "query.npy", npy_bytes(random_unit_rows(2, 8, 4)));
  const auto file = folder / "queries.json.gz";
  gzFile out = gzopen(file.c_str(), "wb");
  const std::string json = R"(["first question", "second question"])";
  gzwrite(out, json.data(), static_cast<unsigned>(json.size()));
  gzclose(out);
  CHECK(PrecomputedQueries::open(folder.path(), info_of(8)).value().size() == 2);
  const std::string whole = read_bytes(file);
  write_bytes(file, whole.substr(0, whole.size() - 9));
  CHECK(names(error_of(PrecomputedQueries::open(folder.path(), info_of(8)), ErrorCode::kBadInput), "queries.json.gz"));
}

TEST_CASE("lists and matrices of queries that do not agree are refused") {
  const TemporaryFolder folder;
  const auto open = [&](std::uint32_t dim) { return PrecomputedQueries::open(folder.path(), info_of(dim)); };
  CHECK(names(error_of(open(8), ErrorCode::kNotFound), "query.npy"));
  write_bytes(folder / "query.npy", npy_bytes(random_unit_rows(2, 8, 4)));
  CHECK(names(error_of(open(8), ErrorCode::kNotFound), "queries.json"));
  const auto with_list = [&](std::string_view json) {
    write_bytes(folder / "queries.json", json);
    return error_of(open(8), ErrorCode::kBadInput);
  };
  CHECK(names(with_list(R"(["a"])"), "1 texts"));
  CHECK(names(with_list(R"({"a": 1})"), "list"));
  CHECK(names(with_list(R"(["a", )"), "list"));
  CHECK(names(with_list(R"(["a", 2])"), "item 1"));
  CHECK(names(with_list(R"(["a", "a"])"), "items 0 and 1"));
  write_bytes(folder / "queries.json", R"(["a", "b"])");
  CHECK(names(error_of(open(384), ErrorCode::kWrongIndex), "the index has 384"));
}

TEST_CASE("one text may be listed twice with one vector") {
  const TemporaryFolder folder;
  Matrix vectors = random_unit_rows(1, 8, 4);
  const std::vector<float> copy = vectors.values;
  vectors.values.insert(vectors.values.end(), copy.begin(), copy.end());
  vectors.rows = 2;
  write_queries(folder, vectors, {"a", "a"});
  CHECK(PrecomputedQueries::open(folder.path(), info_of(8)).value().size() == 1);
}

TEST_CASE("queries beside other node matrices than the index's are refused") {
  const TemporaryFolder folder;
  Matrices matrices;
  write_nodes(folder, matrices);
  write_queries(folder, random_unit_rows(1, 8, 4), {"a"});
  const EmbedderInfo info = read_precomputed_vectors(folder.path(), kCounts).value().info;
  const auto queries = PrecomputedQueries::open(folder.path(), info).value();
  CHECK(queries.info() == info);
  matrices.sentence = random_unit_rows(7, 8, 99);
  write_nodes(folder, matrices);
  CHECK(names(error_of(PrecomputedQueries::open(folder.path(), info), ErrorCode::kWrongIndex), info.version));
}

TEST_CASE("recorded query vectors are found by the recorded texts") {
  const auto list = shared_data("conformance/queries-2wiki.json.gz");
  const auto matrix = shared_data("conformance/embeddings-2wiki/query.npy");
  if (!list || !matrix) return;
  const TemporaryFolder folder;
  std::filesystem::copy_file(*list, folder / "queries.json.gz");
  std::filesystem::copy_file(*matrix, folder / "query.npy");
  const auto queries = PrecomputedQueries::open(folder.path(), info_of(64)).value();
  CHECK(queries.size() == 341);
  const std::vector<std::string> first{
      "Which film has the director who is older than the other, A Lady To Love or Queen Of Burlesque?"};
  CHECK(std::ranges::equal(queries.embed_queries(first).value().row(0), read_npy(*matrix).value().row(1)));
}
