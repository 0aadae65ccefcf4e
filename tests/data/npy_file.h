// Writes .npy files for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "data/embedder.h"

// The bytes of a .npy file: magic, version, header padded as NumPy does, then `data`.
inline std::string npy_bytes(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string header(dictionary);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY");
  bytes += static_cast<char>(version);
  bytes += '\0';
  const auto length = static_cast<std::uint32_t>(header.size());
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xFF);
  return bytes + header + std::string(data);
}

template <class Number>
std::string bytes_of(std::span<const Number> numbers) {
  std::string bytes(numbers.size_bytes(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

inline std::string npy_bytes(const harnessg::Matrix& matrix) {
  const std::string shape = "(" + std::to_string(matrix.rows) + ", " + std::to_string(matrix.dim) + ")";
  return npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }",
                   bytes_of(std::span<const float>(matrix.values)));
}
