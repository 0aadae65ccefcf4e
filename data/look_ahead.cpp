#include "data/look_ahead.h"

#include <algorithm>
#include <cstring>

namespace harnessg {
namespace {

constexpr std::size_t kBlockBytes = 256u << 10;
constexpr std::size_t kFirstMarkBytes = 1u << 20;

}  // namespace

Result<LookAhead> LookAhead::open(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(StoredStream stream, StoredStream::open(file));
  LookAhead ahead(std::move(stream));
  bool more = true;
  while (more && ahead.end_ < 3) {
    HARNESSG_ASSIGN(more, ahead.fill());
  }
  const std::string_view start = ahead.view();
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    return fail(ErrorCode::kBadInput, "{}:1: is UTF-16; convert it to UTF-8", ahead.name());
  }
  if (start.starts_with("\xEF\xBB\xBF")) ahead.take(3);
  return ahead;
}

Result<bool> LookAhead::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(std::max(2 * buffer_.size(), kBlockBytes));
  HARNESSG_ASSIGN(const std::size_t count, stream_.read(std::span(buffer_).subspan(end_)));
  end_ += count;
  return count > 0;
}

Result<std::optional<char>> LookAhead::first_mark() {
  for (std::size_t at = 0; at < kFirstMarkBytes; ++at) {
    if (at == view().size()) {
      HARNESSG_ASSIGN(const bool more, fill());
      if (!more) return std::nullopt;
    }
    const char c = view()[at];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
  }
  return std::nullopt;
}

}  // namespace harnessg
