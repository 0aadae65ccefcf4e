#include "data/safetensors.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace harnessg {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are taken as they lie in the file");

constexpr std::size_t kLengthBytes = 8;

// Bytes a value takes; nullopt for a type that the format does not know.
std::optional<std::size_t> size_of(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"U16", 2}, {"I16", 2}, {"F16", 2},
      {"BF16", 2}, {"U32", 4}, {"I32", 4}, {"F32", 4},     {"U64", 8},     {"I64", 8}, {"F64", 8}};
  const auto found = sizes.find(type);
  if (found == sizes.end()) return std::nullopt;
  return found->second;
}

// `list` as non-negative integers; nullopt when it is no such list.
std::optional<std::vector<std::size_t>> to_sizes(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::size_t> sizes;
  for (const Json& value : list) {
    if (!value.is_number_unsigned()) return std::nullopt;
    sizes.push_back(value.get<std::size_t>());
  }
  return sizes;
}

// nullopt when the product does not fit into a size.
std::optional<std::size_t> product(std::span<const std::size_t> factors, std::size_t start) {
  std::size_t result = start;
  for (const std::size_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  return result;
}

}  // namespace

Status SafeTensors::parse_header() {
  const Json header = Json::parse(header_, nullptr, false);
  if (!header.is_object())
    return fail(ErrorCode::kCorrupt, "{}: the header is not a JSON object; get the file again", file_);
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto shape = entry.is_object() ? to_sizes(entry.value("shape", Json())) : std::nullopt;
    const auto range = entry.is_object() ? to_sizes(entry.value("data_offsets", Json())) : std::nullopt;
    const Json type = entry.is_object() ? entry.value("dtype", Json()) : Json();
    if (!shape || !range || range->size() != 2 || !type.is_string())
      return fail(ErrorCode::kCorrupt, "{}: tensor {} has no valid dtype, shape and data_offsets; get the file again",
                  file_, name);
    Tensor tensor{type.get<std::string>(), *shape, range->front(), range->back()};
    const auto value_bytes = size_of(tensor.type);
    if (!value_bytes)
      return fail(ErrorCode::kCorrupt, "{}: tensor {} has the unknown type {}", file_, name, tensor.type);
    if (tensor.begin > tensor.end || tensor.end > byte_count_)
      return fail(ErrorCode::kCorrupt, "{}: tensor {} lies at bytes {} to {} of {}; the file was cut short or damaged",
                  file_, name, tensor.begin, tensor.end, byte_count_);
    if (product(tensor.shape, *value_bytes) != tensor.end - tensor.begin)
      return fail(ErrorCode::kCorrupt, "{}: tensor {} has {} bytes, which is not what its shape takes", file_, name,
                  tensor.end - tensor.begin);
    tensors_.emplace(name, std::move(tensor));
  }
  return {};
}

Status SafeTensors::check_ranges() const {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& [name, tensor] : tensors_) ranges.emplace_back(tensor.begin, tensor.end);
  std::sort(ranges.begin(), ranges.end());
  std::size_t at = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != at)
      return fail(ErrorCode::kCorrupt, "{}: bytes {} to {} belong to no tensor or to two; get the file again", file_,
                  std::min(at, begin), std::max(at, begin));
    at = end;
  }
  if (at != byte_count_)
    return fail(ErrorCode::kCorrupt, "{}: {} bytes after the last tensor; get the file again", file_, byte_count_ - at);
  return {};
}

Result<SafeTensors> SafeTensors::read(const std::filesystem::path& file) {
  SafeTensors tensors;
  tensors.file_ = file.string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return fail(ErrorCode::kNotFound, "{}: there is no such file", tensors.file_);
  const std::size_t file_bytes = std::filesystem::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in) return fail(ErrorCode::kIo, "{}: cannot be opened; check its permissions", tensors.file_);
  std::uint64_t header_bytes = 0;
  if (file_bytes < kLengthBytes || !in.read(reinterpret_cast<char*>(&header_bytes), kLengthBytes) ||
      header_bytes > file_bytes - kLengthBytes)
    return fail(ErrorCode::kCorrupt, "{}: {} bytes are too few for the header; it is cut short or no safetensors file",
                tensors.file_, file_bytes);
  tensors.header_.resize(header_bytes);
  tensors.byte_count_ = file_bytes - kLengthBytes - header_bytes;
  tensors.data_.resize((tensors.byte_count_ + sizeof(float) - 1) / sizeof(float));
  in.read(tensors.header_.data(), static_cast<std::streamsize>(header_bytes));
  in.read(reinterpret_cast<char*>(tensors.data_.data()), static_cast<std::streamsize>(tensors.byte_count_));
  if (!in) return fail(ErrorCode::kIo, "{}: cannot be read to its end", tensors.file_);
  HARNESSG_RETURN_IF_ERROR(tensors.parse_header());
  HARNESSG_RETURN_IF_ERROR(tensors.check_ranges());
  return tensors;
}

Result<std::span<const float>> SafeTensors::values(const std::string& name, std::span<const std::size_t> shape) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) return fail(ErrorCode::kBadInput, "{}: has no tensor {}", file_, name);
  const Tensor& tensor = found->second;
  if (tensor.type != "F32") return fail(ErrorCode::kBadInput, "{}: tensor {} is {}, not F32", file_, name, tensor.type);
  if (!std::ranges::equal(tensor.shape, shape))
    return fail(ErrorCode::kBadInput, "{}: tensor {} has shape {}, not the {} that config.json asks for", file_, name,
                Json(tensor.shape).dump(), Json(std::vector(shape.begin(), shape.end())).dump());
  if (tensor.begin % sizeof(float) != 0)
    return fail(ErrorCode::kBadInput, "{}: tensor {} begins at byte {}, not at a multiple of 4", file_, name,
                tensor.begin);
  return std::span(data_).subspan(tensor.begin / sizeof(float), (tensor.end - tensor.begin) / sizeof(float));
}

}  // namespace harnessg
