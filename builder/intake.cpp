#include "builder/intake.h"

#include <xxhash.h>

#include <string_view>

namespace harnessg {
namespace {

// A batch ends with the paragraph that reaches one of them.
constexpr std::size_t kBatchParagraphs = 64;
constexpr std::size_t kBatchBytes = 64u << 10;

}  // namespace

Intake::Intake(CorpusReader& corpus, MentionReader* mentions, const ChunkSettings& chunks, OnError on_error)
    : corpus_(corpus), chunks_(chunks), on_error_(on_error) {
  if (mentions) mentions_.emplace(*mentions);
}

Intake::ContentHash Intake::content_of(const CorpusRecord& record) {
  // No folded title holds a line break, so that the two cannot be divided in another way.
  const std::string content = record.title + '\n' + record.text;
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return {hash.high64, hash.low64};
}

std::string Intake::first_skipped() const {
  std::string message = corpus_.first_skipped();
  return message.empty() ? first_skipped_ : message;
}

Status Intake::reject(Error error) {
  if (on_error_ == OnError::kFail) return tl::unexpected<Error>(std::move(error));
  if (skipped_++ == 0) first_skipped_ = std::move(error.message);
  return {};
}

Result<std::vector<MentionRow>> Intake::mentions_of(const std::string& id) {
  if (!mentions_) return std::vector<MentionRow>{};
  return mentions_->take(id);
}

Status Intake::admit(CorpusRecord record, std::vector<IntakeItem>& batch) {
  const ContentHash content = content_of(record);
  const auto equal = contents_.find(content);
  const auto same_id = ids_.find(record.id);
  HARNESSG_ASSIGN(std::vector<MentionRow> mentions, mentions_of(record.id));
  if (same_id != ids_.end() && (equal == contents_.end() || equal->second != same_id->second.paragraph)) {
    return reject(
        {ErrorCode::kBadInput,
         fmt::format("{}:{}: the id \"{}\" is that of another paragraph at {}:{}; give each paragraph its own "
                     "id, or let bad records be skipped",
                     record.file, record.line, record.id, *same_id->second.file, same_id->second.line)});
  }
  const std::uint32_t paragraph = equal == contents_.end() ? paragraphs_ : equal->second;
  ids_.try_emplace(record.id, Origin{paragraph, &*files_.insert(record.file).first, record.line});
  if (equal != contents_.end()) {
    ++duplicates_merged_;
    duplicates_.emplace_back(paragraph, std::move(record.id));
    return {};
  }
  contents_.emplace(content, paragraphs_++);
  batch.push_back({std::move(record), std::move(mentions)});
  return {};
}

Status Intake::check_all_mentions_taken() {
  if (!mentions_) return {};
  HARNESSG_ASSIGN(const MentionRow* const row, mentions_->waiting());
  if (!row) return {};
  const bool known = ids_.contains(row->paragraph);
  return fail(ErrorCode::kBadInput, "{}:{}: {} paragraph \"{}\"; {}", row->file, row->line,
              known ? "the mentions are not in the order of the corpus at" : "the corpus has no", row->paragraph,
              known ? "sort them as the corpus is" : "remove its mentions, or add the paragraph");
}

Result<std::vector<IntakeItem>> Intake::next() {
  std::vector<IntakeItem> batch;
  for (std::size_t bytes = 0; batch.size() < kBatchParagraphs && (batch.empty() || bytes < kBatchBytes);) {
    HARNESSG_ASSIGN(std::optional<CorpusRecord> record, corpus_.next());
    if (!record) {
      if (batch.empty()) HARNESSG_RETURN_IF_ERROR(check_all_mentions_taken());
      break;
    }
    ++records_read_;
    bytes += record->text.size();
    HARNESSG_ASSIGN(std::vector<CorpusRecord> parts, chunk_record(std::move(*record), chunks_));
    for (CorpusRecord& part : parts) HARNESSG_RETURN_IF_ERROR(admit(std::move(part), batch));
  }
  return batch;
}

}  // namespace harnessg
