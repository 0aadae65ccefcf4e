#include "data/index_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

namespace harnessg {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = 256 << 10;

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool ok() const { return number_ >= 0; }

 private:
  int number_;
};

// Calls use(bytes, size) for the whole file, piece by piece.
template <class Use>
Status read_pieces(const fs::path& file, Use use) {
  const Descriptor descriptor(file, O_RDONLY);
  if (!descriptor.ok()) return tl::unexpected(system_error(file, errno));
  std::vector<char> buffer(kReadBytes);
  while (true) {
    const ssize_t got = ::read(descriptor.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(system_error(file, errno));
    if (got == 0) return {};
    use(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<FileStamp> stamp_file(const fs::path& file) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(state.get());
  FileStamp stamp;
  HARNESSG_RETURN_IF_ERROR(read_pieces(file, [&](const char* bytes, std::size_t size) {
    XXH3_64bits_update(state.get(), bytes, size);
    stamp.bytes += size;
  }));
  stamp.xxh3_64 = fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
  return stamp;
}

// Sizes of all files under graph/ and vectors/.
Result<std::map<std::string, std::uint64_t>> list_files(const fs::path& folder) {
  std::map<std::string, std::uint64_t> sizes;
  for (const char* part : {kGraphFolder, kVectorsFolder}) {
    std::error_code error;
    if (!fs::exists(folder / part, error) && !error) continue;
    for (auto it = fs::recursive_directory_iterator(folder / part, error); !error && it != fs::end(it);
         it.increment(error)) {
      if (it->is_directory(error)) continue;
      const std::uint64_t bytes = it->is_regular_file(error) ? it->file_size(error) : 0;
      sizes[it->path().lexically_relative(folder).generic_string()] = bytes;
    }
    if (error) return tl::unexpected(system_error(folder / part, error.value()));
  }
  return sizes;
}

template <class... Args>
Status corrupt(const fs::path& file, fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kCorrupt, "{}: {}; build the index again or copy it again", file.string(),
              fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace

Error system_error(const fs::path& path, int number) {
  return Error{number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
               fmt::format("{}: {}", path.string(), std::generic_category().message(number))};
}

Result<std::string> read_file(const fs::path& file) {
  std::string text;
  HARNESSG_RETURN_IF_ERROR(read_pieces(file, [&](const char* bytes, std::size_t size) { text.append(bytes, size); }));
  return text;
}

Result<FileStamps> stamp_files(const fs::path& folder) {
  HARNESSG_ASSIGN(const auto sizes, list_files(folder));
  FileStamps stamps;
  for (const auto& [name, bytes] : sizes) {
    HARNESSG_ASSIGN(stamps[name], stamp_file(folder / name));
  }
  return stamps;
}

Status check_files(const fs::path& folder, const FileStamps& expected) {
  HARNESSG_ASSIGN(const auto sizes, list_files(folder));
  for (const auto& [name, stamp] : expected) {
    const auto found = sizes.find(name);
    if (found == sizes.end()) return corrupt(folder / name, "the file is missing");
    if (found->second != stamp.bytes)
      return corrupt(folder / name, "it has {} bytes and {} were written", found->second, stamp.bytes);
  }
  for (const auto& [name, bytes] : sizes)
    if (!expected.contains(name)) return corrupt(folder / name, "the file does not belong to the index");
  for (const auto& [name, stamp] : expected) {
    HARNESSG_ASSIGN(const FileStamp found, stamp_file(folder / name));
    if (found != stamp) return corrupt(folder / name, "its bytes are not those that were written");
  }
  return {};
}

Status write_file_durably(const fs::path& file, std::string_view bytes) {
  const Descriptor descriptor(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (!descriptor.ok()) return tl::unexpected(system_error(file, errno));
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor.number(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return tl::unexpected(system_error(file, errno));
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::fsync(descriptor.number()) != 0) return tl::unexpected(system_error(file, errno));
  return {};
}

Status sync_path(const fs::path& path) {
  const Descriptor descriptor(path, O_RDONLY);
  if (!descriptor.ok()) return tl::unexpected(system_error(path, errno));
  // Some file systems cannot sync a folder and say so by EINVAL; there is nothing to wait for then.
  if (::fsync(descriptor.number()) != 0 && errno != EINVAL) return tl::unexpected(system_error(path, errno));
  return {};
}

}  // namespace harnessg
