// Lines of a stored file, one at a time and of bounded length.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "data/look_ahead.h"
#include "data/result.h"

namespace harnessg {

struct Line {
  std::string_view text;     // without its LF; valid until the next call
  std::uint64_t number = 0;  // 1-based
  bool ended = true;         // by LF; false: the file's last line has none
  bool too_long = false;     // over the limit: `text` is empty, the line is passed over
};

// Lines end in LF only: a CR, U+2028 or U+0085 is part of its line. One thread at a time.
class LineReader {
 public:
  LineReader(LookAhead source, std::size_t max_line_bytes) : source_(std::move(source)), limit_(max_line_bytes) {}

  // "-" is standard input; .gz and .zst are decompressed. Errors of LookAhead::open.
  static Result<LineReader> open(const std::filesystem::path& file, std::size_t max_line_bytes);

  // nullopt at the end. Errors of StoredStream::read.
  Result<std::optional<Line>> next();

  std::uint64_t stored_bytes_read() const { return source_.stored_bytes_read(); }
  const std::string& name() const { return source_.name(); }

 private:
  Result<Line> pass_long_line();

  LookAhead source_;
  std::size_t limit_;
  std::size_t given_ = 0;  // bytes of the line given last, not yet taken
  std::uint64_t number_ = 0;
};

}  // namespace harnessg
