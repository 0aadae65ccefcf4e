// A stored file's bytes with as many held in memory as a reader wants to see at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "data/result.h"
#include "data/stored_stream.h"

namespace harnessg {

// A byte order mark at the start is passed over. One thread at a time.
class LookAhead {
 public:
  // Errors of StoredStream::open; kBadInput for UTF-16.
  static Result<LookAhead> open(const std::filesystem::path& file);

  // The bytes that are held, not taken yet; valid until the next fill().
  std::string_view view() const { return std::string_view(buffer_.data() + begin_, end_ - begin_); }
  void take(std::size_t count) { begin_ += count; }

  // Reads on behind the bytes that are held; false at the end. Errors of StoredStream::read.
  Result<bool> fill();

  // The first byte that is no white space of JSON, looked for in the first megabyte and not taken.
  Result<std::optional<char>> first_mark();

  std::uint64_t stored_bytes_read() const { return stream_.stored_bytes_read(); }
  const std::string& name() const { return stream_.name(); }

 private:
  explicit LookAhead(StoredStream stream) : stream_(std::move(stream)) {}

  StoredStream stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace harnessg
