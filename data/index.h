// An index on disk: graph in RocksDB, vectors in FAISS files, a manifest written last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "data/embedder.h"
#include "data/graph.h"
#include "data/lexicon.h"
#include "data/relevance.h"
#include "data/result.h"

namespace harnessg {

inline constexpr std::uint32_t kFormatVersion = 1;

// MANIFEST.json, as docs/format.md describes it.
struct Manifest {
  std::uint32_t format_version = kFormatVersion;
  std::string tool_version;
  std::string content_hash;  // 32 hex digits over graph, lexicon and vectors: equal content, equal hash, on any machine
  std::string text_rules;    // text_rules_version() of the builder
  EmbedderInfo embedder;
  std::string recogniser;                           // "rules", "file", ...
  std::map<std::string, std::string> settings;      // of the build, name -> value; the store adds `compression`
  std::map<std::string, std::string> input_hashes;  // base name of each corpus file -> hash of its bytes
  // The store fills paragraphs, sentences, entities, mentions and synonym_edges; a builder adds duplicates_merged and
  // records_skipped.
  std::map<std::string, std::uint64_t> counts;

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

struct IndexContent {
  Graph graph;
  Lexicon lexicon;
  std::optional<NodeVectors> vectors;  // absent for embedder "none"
};

// Hash over the content as defined in docs/format.md. The embedder counts only where there are vectors.
std::string content_hash(const IndexContent& content, const EmbedderInfo& embedder);

// Whether write_index would take this folder, so that a long build can find out first: kAlreadyExists for an index
// without `replace` and for a foreign folder, kIo when it cannot be looked at. Changes nothing.
Status check_output_folder(const std::filesystem::path& folder, bool replace);

// Writes a whole index into `folder`: graph/, vectors/, then MANIFEST.json by rename, so that a reader sees all of it
// or none. The folder must be absent or empty, or hold only leftovers of an interrupted build; kAlreadyExists
// otherwise, unless `replace`, which swaps an existing index for the new one in one step (never a foreign folder).
// Leftovers of an earlier write are removed first, progress/ only once the index is complete. kIo when the disk is
// full or says no: what was written so far is removed. kInvalidArgument when vectors, graph and manifest.embedder do
// not fit each other. Fills manifest.content_hash, counts and settings["compression"]. One writer a folder at a time
// (a second gets kAlreadyExists); no threads of its own beyond RocksDB's.
Status write_index(const std::filesystem::path& folder, const IndexContent& content, Manifest manifest, bool replace);

// Immutable once open, shared by all threads, by many processes at once (RocksDB read-only). All of it is in memory:
// no file stays open, so that the folder may be replaced meanwhile.
class Index {
 public:
  // kNotFound (no such folder), kBadInput (no MANIFEST.json: not an index or an unfinished build),
  // kUnsupportedVersion (newer format), kCorrupt (what is read does not fit the manifest; the file is named),
  // kUnavailable (compressed by a library that is not linked here), kIo. Reads every file and compares its hash; writes
  // nothing. One extra thread while it runs.
  static Result<std::shared_ptr<const Index>> open(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }
  const Manifest& manifest() const { return manifest_; }
  const IndexContent& content() const { return content_; }
  const Graph& graph() const { return content_.graph; }
  const Lexicon& lexicon() const { return content_.lexicon; }
  const NodeVectors* vectors() const { return content_.vectors ? &*content_.vectors : nullptr; }

  std::uint64_t bytes_on_disk() const { return bytes_on_disk_; }  // 0 for one made in memory
  std::uint64_t memory_bytes() const;                             // graph, lexicon and vectors

  // For tests and callers that build in memory; the path is empty. Fills manifest.content_hash and counts.
  static std::shared_ptr<const Index> in_memory(IndexContent content, Manifest manifest);

 private:
  Index(std::filesystem::path path, std::uint64_t bytes_on_disk, Manifest manifest, IndexContent content)
      : path_(std::move(path)),
        bytes_on_disk_(bytes_on_disk),
        manifest_(std::move(manifest)),
        content_(std::move(content)) {}

  std::filesystem::path path_;
  std::uint64_t bytes_on_disk_ = 0;
  Manifest manifest_;
  IndexContent content_;
};

// Reads every byte: manifest, hashes of all files, RocksDB checksums, invariants of the graph, content hash. What
// does not belong to an index is an error too, except progress/. Also for what Index::open refuses.
// An error names the first file or invariant that does not hold.
Status verify_index(const std::filesystem::path& folder);

}  // namespace harnessg
