#include "bindings/cli/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harnessg {

std::string ReportTable::text() const {
  std::size_t width = 0;
  for (const auto& [name, value] : rows_) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, value] : rows_) text += fmt::format("{:<{}}  {}\n", name, width, value);
  return text;
}

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string byte_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.3f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace harnessg
