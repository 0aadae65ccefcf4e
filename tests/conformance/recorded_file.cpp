#include "tests/conformance/recorded_file.h"

#include <zlib.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace harnessg::conformance {

std::vector<Json> read_json_lines(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in) throw std::runtime_error("cannot open " + file.string());
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (int n = 0; (n = gzread(in.get(), buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(n));
  std::vector<Json> rows;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin)
      rows.push_back(Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(end)));
    begin = end + 1;
  }
  return rows;
}

std::filesystem::path shared_folder() {
  const char* const named = std::getenv("HARNESSG_SHARED");
  const std::filesystem::path folder =
      named != nullptr ? named : std::filesystem::path(HARNESSG_SOURCE_DIR) / ".." / "shared";
  return std::filesystem::exists(folder / "conformance") ? folder : std::filesystem::path{};
}

}  // namespace harnessg::conformance
