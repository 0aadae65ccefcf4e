#include "data/lines.h"

#include <algorithm>

namespace harnessg {

Result<LineReader> LineReader::open(const std::filesystem::path& file, std::size_t max_line_bytes) {
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file));
  return LineReader(std::move(source), max_line_bytes);
}

Result<Line> LineReader::pass_long_line() {
  Line line{{}, ++number_, false, true};
  while (true) {
    const std::size_t end = source_.view().find('\n');
    line.ended = end != std::string_view::npos;
    source_.take(line.ended ? end + 1 : source_.view().size());
    if (line.ended) return line;
    HARNESSG_ASSIGN(const bool more, source_.fill());
    if (!more) return line;
  }
}

Result<std::optional<Line>> LineReader::next() {
  source_.take(given_);
  given_ = 0;
  std::size_t searched = 0;
  while (true) {
    const std::string_view held = source_.view();
    const std::size_t end = held.find('\n', searched);
    if (std::min(end, held.size()) > limit_) return pass_long_line();
    if (end != std::string_view::npos) {
      given_ = end + 1;
      return Line{held.substr(0, end), ++number_, true, false};
    }
    searched = held.size();
    HARNESSG_ASSIGN(const bool more, source_.fill());
    if (more) continue;
    if (held.empty()) return std::nullopt;
    given_ = held.size();
    return Line{source_.view(), ++number_, false, false};
  }
}

}  // namespace harnessg
