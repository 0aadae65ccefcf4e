// The files of an index as bytes: read, written durably, stamped, and compared with their stamps.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/manifest.h"
#include "data/result.h"

namespace harnessg {

inline constexpr const char* kGraphFolder = "graph";
inline constexpr const char* kVectorsFolder = "vectors";
inline constexpr const char* kProgressFolder = "progress";

// Of vectors/, in NodeKind order.
inline constexpr const char* kVectorFiles[] = {"paragraph.faiss", "sentence.faiss", "entity.faiss"};

// kNotFound when it is not there, kIo for every other refusal of the operating system.
Result<std::string> read_file(const std::filesystem::path& file);

// Size and hash of every file under graph/ and vectors/ of an index folder.
Result<FileStamps> stamp_files(const std::filesystem::path& folder);

// kCorrupt with the first file that is missing, has another size, is not expected, or has another hash, in that order.
Status check_files(const std::filesystem::path& folder, const FileStamps& expected);

// Writes and waits until the bytes are on the disk.
Status write_file_durably(const std::filesystem::path& file, std::string_view bytes);

// Waits until a file's bytes, or a folder's list of names, are on the disk.
Status sync_path(const std::filesystem::path& path);

// kIo, kNotFound for ENOENT: "PATH: what the system said".
Error system_error(const std::filesystem::path& path, int number);

}  // namespace harnessg
