#include "data/stored_stream.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace harnessg {
namespace {

constexpr std::size_t kBlockBytes = 256u << 10;
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
constexpr std::string_view kZstdSkippableMagic = "\x2A\x4D\x18";  // after one byte 0x50 to 0x5F

std::string system_message(int error) { return std::generic_category().message(error); }

bool starts_zstd(std::string_view bytes) {
  if (bytes.starts_with(kZstdMagic)) return true;
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
         bytes.substr(1, 3) == kZstdSkippableMagic;
}

}  // namespace

// The stored bytes, block by block.
class StoredStream::Source {
 public:
  Source(int descriptor, bool owned, std::string name)
      : name_(std::move(name)), block_(kBlockBytes), descriptor_(descriptor), owned_(owned) {}
  ~Source() {
    if (owned_) ::close(descriptor_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Bytes that were read and not consumed. Reads on when there are fewer than `wanted`; fewer come at the end only.
  Result<std::string_view> peek(std::size_t wanted) {
    if (end_ - begin_ < wanted && begin_ > 0) {
      std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    while (end_ - begin_ < wanted && !ended_) {
      const ssize_t count = ::read(descriptor_, block_.data() + end_, block_.size() - end_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(ErrorCode::kIo, "{} cannot be read: {}", name_, system_message(errno));
      ended_ = count == 0;
      end_ += static_cast<std::size_t>(count);
      read_ += static_cast<std::uint64_t>(count);
    }
    return std::string_view(block_.data() + begin_, end_ - begin_);
  }
  void consume(std::size_t count) { begin_ += count; }

  std::uint64_t bytes_read() const { return read_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::vector<char> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t read_ = 0;
  int descriptor_;
  bool owned_;
  bool ended_ = false;
};

class StoredStream::Decoder {
 public:
  virtual ~Decoder() = default;
  virtual Result<std::size_t> read(Source& source, std::span<char> into) = 0;
};

class StoredStream::Plain : public StoredStream::Decoder {
 public:
  Result<std::size_t> read(Source& source, std::span<char> into) override {
    HARNESSG_ASSIGN(const std::string_view bytes, source.peek(1));
    const std::size_t count = std::min(bytes.size(), into.size());
    std::copy_n(bytes.data(), count, into.data());
    source.consume(count);
    return count;
  }
};

class StoredStream::Gzip : public StoredStream::Decoder {
 public:
  Gzip() { ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Result<std::size_t> read(Source& source, std::span<char> into) override {
    if (!ready_) return fail(ErrorCode::kInternal, "{}: zlib cannot be started", source.name());
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), 1u << 30));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room) {
      HARNESSG_ASSIGN(const std::string_view bytes, source.peek(2));
      if (member_ended_) {
        HARNESSG_ASSIGN(const bool more, next_member(source, bytes));
        if (!more) return 0;
      } else if (bytes.empty()) {
        return fail(ErrorCode::kBadInput, "{} is cut short in the middle of its gzip stream; fetch or make it again",
                    source.name());
      }
      HARNESSG_RETURN_IF_ERROR(inflate_some(source, bytes));
    }
    return room - stream_.avail_out;
  }

 private:
  // After a member: whether another begins. Zeros that pad the file are passed over.
  Result<bool> next_member(Source& source, std::string_view bytes) {
    while (!bytes.empty() && bytes.front() == '\0') {
      source.consume(1);
      HARNESSG_ASSIGN(bytes, source.peek(2));
    }
    if (bytes.empty()) return false;
    if (!bytes.starts_with(kGzipMagic)) {
      return fail(ErrorCode::kBadInput, "{} has bytes after its gzip stream that are none; fetch or make it again",
                  source.name());
    }
    inflateReset(&stream_);
    member_ended_ = false;
    return true;
  }

  Status inflate_some(Source& source, std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    source.consume(bytes.size() - stream_.avail_in);
    member_ended_ = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      return fail(ErrorCode::kBadInput, "{}: its gzip stream is damaged ({}); fetch or make it again", source.name(),
                  stream_.msg ? stream_.msg : "no dictionary");
    }
    return {};
  }

  z_stream stream_{};
  bool ready_ = false;
  bool member_ended_ = false;
};

class StoredStream::Zstd : public StoredStream::Decoder {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {}
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  Result<std::size_t> read(Source& source, std::span<char> into) override {
    if (!stream_) return fail(ErrorCode::kInternal, "{}: zstd cannot be started", source.name());
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      HARNESSG_ASSIGN(const std::string_view bytes, source.peek(1));
      if (bytes.empty() && frame_ended_) return 0;
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
      source.consume(in.pos);
      if (ZSTD_isError(result)) {
        return fail(ErrorCode::kBadInput, "{}: its zstd stream is damaged ({}); fetch or make it again", source.name(),
                    ZSTD_getErrorName(result));
      }
      frame_ended_ = result == 0;
      if (bytes.empty() && out.pos == 0 && !frame_ended_) {
        return fail(ErrorCode::kBadInput, "{} is cut short in the middle of its zstd stream; fetch or make it again",
                    source.name());
      }
    }
    return out.pos;
  }

 private:
  ZSTD_DStream* stream_;
  bool frame_ended_ = false;
};

StoredStream::StoredStream(std::unique_ptr<Source> source, std::unique_ptr<Decoder> decoder)
    : source_(std::move(source)), decoder_(std::move(decoder)) {}
StoredStream::~StoredStream() = default;
StoredStream::StoredStream(StoredStream&&) noexcept = default;
StoredStream& StoredStream::operator=(StoredStream&&) noexcept = default;

Result<StoredStream> StoredStream::open(const std::filesystem::path& file) {
  const bool standard_input = file == "-";
  const std::string name = standard_input ? "standard input" : file.string();
  const int descriptor = standard_input ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const ErrorCode code = errno == ENOENT || errno == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo;
    return fail(code, "{} cannot be opened: {}", name, system_message(errno));
  }
  auto source = std::make_unique<Source>(descriptor, !standard_input, name);
  HARNESSG_ASSIGN(const std::string_view bytes, source->peek(4));
  std::unique_ptr<Decoder> decoder;
  if (bytes.starts_with(kGzipMagic)) {
    decoder = std::make_unique<Gzip>();
  } else if (starts_zstd(bytes)) {
    decoder = std::make_unique<Zstd>();
  } else if (file.extension() == ".gz" || file.extension() == ".zst") {
    return fail(ErrorCode::kBadInput, "{} is not what its name says: it does not begin as a {} file does", name,
                file.extension().string());
  } else {
    decoder = std::make_unique<Plain>();
  }
  return StoredStream(std::move(source), std::move(decoder));
}

Result<std::size_t> StoredStream::read(std::span<char> into) { return decoder_->read(*source_, into); }
std::uint64_t StoredStream::stored_bytes_read() const { return source_->bytes_read(); }
const std::string& StoredStream::name() const { return source_->name(); }

}  // namespace harnessg
