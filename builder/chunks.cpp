#include "builder/chunks.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "builder/paragraph.h"

namespace harnessg {
namespace {

// Byte ranges of the words; folded text has single spaces between words and none at the ends.
SentenceRanges word_ranges(std::string_view text) {
  SentenceRanges words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.emplace_back(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
    begin = end + 1;
  }
  return words;
}

CorpusRecord cut(const CorpusRecord& record, const SentenceRanges& sentences, std::uint32_t begin, std::uint32_t end,
                 std::size_t number) {
  CorpusRecord chunk = record;
  chunk.id = fmt::format("{}#{}", record.id, number);
  chunk.text = record.text.substr(begin, end - begin);
  chunk.sentences.clear();
  for (const auto& [from, to] : sentences) {
    const std::uint32_t first = std::max(from, begin), last = std::min(to, end);
    if (first < last) chunk.sentences.push_back(record.text.substr(first, last - first));
  }
  return chunk;
}

}  // namespace

Status check_chunks(const ChunkSettings& settings) {
  if (settings.overlap == 0 || settings.overlap < settings.tokens) return {};
  return fail(ErrorCode::kInvalidArgument,
              "the overlap of chunks is {} tokens and a chunk has {}; give an overlap that is smaller than the chunk",
              settings.overlap, settings.tokens);
}

Result<std::vector<CorpusRecord>> chunk_record(CorpusRecord record, const ChunkSettings& settings) {
  std::vector<CorpusRecord> chunks;
  const SentenceRanges words = settings.tokens == 0 ? SentenceRanges{} : word_ranges(record.text);
  if (words.size() <= settings.tokens) {
    chunks.push_back(std::move(record));
    return chunks;
  }
  SentenceRanges sentences;
  if (!record.sentences.empty()) {
    HARNESSG_ASSIGN(sentences, locate_sentences(record));
  }
  for (std::size_t begin = 0;; begin += settings.tokens - settings.overlap) {
    const std::size_t end = std::min(begin + settings.tokens, words.size());
    chunks.push_back(cut(record, sentences, words[begin].first, words[end - 1].second, chunks.size()));
    if (end == words.size()) return chunks;
  }
}

}  // namespace harnessg
