#include "credit/trace_file.h"

#include <string_view>

namespace harnessg {
namespace {

Result<Trace> read_trace(const Line& line, const std::string& place, std::size_t limit) {
  if (line.too_long) {
    return fail(ErrorCode::kBadInput, "{}: is longer than {} bytes, more than any trace; remove the line", place,
                limit);
  }
  Result<Trace> trace = trace_from_json(line.text);
  if (trace) return trace;
  if (!line.ended) {
    return fail(ErrorCode::kBadInput, "{}: the last line is cut short; remove it or write the file again", place);
  }
  return fail(trace.error().code, "{}: {}", place, trace.error().message);
}

}  // namespace

Result<TraceFile> TraceFile::open(const std::filesystem::path& file, std::size_t max_line_bytes) {
  HARNESSG_ASSIGN(LineReader lines, LineReader::open(file, max_line_bytes));
  return TraceFile(std::move(lines), max_line_bytes);
}

Result<std::optional<TraceLine>> TraceFile::next() {
  while (true) {
    HARNESSG_ASSIGN(const std::optional<Line> line, lines_.next());
    if (!line) return std::nullopt;
    if (!line->too_long && line->text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string place = fmt::format("{}:{}", lines_.name(), line->number);
    Result<Trace> trace = read_trace(*line, place, limit_);
    return TraceLine{std::move(place), std::move(trace)};
  }
}

}  // namespace harnessg
