// Weights of a model in the safetensors format: 8 bytes header length, a JSON header, the tensors' bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/result.h"

namespace harnessg {

// All tensors of one file, in memory. Const and thread-safe; spans live as long as the object, also when it is moved.
class SafeTensors {
 public:
  // kNotFound or kIo naming the file; kCorrupt naming file and tensor when the header does not describe the bytes:
  // every tensor has a known type, its range is inside the file and as long as its shape says, ranges neither overlap
  // nor leave bytes over.
  static Result<SafeTensors> read(const std::filesystem::path& file);

  // Row-major float32 values. kBadInput naming file and tensor when there is none of that name, or it has another type
  // or shape.
  Result<std::span<const float>> values(const std::string& name, std::span<const std::size_t> shape) const;

  std::size_t size() const { return tensors_.size(); }
  const std::string& header() const { return header_; }  // the JSON text
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(data_)).first(byte_count_); }

 private:
  struct Tensor {
    std::string type;  // "F32", "I64", ...
    std::vector<std::size_t> shape;
    std::size_t begin = 0;  // byte offsets in data_
    std::size_t end = 0;
  };

  SafeTensors() = default;
  Status parse_header();
  Status check_ranges() const;

  std::string file_;
  std::string header_;
  std::map<std::string, Tensor> tensors_;
  std::vector<float> data_;  // floats only for their alignment: other types lie in it as they are
  std::size_t byte_count_ = 0;
};

}  // namespace harnessg
