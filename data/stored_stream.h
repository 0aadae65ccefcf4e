// The bytes of a stored file, decompressed while they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/result.h"

namespace harnessg {

// Plain, gzip (several members too) or zstd, told apart by the first bytes; "-" is standard input. One thread at a
// time.
class StoredStream {
 public:
  // kNotFound, kIo; kBadInput when a .gz or .zst file holds something else.
  static Result<StoredStream> open(const std::filesystem::path& file);
  ~StoredStream();
  StoredStream(StoredStream&&) noexcept;
  StoredStream& operator=(StoredStream&&) noexcept;

  // Writes up to into.size() bytes (at least one) and returns their number, 0 at the end only. kIo; kBadInput, naming
  // the file, when a compressed stream is damaged or cut short.
  Result<std::size_t> read(std::span<char> into);

  std::uint64_t stored_bytes_read() const;  // before decompression
  const std::string& name() const;          // for messages: the path as given, "standard input" for "-"

 private:
  class Source;
  class Decoder;
  class Plain;
  class Gzip;
  class Zstd;
  StoredStream(std::unique_ptr<Source> source, std::unique_ptr<Decoder> decoder);

  std::unique_ptr<Source> source_;
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace harnessg
