// Scores that were paid for, kept on the disk (RocksDB), so that asking again costs nothing.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "credit/models/scorer.h"
#include "data/result.h"

namespace rocksdb {
class DB;
}

namespace harnessg {

// XXH3, 128 bits, of who scores and what: a scorer's identity, the question, the context's texts in order, the aliases
// in order.
using ScoreKey = std::array<char, 16>;
ScoreKey score_key(std::string_view identity, const ScoreRequest& request);
// Of what a chat model was asked; no key of a score is equal to one.
ScoreKey answer_key(std::string_view identity, std::string_view system, std::string_view user);

// A folder of scores by key. Thread-safe; one process at a time.
class ScoreCache {
 public:
  // Makes the folder where there is none. Within a process the same folder is the same cache. kBadInput: the folder
  // holds something else; kUnavailable: another process has it open; kCorrupt: it cannot be read; kIo.
  static Result<std::shared_ptr<ScoreCache>> open(const std::filesystem::path& folder);
  ~ScoreCache();
  ScoreCache(const ScoreCache&) = delete;
  ScoreCache& operator=(const ScoreCache&) = delete;

  // None also where the entry is damaged, of another format, or no number in (0, 1]: it is then asked for again.
  std::optional<double> find(const ScoreKey& key) const;

  // On the disk when it returns, though a power failure may lose the last ones. kIo: disk full, permissions.
  // Precondition: every score is in (0, 1].
  Status add(std::span<const std::pair<ScoreKey, double>> scores);

  // The same for texts that a model wrote.
  std::optional<std::string> find_text(const ScoreKey& key) const;
  Status add_texts(std::span<const std::pair<ScoreKey, std::string>> texts);

 private:
  explicit ScoreCache(std::filesystem::path folder);

  std::filesystem::path folder_;
  std::unique_ptr<rocksdb::DB> db_;
};

// A scorer that asks another one only for what is not in the cache, each equal request once, a few hundred at a time:
// what was scored before an interruption is kept. Only scores are kept, never a NotScored.
class CachedScorer final : public Scorer {
 public:
  // `identity`: whatever scores depend on besides the request, such as the model and the prompt's form.
  CachedScorer(std::unique_ptr<Scorer> scorer, std::string identity, std::shared_ptr<ScoreCache> cache)
      : scorer_(std::move(scorer)), identity_(std::move(identity)), cache_(std::move(cache)) {}

  std::string_view name() const override { return scorer_->name(); }

  // Errors are those of checked_scores() and ScoreCache::add. When nobody answered a whole portion, the rest is not
  // asked for, and not scored for the same reason.
  Result<std::vector<Score>> score(std::span<const ScoreRequest> requests) const override;

 private:
  std::unique_ptr<Scorer> scorer_;
  std::string identity_;
  std::shared_ptr<ScoreCache> cache_;
};

}  // namespace harnessg
