// The serial head of a build: records from the corpus with their mentions, each paragraph once.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "builder/chunks.h"
#include "builder/mentions_file.h"
#include "data/corpus.h"
#include "data/result.h"

namespace harnessg {

struct IntakeItem {
  CorpusRecord record;
  std::vector<MentionRow> mentions;
};

// Cuts long records into chunks and merges paragraphs that are equal in title and text into the first of them, whatever
// their ids. Numbers paragraphs from 0 in the order they are handed out. One thread at a time.
class Intake {
 public:
  // `mentions` may be null. Both readers must outlive the intake.
  Intake(CorpusReader& corpus, MentionReader* mentions, const ChunkSettings& chunks, OnError on_error);

  // Some more paragraphs, an amount that is worth a task; none at the end. kBadInput as the readers, for two different
  // paragraphs of one id (under OnError::kSkip the second is skipped and counted), for mentions of a paragraph that is
  // not in the corpus or not where the mentions expect it.
  Result<std::vector<IntakeItem>> next();

  // Paragraph and the id of an equal one that was merged into it, in corpus order.
  std::vector<std::pair<std::uint32_t, std::string>> take_duplicates() { return std::move(duplicates_); }

  std::uint64_t records_read() const { return records_read_; }
  std::uint64_t duplicates_merged() const { return duplicates_merged_; }
  std::uint64_t records_skipped() const { return corpus_.skipped() + skipped_; }
  std::string first_skipped() const;  // the message of one that was skipped, the reader's own first; "" for none
  std::uint64_t bytes_read() const { return corpus_.bytes_read(); }

 private:
  struct Origin {
    std::uint32_t paragraph = 0;
    const std::string* file = nullptr;  // in files_
    std::uint64_t line = 0;
  };
  struct ContentHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(const ContentHash&, const ContentHash&) = default;
  };
  struct LowBits {
    std::size_t operator()(const ContentHash& hash) const { return hash.low; }
  };

  static ContentHash content_of(const CorpusRecord& record);
  Status admit(CorpusRecord record, std::vector<IntakeItem>& batch);
  Status reject(Error error);
  Result<std::vector<MentionRow>> mentions_of(const std::string& id);
  Status check_all_mentions_taken();

  CorpusReader& corpus_;
  std::optional<MentionQueue> mentions_;
  const ChunkSettings chunks_;
  const OnError on_error_;
  std::unordered_map<std::string, Origin> ids_;
  std::unordered_map<ContentHash, std::uint32_t, LowBits> contents_;
  std::vector<std::pair<std::uint32_t, std::string>> duplicates_;
  std::set<std::string> files_;  // names that origins point to
  std::uint32_t paragraphs_ = 0;
  std::uint64_t records_read_ = 0;
  std::uint64_t duplicates_merged_ = 0;
  std::uint64_t skipped_ = 0;
  std::string first_skipped_;
};

}  // namespace harnessg
