// RocksDB as this project uses it: one immutable store per index, written once, read from the first to the last record.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"

namespace harnessg {

// One kind of record each; the order is that of the column families' handles.
enum class Family : std::uint8_t { kDefault, kParagraphs, kEntities, kAdjacency, kLexicon };

// Owns an open database. Nothing is logged: no LOG file, no time stamps.
class RocksStore {
 public:
  // `folder` must not hold a database yet.
  static Result<RocksStore> create(const std::filesystem::path& folder, rocksdb::CompressionType compression);
  // Touches no file. kCorrupt, kUnavailable (a compression that is not linked), kIo.
  static Result<RocksStore> open_read_only(const std::filesystem::path& folder);

  RocksStore(RocksStore&&) noexcept = default;
  RocksStore& operator=(RocksStore&&) = delete;
  ~RocksStore();

  // Collected in batches; on the disk only after finish().
  Status put(Family family, std::string_view key, std::string_view value);
  // Flushes, compacts, closes, and removes what RocksDB leaves that readers do not need: LOCK, the empty log, OPTIONS.
  Status finish();

  Result<std::string> get(Family family, std::string_view key) const;
  // In key order; created anew for each scan.
  std::unique_ptr<rocksdb::Iterator> scan(Family family) const;
  Status verify_checksums() const;

  // A status of RocksDB's as ours, with the folder named.
  Error error(const rocksdb::Status& status) const;

 private:
  explicit RocksStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Status write_batch();
  Status close();
  Status remove_leftovers();

  std::filesystem::path folder_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
  rocksdb::WriteBatch batch_;
};

}  // namespace harnessg
