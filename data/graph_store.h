// The graph's and the lexicon's tables in a RocksDB folder, column families and records as docs/format.md defines.
#pragma once

#include <filesystem>
#include <string>

#include "data/graph.h"
#include "data/lexicon.h"
#include "data/result.h"

namespace harnessg {

struct StoredTables {
  GraphTables graph;
  LexiconTables lexicon;
};

// The compression that new stores get, by RocksDB's name for it: the first of lz4, zstd, snappy that is linked, or
// "none".
std::string store_compression();

// kUnavailable naming it when this program's RocksDB was linked without a compression.
Status check_compression(const std::string& name);

// Creates `folder`, which must be absent. Everything is on the disk on return. kIo on a full disk or a missing right.
Status write_graph_store(const std::filesystem::path& folder, const GraphTables& graph, const LexiconTables& lexicon,
                         const std::string& compression);

// Opens read-only, reads everything, closes; creates and changes no file. kCorrupt when blocks do not match their
// checksums or records are missing; whether the tables fit each other is for Graph::create and Lexicon::create.
Result<StoredTables> read_graph_store(const std::filesystem::path& folder);

// RocksDB's own check of every block. kCorrupt naming what RocksDB names.
Status verify_graph_store(const std::filesystem::path& folder);

}  // namespace harnessg
