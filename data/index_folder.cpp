#include "data/index_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "data/index_files.h"
#include "data/manifest.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

// Sorted, so that messages do not depend on the file system.
Result<std::vector<fs::path>> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error); !error && it != fs::end(it); it.increment(error))
    all.push_back(it->path());
  if (error) return tl::unexpected(system_error(folder, error.value()));
  std::sort(all.begin(), all.end());
  return all;
}

bool is_store_file(std::string_view name) {
  if (name == "CURRENT" || name == "IDENTITY" || name == "LOCK") return true;
  for (const std::string_view prefix : {"CURRENT.", "LOG", "MANIFEST-", "OPTIONS-"})
    if (name.starts_with(prefix)) return true;
  for (const std::string_view suffix : {".sst", ".log", ".dbtmp"})
    if (name.ends_with(suffix)) return true;
  return false;
}

bool is_vector_file(std::string_view name) {
  return std::any_of(std::begin(kVectorFiles), std::end(kVectorFiles),
                     [&](std::string_view ours) { return name.starts_with(ours); });
}

// The first entry of a part of the index that is no plain file of ours.
template <class IsOurs>
Result<std::optional<fs::path>> stranger_in(const fs::path& part, IsOurs is_ours) {
  std::error_code error;
  if (!fs::is_directory(part, error)) return std::optional(part);
  HARNESSG_ASSIGN(const auto all, entries(part));
  for (const fs::path& entry : all)
    if (!fs::is_regular_file(entry, error) || !is_ours(entry.filename().string())) return std::optional(entry);
  return std::optional<fs::path>();
}

Result<std::optional<fs::path>> stranger_at(const fs::path& entry) {
  std::error_code error;
  const std::string name = entry.filename().string();
  if (name == kGraphFolder) return stranger_in(entry, is_store_file);
  if (name == kVectorsFolder) return stranger_in(entry, is_vector_file);
  const bool ours = name == kProgressFolder
                        ? fs::is_directory(entry, error)
                        : (name == kManifestName || name == kManifestTempName) && fs::is_regular_file(entry, error);
  return ours ? std::optional<fs::path>() : std::optional(entry);
}

bool is_our_manifest(const fs::path& folder) {
  const auto text = read_file(folder / kManifestName);
  std::error_code error;
  return (text && resembles_manifest(*text)) || fs::exists(folder / kGraphFolder / "CURRENT", error);
}

bool runs(pid_t process) { return process != ::getpid() && (::kill(process, 0) == 0 || errno == EPERM); }

// The process id at the end of "NAME.building-123", when the name is of this form.
std::optional<pid_t> writer_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + prefix.size(), end, process);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(process) : std::nullopt;
}

fs::path sibling(const fs::path& folder, std::string_view suffix) {
  fs::path path = folder;
  path += suffix;
  return path;
}

Status remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) return tl::unexpected(system_error(folder, error.value()));
  return {};
}

Status rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return tl::unexpected(system_error(to, error.value()));
  return {};
}

// Whether the file system exchanged the two names.
bool exchanged(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return false;
#endif
}

}  // namespace

Result<FolderReport> inspect_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return FolderReport{FolderState::kAbsent, {}};
  if (status.type() == fs::file_type::none) return tl::unexpected(system_error(folder, error.value()));
  if (!fs::is_directory(status)) return FolderReport{FolderState::kForeign, {}};
  HARNESSG_ASSIGN(const auto all, entries(folder));
  bool has_manifest = false;
  for (const fs::path& entry : all) {
    HARNESSG_ASSIGN(const auto stranger, stranger_at(entry));
    if (stranger) return FolderReport{FolderState::kForeign, stranger->lexically_relative(folder).string()};
    has_manifest |= entry.filename() == kManifestName;
  }
  if (all.empty()) return FolderReport{FolderState::kEmpty, {}};
  if (!has_manifest) return FolderReport{FolderState::kUnfinished, {}};
  if (!is_our_manifest(folder)) return FolderReport{FolderState::kForeign, kManifestName};
  return FolderReport{FolderState::kIndex, {}};
}

Result<fs::path> resolve_folder(const fs::path& folder) {
  std::error_code error;
  fs::path resolved = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error) return tl::unexpected(system_error(folder, error.value()));
  if (!resolved.has_filename()) resolved = resolved.parent_path();
  if (folder.empty() || !resolved.has_filename())
    return fail(ErrorCode::kInvalidArgument, "\"{}\": an index cannot be written there; name a folder",
                folder.string());
  return resolved;
}

fs::path building_sibling(const fs::path& folder) { return sibling(folder, fmt::format(".building-{}", ::getpid())); }

Status exchange_folders(const fs::path& fresh, const fs::path& folder) {
  fs::path old = fresh;
  if (!exchanged(fresh, folder)) {
    old = sibling(folder, fmt::format(".replaced-{}", ::getpid()));
    HARNESSG_RETURN_IF_ERROR(rename_folder(folder, old));
    if (auto renamed = rename_folder(fresh, folder); !renamed) {
      HARNESSG_RETURN_IF_ERROR(rename_folder(old, folder));
      return renamed;
    }
  }
  HARNESSG_RETURN_IF_ERROR(sync_path(folder.parent_path()));
  return remove_folder(old);
}

Status recover_siblings(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder.parent_path(), error)) return {};
  HARNESSG_ASSIGN(const auto all, entries(folder.parent_path()));
  const std::string name = folder.filename().string();
  for (const char* role : {".replaced-", ".building-"}) {
    for (const fs::path& entry : all) {
      const auto writer = writer_of(entry.filename().string(), name + role);
      if (!writer || runs(*writer)) continue;
      HARNESSG_ASSIGN(const FolderReport report, inspect_folder(entry));
      if (report.state == FolderState::kForeign) continue;
      const bool put_back =
          role == std::string_view(".replaced-") && report.state == FolderState::kIndex && !fs::exists(folder, error);
      HARNESSG_RETURN_IF_ERROR(put_back ? rename_folder(entry, folder) : remove_folder(entry));
    }
  }
  return {};
}

Result<FolderLock> FolderLock::take(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected(system_error(folder, errno));
  FolderLock lock(descriptor);
  // Other errors mean that this file system has no locks.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return fail(ErrorCode::kAlreadyExists,
                "{}: another process is writing an index there; wait for it or choose another folder", folder.string());
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace harnessg
