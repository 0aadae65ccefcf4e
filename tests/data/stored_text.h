// Reads a recorded file whole, gzip or plain.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

inline std::string stored_text(const std::filesystem::path& file) {
  std::string text;
  const gzFile stored = gzopen(file.c_str(), "rb");
  REQUIRE(stored != nullptr);
  std::string block(1u << 18, '\0');
  int count = 0;
  while ((count = gzread(stored, block.data(), static_cast<unsigned>(block.size()))) > 0)
    text.append(block, 0, static_cast<std::size_t>(count));
  gzclose(stored);
  REQUIRE(count == 0);
  return text;
}

inline std::vector<nlohmann::json> stored_json_lines(const std::filesystem::path& file) {
  const std::string text = stored_text(file);
  std::vector<nlohmann::json> rows;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at)
      rows.push_back(nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                           text.begin() + static_cast<std::ptrdiff_t>(end)));
    at = end + 1;
  }
  return rows;
}
