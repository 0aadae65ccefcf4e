// The objects of a JSON lines file, or of a file that is one JSON list, one after another.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/lines.h"
#include "data/result.h"

namespace harnessg {

struct JsonElement {
  std::string text;        // one JSON value, not parsed
  std::uint64_t line = 0;  // 1-based, where it begins
  bool cut_short = false;  // the file ends inside it, or without LF behind it
};

// A list is split by brackets and quotation marks as it is read, so that only one element is in memory; an element or
// line may have at most `max_bytes`. One thread at a time.
class JsonElements {
 public:
  static Result<JsonElements> open(const std::filesystem::path& file, std::size_t max_bytes);

  // nullopt at the end. kBadInput with file:line: an element over the limit, something between the elements of a list
  // that does not belong there, a list that ends early.
  Result<std::optional<JsonElement>> next();

  bool is_list() const { return is_list_; }
  const std::string& name() const { return lines_.name(); }
  const ByteSource& source() const { return lines_.source(); }

 private:
  JsonElements(LineReader lines, std::size_t max_bytes) : lines_(std::move(lines)), max_bytes_(max_bytes) {}

  Result<std::optional<JsonElement>> next_line();
  Result<std::optional<JsonElement>> next_of_list();
  Result<char> skip_between();

  LineReader lines_;
  std::size_t max_bytes_;
  bool is_list_ = false;
  std::uint64_t line_ = 1;
};

}  // namespace harnessg
