// Traces from a file, one at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "data/lines.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg {

struct TraceLine {
  std::string place;  // "file:line", for messages
  Result<Trace>
      trace;  // kBadInput, kUnsupportedVersion: not usable, the message begins with the place; the next may be
};

// Reads JSON lines as `harnessg play --json` writes them; .gz and .zst are decompressed, "-" is standard input. Lines
// of white space are passed over. One thread at a time.
class TraceFile {
 public:
  // Errors of LookAhead::open.
  static Result<TraceFile> open(const std::filesystem::path& file, std::size_t max_line_bytes = 64u << 20);

  // nullopt at the end. Errors of LineReader::next, after which there is nothing more to read.
  Result<std::optional<TraceLine>> next();

 private:
  TraceFile(LineReader lines, std::size_t limit) : lines_(std::move(lines)), limit_(limit) {}

  LineReader lines_;
  std::size_t limit_;
};

}  // namespace harnessg
