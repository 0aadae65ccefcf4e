// MANIFEST.json as text: what Manifest says, a stamp of every file of the index, and a hash of itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "data/index.h"
#include "data/result.h"

namespace harnessg {

inline constexpr const char* kManifestName = "MANIFEST.json";
inline constexpr const char* kManifestTempName = "MANIFEST.json.tmp";

struct FileStamp {
  std::uint64_t bytes = 0;
  std::string xxh3_64;  // 16 hex digits

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// By path relative to the index folder, with '/'.
using FileStamps = std::map<std::string, FileStamp>;

struct StoredManifest {
  Manifest manifest;
  FileStamps files;

  friend bool operator==(const StoredManifest&, const StoredManifest&) = default;
};

// Fills what follows from the content: content_hash and the counts of nodes, mentions and (undirected) synonym edges.
void describe_content(Manifest& manifest, const IndexContent& content);

// kInvalidArgument when a string in it is no UTF-8.
Result<std::string> manifest_text(const StoredManifest& stored);

// `file` is for messages. kCorrupt (no JSON, a key missing, hash wrong), kUnsupportedVersion (newer format).
Result<StoredManifest> parse_manifest(std::string_view text, const std::filesystem::path& file);

// Whether a text that may be damaged or of another version was meant as our manifest.
bool resembles_manifest(std::string_view text);

}  // namespace harnessg
