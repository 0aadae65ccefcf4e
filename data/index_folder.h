// What lies in a folder that an index is to be written into, and the exchange of an old index for a new one.
#pragma once

#include <filesystem>
#include <string>

#include "data/result.h"

namespace harnessg {

enum class FolderState : std::uint8_t {
  kAbsent,
  kEmpty,
  kUnfinished,  // nothing but what an interrupted build leaves: no manifest
  kIndex,       // an index, intact or not
  kForeign,     // something that is not ours
};

struct FolderReport {
  FolderState state = FolderState::kAbsent;
  std::string stranger;  // of a foreign folder: the first name that is not ours; "" when it is a file
};

// kIo when it cannot be looked at. Only names and the manifest are looked at.
Result<FolderReport> inspect_folder(const std::filesystem::path& folder);

// Follows links and removes "." and a slash at the end, so that a sibling of the folder can be named.
Result<std::filesystem::path> resolve_folder(const std::filesystem::path& folder);

// Siblings of the folder that a write uses: FOLDER.building-PID and FOLDER.replaced-PID.
std::filesystem::path building_sibling(const std::filesystem::path& folder);

// Puts `fresh` in the place of `folder` and removes the old one. One step where the file system can exchange two
// names; else two renames, between which a crash leaves the old index as FOLDER.replaced-PID.
Status exchange_folders(const std::filesystem::path& fresh, const std::filesystem::path& folder);

// Undoes what writers that no longer run left beside the folder: puts a FOLDER.replaced-PID back when the folder is
// gone, and removes the other siblings. What does not look like ours stays.
Status recover_siblings(const std::filesystem::path& folder);

// Held while a folder is written; a second writer gets kAlreadyExists. Nothing is created: the folder itself is locked.
class FolderLock {
 public:
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace harnessg
