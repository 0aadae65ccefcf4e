// Mentions that somebody else found: a file of JSON lines beside the corpus.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "builder/paragraph.h"
#include "builder/recogniser.h"
#include "data/result.h"

namespace harnessg {

struct MentionRow {
  std::string paragraph;  // record id
  std::uint32_t sentence = 0;
  std::string surface;
  Label label = Label::kEntity;
  // UTF-8 byte offsets [begin, end) in the sentence as the index holds it; absent where the row gives none.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> position;
  std::string file;  // where it came from, for messages
  std::uint64_t line = 0;
};

// A stream of mentions in corpus order: paragraphs in the order of the corpus, within one in order of registration.
class MentionReader {
 public:
  // {"paragraph": record id, "sentence": n, "text": surface, "label": "PERSON", "start"?: n, "end"?: n}, one a line;
  // other keys are ignored; .gz and .zst are read directly. kNotFound, kIo.
  static Result<std::unique_ptr<MentionReader>> open(const std::filesystem::path& file);
  virtual ~MentionReader() = default;

  // The next row; nullopt at the end. kBadInput with file:line, what is wrong and the mend.
  virtual Result<std::optional<MentionRow>> next() = 0;
};

// One line of such a file; `file` and `line` are for messages. kBadInput.
Result<MentionRow> parse_mention(std::string_view text, const std::string& file, std::uint64_t line);

// Hands out the rows paragraph by paragraph.
class MentionQueue {
 public:
  explicit MentionQueue(MentionReader& reader) : reader_(reader) {}

  // The rows of the paragraph, if they are what comes next; none otherwise.
  Result<std::vector<MentionRow>> take(std::string_view paragraph);

  // The row that comes next, nullptr at the end: after a take, one of another paragraph.
  Result<const MentionRow*> waiting();

 private:
  MentionReader& reader_;
  std::optional<MentionRow> row_;
  bool at_end_ = false;
};

// One list a sentence. kBadInput with file:line for a sentence that the paragraph does not have, and for a position at
// which the surface does not stand. A row without position has begin and end 0.
Result<ParagraphMentions> place_mentions(std::span<const MentionRow> rows, std::string_view text,
                                         const SentenceRanges& sentences);

}  // namespace harnessg
