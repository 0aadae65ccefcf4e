// Files in the safetensors format, well formed or not.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

// Header length, header, data.
inline std::string safetensors_bytes(std::string_view header, std::string_view data) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes.append(header).append(data);
}

// Collects float32 tensors, one behind the other.
class SafeTensorsFile {
 public:
  void add(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<float>& values) {
    const std::size_t begin = data_.size();
    data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  std::string bytes() const { return safetensors_bytes(header_.dump(), data_); }

 private:
  nlohmann::json header_ = nlohmann::json::object();
  std::string data_;
};
