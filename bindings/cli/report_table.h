// Two-column tables for a terminal, and numbers as a person reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harnessg {

// Names to the left, values to the right, one row a line.
class ReportTable {
 public:
  void row(std::string_view name, std::string_view value) { rows_.emplace_back(name, value); }
  // A further line of the row before.
  void more(std::string_view value) { rows_.emplace_back("", value); }
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string grouped(std::uint64_t number);   // 1234567 -> "1,234,567"
std::string byte_size(std::uint64_t bytes);  // 1536 -> "1.5 KiB"; under 1024 "17 bytes"
std::string duration(double seconds);        // "0.042 s", "3.1 s", "2 min 05 s"

}  // namespace harnessg
