#include "data/npy.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/data/npy_file.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

constexpr std::string_view kTwoByThree = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const std::vector<float> kSix{1, -2, 0.5f, 3, 4, 5};

std::string six() { return bytes_of(std::span<const float>(kSix)); }

Result<Matrix> read(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "matrix.npy", bytes);
  return read_npy(folder / "matrix.npy");
}

// Whether the bytes are refused as bad input, with the file and `phrase` in the message.
bool refused(const std::string& bytes, std::string_view phrase) {
  const auto matrix = read(bytes);
  if (matrix || matrix.error().code != ErrorCode::kBadInput) return false;
  INFO(matrix.error().message);
  CHECK(matrix.error().message.find("matrix.npy") != std::string::npos);
  CHECK(matrix.error().message.find(phrase) != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("float32 matrices of all three format versions are read") {
  for (const int version : {1, 2, 3}) {
    const Matrix matrix = read(npy_bytes(kTwoByThree, six(), version)).value();
    CHECK(matrix.rows == 2);
    CHECK(matrix.dim == 3);
    CHECK(matrix.values == kSix);
  }
}

TEST_CASE("headers may order and space their keys as Python may write them") {
  for (const char* header : {R"({"shape":(2,3),"fortran_order":False,"descr":"<f4"})",
                             "{ 'shape' : ( 2 , 3 ,) , 'descr' : '<f4' , 'fortran_order' : False }"})
    CHECK(read(npy_bytes(header, six())).value().values == kSix);
}

TEST_CASE("every float16 is widened exactly") {
  std::vector<std::uint16_t> halves;
  for (std::uint32_t half = 0; half < 0x10000; ++half) halves.push_back(static_cast<std::uint16_t>(half));
  const Matrix matrix = read(npy_bytes("{'descr': '<f2', 'fortran_order': False, 'shape': (256, 256), }",
                                       bytes_of(std::span<const std::uint16_t>(halves))))
                            .value();
  REQUIRE(matrix.values.size() == 0x10000);
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const int exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
    const float value = matrix.values[half];
    REQUIRE(std::signbit(value) == (half >= 0x8000));
    if (exponent == 31) {
      REQUIRE((fraction == 0 ? std::isinf(value) : std::isnan(value)));
      continue;
    }
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    REQUIRE(std::abs(static_cast<double>(value)) == magnitude);
  }
}

TEST_CASE("matrices without rows are read") {
  const Matrix matrix = read(npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 384), }", "")).value();
  CHECK(matrix.rows == 0);
  CHECK(matrix.dim == 384);
}

TEST_CASE("arrays of another type, order or shape are refused with the mend") {
  const auto header = [](const char* type, const char* order, const char* shape) {
    return npy_bytes(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, order, shape), six());
  };
  CHECK(refused(header("<f8", "False", "(1, 3)"), "'<f8'"));
  CHECK(refused(header("<f8", "False", "(1, 3)"), "astype"));
  CHECK(refused(header(">f4", "False", "(2, 3)"), "'>f4'"));
  CHECK(refused(header("<i4", "False", "(2, 3)"), "'<i4'"));
  CHECK(refused(header("<f4", "True", "(2, 3)"), "ascontiguousarray"));
  CHECK(refused(header("<f4", "False", "(6,)"), "1 dimensions"));
  CHECK(refused(header("<f4", "False", "(1, 2, 3)"), "3 dimensions"));
  CHECK(refused(header("<f4", "False", "()"), "0 dimensions"));
  CHECK(refused(header("<f4", "False", "(2, -3)"), "shape"));
  CHECK(refused(header("<f4", "False", "2, 3"), "shape"));
  CHECK(refused(npy_bytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}", six()), "float32"));
  CHECK(refused(npy_bytes("{}", six()), "float32"));
}

TEST_CASE("files that are cut, too long or no .npy files are refused") {
  const std::string whole = npy_bytes(kTwoByThree, six());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(refused(whole.substr(0, size), ""));
  }
  CHECK(refused(whole + "x", "25 bytes follow"));
  CHECK(refused("PK\x03\x04 an .npz archive", "no .npy file"));
  CHECK(refused(npy_bytes(kTwoByThree, six(), 4), "version 4"));
  const auto with_shape = [](const char* shape) {
    return npy_bytes(fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", shape), "");
  };
  CHECK(refused(with_shape("(4611686018427387904, 4)"), "0 bytes"));
  CHECK(refused(with_shape("(1, 99999999999999999999)"), "shape"));
}

TEST_CASE("a missing file is not found") {
  const TemporaryFolder folder;
  const auto matrix = read_npy(folder / "none.npy");
  REQUIRE_FALSE(matrix);
  CHECK(matrix.error().code == ErrorCode::kNotFound);
  CHECK_FALSE(read_npy(folder.path()));
}

TEST_CASE("recorded embeddings have the shape and the exact norms that their notes promise") {
  const auto file = shared_data("conformance/embeddings-2wiki/sentence.npy");
  if (!file) return;
  const Matrix matrix = read_npy(*file).value();
  CHECK(matrix.rows == 913);
  REQUIRE(matrix.dim == 64);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    double squares = 0;
    for (const float value : matrix.row(r)) squares += static_cast<double>(value) * value;
    REQUIRE(squares == 1);
  }
}
