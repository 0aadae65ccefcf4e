#include "credit/models/score_cache.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>

namespace harnessg {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "entries are numbers as they lie in memory");

constexpr std::string_view kMarker = "harnessg score cache";  // of another length than any key of a score
constexpr std::string_view kMarkerValue = "1";
constexpr char kFormat = 1;
constexpr char kTextFormat = 2;
constexpr std::size_t kPortion = 256;
constexpr std::size_t kMemtableBytes = std::size_t{8} << 20;

class SilentLogger : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::Options cache_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.info_log = std::make_shared<SilentLogger>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.write_buffer_size = kMemtableBytes;
  options.compression = rocksdb::kNoCompression;
  return options;
}

rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const ScoreKey& key) { return {key.data(), key.size()}; }

// The format, the value, and a hash of both and the key.
std::string entry(const ScoreKey& key, char format, std::string_view value) {
  std::string bytes(1, format);
  bytes.append(value);
  const std::uint64_t hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), XXH3_64bits(key.data(), key.size()));
  return bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

std::string entry(const ScoreKey& key, double score) {
  return entry(key, kFormat, {reinterpret_cast<const char*>(&score), sizeof score});
}

std::optional<double> score_of(const ScoreKey& key, std::string_view bytes) {
  double score = 0;
  if (bytes.size() < 1 + sizeof score) return std::nullopt;
  std::memcpy(&score, bytes.data() + 1, sizeof score);
  if (bytes != entry(key, score) || !(score > 0 && score <= 1)) return std::nullopt;
  return score;
}

std::optional<std::string> text_of(const ScoreKey& key, std::string_view bytes) {
  constexpr std::size_t kAround = 1 + sizeof(std::uint64_t);
  if (bytes.size() < kAround) return std::nullopt;
  std::string text(bytes.substr(1, bytes.size() - kAround));
  if (bytes != entry(key, kTextFormat, text)) return std::nullopt;
  return text;
}

std::string not_ours(const fs::path& folder) {
  return fmt::format("{}: there is something else than a cache of scores of this version; name another folder",
                     folder.string());
}

Error error_of(const rocksdb::Status& status, const fs::path& folder) {
  const std::string place = folder.string();
  if (status.IsIOError() && status.ToString().find("lock") != std::string::npos) {
    return {
        ErrorCode::kUnavailable,
        fmt::format("{}: another process has this cache of scores open; wait for it or name another folder", place)};
  }
  if (status.IsIOError()) {
    return {ErrorCode::kIo, fmt::format("{}: {}; look at free space and permissions", place, status.ToString())};
  }
  if (status.IsInvalidArgument()) return {ErrorCode::kBadInput, not_ours(folder)};
  return {ErrorCode::kCorrupt,
          fmt::format("{}: {}; if it is a cache of scores, remove it: it is made again", place, status.ToString())};
}

// Whether there is a database already; a folder of other things is refused.
Result<bool> holds_database(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder / "CURRENT", failed)) return true;
  const bool there = fs::exists(folder, failed);
  if (there && (!fs::is_directory(folder, failed) || !fs::is_empty(folder, failed))) {
    return fail(ErrorCode::kBadInput, "{}", not_ours(folder));
  }
  if (failed) return fail(ErrorCode::kIo, "{}: {}", folder.string(), failed.message());
  return false;
}

// Looks without touching a file: what is not ours is left as it is.
Status check_marker(const fs::path& folder) {
  rocksdb::DB* opened = nullptr;
  auto status = rocksdb::DB::OpenForReadOnly(cache_options(), folder.string(), &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) return tl::unexpected(error_of(status, folder));
  std::string value;
  status = db->Get(rocksdb::ReadOptions(), slice(kMarker), &value);
  if (!status.ok() && !status.IsNotFound()) return tl::unexpected(error_of(status, folder));
  if (value != kMarkerValue) return fail(ErrorCode::kBadInput, "{}", not_ours(folder));
  return {};
}

struct OpenCaches {
  std::mutex mutex;
  std::map<fs::path, std::weak_ptr<ScoreCache>> by_folder;
};

OpenCaches& open_caches() {
  static OpenCaches caches;
  return caches;
}

class KeyHasher {
 public:
  KeyHasher() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }
  void number(std::uint64_t value) { XXH3_128bits_update(state_.get(), &value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    XXH3_128bits_update(state_.get(), value.data(), value.size());
  }
  ScoreKey key() const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state_.get()));
    ScoreKey key;
    std::memcpy(key.data(), bytes.digest, key.size());
    return key;
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

bool nobody_answered(std::span<const Score> scores) {
  return std::all_of(scores.begin(), scores.end(), [](const Score& score) {
    return !score && (score.error().reason == NotScoredReason::kUnavailable ||
                      score.error().reason == NotScoredReason::kTimedOut);
  });
}

}  // namespace

ScoreKey score_key(std::string_view identity, const ScoreRequest& request) {
  KeyHasher hash;
  hash.text(identity);
  hash.text(request.question);
  hash.number(request.context.size());
  for (const std::string_view text : request.context) hash.text(text);
  hash.number(request.aliases.size());
  for (const std::string& alias : request.aliases) hash.text(alias);
  return hash.key();
}

ScoreKey answer_key(std::string_view identity, std::string_view system, std::string_view user) {
  KeyHasher hash;
  hash.text("chat answer");
  hash.text(identity);
  hash.text(system);
  hash.text(user);
  return hash.key();
}

ScoreCache::ScoreCache(fs::path folder) : folder_(std::move(folder)) {}
ScoreCache::~ScoreCache() = default;

Result<std::shared_ptr<ScoreCache>> ScoreCache::open(const fs::path& folder) {
  std::error_code failed;
  const fs::path place = fs::weakly_canonical(folder, failed);
  if (failed) return fail(ErrorCode::kIo, "{}: {}", folder.string(), failed.message());
  OpenCaches& caches = open_caches();
  const std::lock_guard lock(caches.mutex);
  if (auto known = caches.by_folder[place].lock()) return known;
  HARNESSG_ASSIGN(const bool there, holds_database(place));
  if (there) HARNESSG_RETURN_IF_ERROR(check_marker(place));
  fs::create_directories(place, failed);
  if (failed) return fail(ErrorCode::kIo, "{}: {}", folder.string(), failed.message());
  std::shared_ptr<ScoreCache> cache(new ScoreCache(folder));
  rocksdb::DB* db = nullptr;
  auto status = rocksdb::DB::Open(cache_options(), place.string(), &db);
  cache->db_.reset(db);
  if (status.ok() && !there) status = db->Put(rocksdb::WriteOptions(), slice(kMarker), slice(kMarkerValue));
  if (!status.ok()) return tl::unexpected(error_of(status, folder));
  caches.by_folder[place] = cache;
  return cache;
}

std::optional<double> ScoreCache::find(const ScoreKey& key) const {
  std::string bytes;
  if (!db_->Get(rocksdb::ReadOptions(), slice(view(key)), &bytes).ok()) return std::nullopt;
  return score_of(key, bytes);
}

Status ScoreCache::add(std::span<const std::pair<ScoreKey, double>> scores) {
  if (scores.empty()) return {};
  rocksdb::WriteBatch batch;
  for (const auto& [key, score] : scores) batch.Put(slice(view(key)), slice(entry(key, score)));
  const auto status = db_->Write(rocksdb::WriteOptions(), &batch);
  if (!status.ok()) return tl::unexpected(error_of(status, folder_));
  return {};
}

std::optional<std::string> ScoreCache::find_text(const ScoreKey& key) const {
  std::string bytes;
  if (!db_->Get(rocksdb::ReadOptions(), slice(view(key)), &bytes).ok()) return std::nullopt;
  return text_of(key, bytes);
}

Status ScoreCache::add_texts(std::span<const std::pair<ScoreKey, std::string>> texts) {
  if (texts.empty()) return {};
  rocksdb::WriteBatch batch;
  for (const auto& [key, text] : texts) batch.Put(slice(view(key)), slice(entry(key, kTextFormat, text)));
  const auto status = db_->Write(rocksdb::WriteOptions(), &batch);
  if (!status.ok()) return tl::unexpected(error_of(status, folder_));
  return {};
}

Result<std::vector<Score>> CachedScorer::score(std::span<const ScoreRequest> requests) const {
  std::map<ScoreKey, Score> known;  // and those to ask for, which are overwritten
  std::vector<ScoreKey> keys;
  std::vector<std::pair<ScoreKey, const ScoreRequest*>> missing;
  const Score unknown = tl::unexpected(NotScored{NotScoredReason::kUnavailable, "not asked"});
  for (const ScoreRequest& request : requests) {
    keys.push_back(score_key(identity_, request));
    const auto [at, fresh] = known.try_emplace(keys.back(), unknown);
    if (!fresh) continue;
    if (const auto score = cache_->find(keys.back())) {
      at->second = *score;
    } else {
      missing.emplace_back(keys.back(), &request);
    }
  }
  for (std::size_t begin = 0; begin < missing.size(); begin += kPortion) {
    const auto portion = std::span(missing).subspan(begin, std::min(kPortion, missing.size() - begin));
    std::vector<ScoreRequest> asked;
    for (const auto& [key, request] : portion) asked.push_back(*request);
    HARNESSG_ASSIGN(const std::vector<Score> scores, checked_scores(*scorer_, asked));
    std::vector<std::pair<ScoreKey, double>> fresh;
    for (std::size_t i = 0; i < portion.size(); ++i) {
      known[portion[i].first] = scores[i];
      if (scores[i]) fresh.emplace_back(portion[i].first, *scores[i]);
    }
    HARNESSG_RETURN_IF_ERROR(cache_->add(fresh));
    if (!nobody_answered(scores)) continue;
    for (const auto& [key, request] : std::span(missing).subspan(begin)) known[key] = scores.back();
    break;
  }
  std::vector<Score> scores;
  for (const ScoreKey& key : keys) scores.push_back(known[key]);
  return scores;
}

}  // namespace harnessg
