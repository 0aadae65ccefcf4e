#include "data/safetensors.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "tests/data/safetensors_file.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

constexpr std::array<std::size_t, 2> kTwoByThree = {2, 3};
constexpr std::array<std::size_t, 2> kThreeByTwo = {3, 2};
constexpr std::array<std::size_t, 1> kTwo = {2};

std::string two_tensors() {
  SafeTensorsFile file;
  file.add("first", {2, 3}, {1, 2, 3, 4, 5, 6});
  file.add("second", {2}, {-1, 0.5F});
  return file.bytes();
}

Error error_of(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "weights", bytes);
  const auto tensors = SafeTensors::read(folder / "weights");
  REQUIRE_FALSE(tensors);
  CHECK(tensors.error().message.find("weights") != std::string::npos);
  return tensors.error();
}

Error error_of(std::string_view header, std::size_t data_bytes) {
  return error_of(safetensors_bytes(header, std::string(data_bytes, '\0')));
}

}  // namespace

TEST_CASE("Tensors come back by name, row by row") {
  const TemporaryFolder folder;
  write_bytes(folder / "weights", two_tensors());
  const auto tensors = SafeTensors::read(folder / "weights");
  REQUIRE(tensors);
  CHECK(tensors->size() == 2);
  const auto first = tensors->values("first", kTwoByThree);
  REQUIRE(first);
  CHECK(std::vector(first->begin(), first->end()) == std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto second = tensors->values("second", kTwo);
  REQUIRE(second);
  CHECK(second->back() == 0.5F);
}

TEST_CASE("A name, shape or type that the file does not have is an error that names the tensor") {
  const TemporaryFolder folder;
  const std::string header = R"({"__metadata__":{"format":"pt"},"n":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},
    "x":{"dtype":"F32","shape":[2,3],"data_offsets":[16,40]}})";
  write_bytes(folder / "weights", safetensors_bytes(header, std::string(40, '\0')));
  const auto tensors = SafeTensors::read(folder / "weights");
  REQUIRE(tensors);
  CHECK(tensors->values("x", kTwoByThree));
  CHECK(tensors->values("y", kTwo).error().message.find("no tensor y") != std::string::npos);
  CHECK(tensors->values("n", kTwo).error().message.find("I64") != std::string::npos);
  CHECK(tensors->values("x", kThreeByTwo).error().message.find("[2,3], not the [3,2]") != std::string::npos);
  CHECK(tensors->values("x", kThreeByTwo).error().code == ErrorCode::kBadInput);
}

TEST_CASE("A missing file is not found") {
  const TemporaryFolder folder;
  CHECK(SafeTensors::read(folder / "weights").error().code == ErrorCode::kNotFound);
  CHECK(SafeTensors::read(folder.path()).error().code == ErrorCode::kNotFound);
}

TEST_CASE("A file cut short anywhere is corrupt") {
  const std::string bytes = two_tensors();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK(error_of(bytes.substr(0, size)).code == ErrorCode::kCorrupt);
}

TEST_CASE("Bytes after the last tensor are corrupt") {
  CHECK(error_of(two_tensors() + "x").message.find("1 bytes after the last tensor") != std::string::npos);
}

TEST_CASE("A header that is no JSON object is corrupt") {
  for (const char* header : {"", "[]", "{", "7", "{\"x\":1}", "{\"x\":{}}", "\xFF"})
    CHECK(error_of(header, 0).code == ErrorCode::kCorrupt);
}

TEST_CASE("A header length beyond the file is corrupt, whatever it is") {
  for (const char byte : {'\x7F', '\xFF'}) {
    std::string bytes = two_tensors();
    bytes[7] = byte;
    CHECK(error_of(bytes).code == ErrorCode::kCorrupt);
  }
}

TEST_CASE("Ranges must be as long as the shape says, inside the data and apart") {
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8).code == ErrorCode::kCorrupt);
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8).code == ErrorCode::kCorrupt);
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 8).code == ErrorCode::kCorrupt);
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12).code == ErrorCode::kCorrupt);
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                     "y":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                 12)
            .code == ErrorCode::kCorrupt);
}

TEST_CASE("Shapes and offsets that are no sizes are corrupt") {
  for (const char* shape : {"[-1]", "[1.5]", "\"2\"", "2", "[[2]]", "[4611686018427387904,4611686018427387904]"})
    CHECK(error_of(fmt::format(R"({{"x":{{"dtype":"F32","shape":{},"data_offsets":[0,8]}}}})", shape), 8).code ==
          ErrorCode::kCorrupt);
  CHECK(error_of(R"({"x":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", 8).message.find("F33") !=
        std::string::npos);
  CHECK(error_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", 8).code == ErrorCode::kCorrupt);
}
