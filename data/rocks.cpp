#include "data/rocks.h"

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <system_error>

namespace harnessg {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatchBytes = 1 << 20;
constexpr std::size_t kMemtableBytes = 64 << 20;
constexpr std::size_t kReadAheadBytes = 2 << 20;

class SilentLogger : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::DBOptions database_options() {
  rocksdb::DBOptions options;
  options.info_log = std::make_shared<SilentLogger>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.skip_stats_update_on_db_open = true;
  options.max_open_files = -1;
  options.max_file_opening_threads = 1;
  options.max_bgerror_resume_count = 0;  // a failed write fails at once instead of being tried again
  return options;
}

rocksdb::ColumnFamilyOptions family_options(rocksdb::CompressionType compression) {
  rocksdb::BlockBasedTableOptions table;
  table.no_block_cache = true;  // every record is read once
  table.checksum = rocksdb::kXXH3;
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = compression;
  options.bottommost_compression = compression;
  options.write_buffer_size = kMemtableBytes;
  options.disable_auto_compactions = true;  // finish() does it once
  options.level0_slowdown_writes_trigger = 1 << 30;
  options.level0_stop_writes_trigger = 1 << 30;
  options.soft_pending_compaction_bytes_limit = 0;
  options.hard_pending_compaction_bytes_limit = 0;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> families(rocksdb::CompressionType compression) {
  std::vector<rocksdb::ColumnFamilyDescriptor> all;
  for (const char* name : {"default", "paragraphs", "entities", "adjacency", "lexicon"})
    all.emplace_back(name, family_options(compression));
  return all;
}

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }

rocksdb::ReadOptions read_options() {
  rocksdb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  options.readahead_size = kReadAheadBytes;
  return options;
}

}  // namespace

Result<RocksStore> RocksStore::create(const fs::path& folder, rocksdb::CompressionType compression) {
  RocksStore store(folder);
  rocksdb::DBOptions options = database_options();
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.error_if_exists = true;
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::Open(options, folder.string(), families(compression), &store.handles_, &db);
  store.db_.reset(db);
  if (!status.ok()) return tl::unexpected(store.error(status));
  return store;
}

Result<RocksStore> RocksStore::open_read_only(const fs::path& folder) {
  RocksStore store(folder);
  rocksdb::DB* db = nullptr;
  const auto status =
      rocksdb::DB::OpenForReadOnly(database_options(), folder.string(), families(rocksdb::kNoCompression),
                                   &store.handles_, &db, /*error_if_wal_file_exists=*/true);
  store.db_.reset(db);
  if (!status.ok()) return tl::unexpected(store.error(status));
  return store;
}

RocksStore::~RocksStore() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
}

Status RocksStore::put(Family family, std::string_view key, std::string_view value) {
  const auto status = batch_.Put(handles_[static_cast<std::size_t>(family)], slice(key), slice(value));
  if (!status.ok()) return tl::unexpected(error(status));
  return batch_.GetDataSize() < kBatchBytes ? Status{} : write_batch();
}

Status RocksStore::write_batch() {
  rocksdb::WriteOptions options;
  options.disableWAL = true;  // finish() flushes; until then there is no index
  const auto status = db_->Write(options, &batch_);
  batch_.Clear();
  if (!status.ok()) return tl::unexpected(error(status));
  return {};
}

Status RocksStore::finish() {
  HARNESSG_RETURN_IF_ERROR(write_batch());
  const auto flushed = db_->Flush(rocksdb::FlushOptions(), handles_);
  if (!flushed.ok()) return tl::unexpected(error(flushed));
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    const auto compacted = db_->CompactRange(rocksdb::CompactRangeOptions(), handle, nullptr, nullptr);
    if (!compacted.ok()) return tl::unexpected(error(compacted));
  }
  HARNESSG_RETURN_IF_ERROR(close());
  return remove_leftovers();
}

Status RocksStore::remove_leftovers() {
  std::error_code failed;
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator it(folder_, failed); !failed && it != fs::end(it); it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const bool empty_log = it->path().extension() == ".log" && it->file_size(failed) == 0;
    if (empty_log || name == "LOCK" || name.starts_with("OPTIONS-")) leftovers.push_back(it->path());
  }
  for (const fs::path& leftover : leftovers) {
    if (!failed) fs::remove(leftover, failed);
  }
  if (failed) return fail(ErrorCode::kIo, "{}: {}", folder_.string(), failed.message());
  return {};
}

Status RocksStore::close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  handles_.clear();
  const auto status = db_->Close();
  db_.reset();
  if (!status.ok()) return tl::unexpected(error(status));
  return {};
}

Result<std::string> RocksStore::get(Family family, std::string_view key) const {
  std::string value;
  const auto status = db_->Get(read_options(), handles_[static_cast<std::size_t>(family)], slice(key), &value);
  if (status.IsNotFound())
    return fail(ErrorCode::kCorrupt, "{}: there is no record {}; build the index again", folder_.string(), key);
  if (!status.ok()) return tl::unexpected(error(status));
  return value;
}

std::unique_ptr<rocksdb::Iterator> RocksStore::scan(Family family) const {
  return std::unique_ptr<rocksdb::Iterator>(
      db_->NewIterator(read_options(), handles_[static_cast<std::size_t>(family)]));
}

Status RocksStore::verify_checksums() const {
  const auto status = db_->VerifyChecksum(read_options());
  if (!status.ok()) return tl::unexpected(error(status));
  return {};
}

Error RocksStore::error(const rocksdb::Status& status) const {
  const std::string place = folder_.string();
  if (status.IsNotSupported()) return {ErrorCode::kUnavailable, fmt::format("{}: {}", place, status.ToString())};
  if (status.IsIOError())
    return {ErrorCode::kIo, fmt::format("{}: {}; look at free space and permissions", place, status.ToString())};
  return {ErrorCode::kCorrupt, fmt::format("{}: {}; build the index again", place, status.ToString())};
}

}  // namespace harnessg
