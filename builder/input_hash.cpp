#include "builder/input_hash.h"

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace harnessg {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = 1u << 20;

class InputHash {
 public:
  InputHash() : state_(XXH3_createState(), XXH3_freeState), buffer_(kBufferBytes) { XXH3_128bits_reset(state_.get()); }

  void add(const std::string& bytes) { XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()); }

  Status add_file(const fs::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
    if (!in) return unreadable(file);
    while (const std::size_t size = std::fread(buffer_.data(), 1, buffer_.size(), in.get()))
      XXH3_128bits_update(state_.get(), buffer_.data(), size);
    if (std::ferror(in.get())) return unreadable(file);
    return {};
  }

  std::string hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  static Status unreadable(const fs::path& file) {
    return fail(ErrorCode::kIo, "{}: cannot be read: {}; check the file and its permissions", file.string(),
                std::strerror(errno));
  }

  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
  std::vector<char> buffer_;
};

Result<std::vector<fs::path>> text_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".txt" && at->is_regular_file(error)) files.push_back(at->path());
  if (error)
    return fail(ErrorCode::kIo, "{}: cannot be listed: {}; check its permissions", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::string> hash_input(const fs::path& input) {
  InputHash hash;
  std::error_code error;
  if (!fs::is_directory(input, error)) {
    HARNESSG_RETURN_IF_ERROR(hash.add_file(input));
    return hash.hex();
  }
  HARNESSG_ASSIGN(const std::vector<fs::path> files, text_files(input));
  for (const fs::path& file : files) {
    hash.add(file.lexically_relative(input).generic_string() + '\n');
    HARNESSG_RETURN_IF_ERROR(hash.add_file(file));
  }
  return hash.hex();
}

}  // namespace

Result<std::map<std::string, std::string>> hash_inputs(std::span<const fs::path> inputs) {
  std::map<std::string, std::string> hashes;
  for (const fs::path& input : inputs) {
    if (input == "-") continue;
    HARNESSG_ASSIGN(std::string hash, hash_input(input));
    const fs::path plain = input.has_filename() ? input : input.parent_path();
    const std::string base = plain.filename().string();
    std::string name = base;
    for (int copy = 2; hashes.contains(name); ++copy) name = fmt::format("{} ({})", base, copy);
    hashes.emplace(std::move(name), std::move(hash));
  }
  return hashes;
}

}  // namespace harnessg
