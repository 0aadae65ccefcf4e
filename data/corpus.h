// Corpora: a stream of paragraphs from JSON lines, text folders and the files of HotpotQA, 2Wiki and MuSiQue.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/result.h"

namespace harnessg {

// One paragraph as it came. Texts are valid UTF-8; title, text and sentences have their white space folded.
struct CorpusRecord {
  std::string id;
  std::string title;
  std::string text;                    // never empty
  std::vector<std::string> sentences;  // empty: not given; else none is empty and, joined, they equal text up to white space
  std::string metadata;                // JSON object of the other keys, "" where there are none
  std::string file;                    // where it came from, for messages
  std::uint64_t line = 0;              // 1-based; the record's number in files that are one JSON document
};

enum class OnError : std::uint8_t { kFail, kSkip };

struct CorpusOptions {
  OnError on_error = OnError::kFail;
  std::size_t max_line_bytes = 64u << 20;  // a longer line is an error, never read into memory whole
};

// Reads the given files and folders one after another, in the order given; one thread at a time.
// .gz and .zst are read directly; "-" is standard input. What a file holds is found from its content:
//   JSON lines   {"id", "title", "text", "sentences"?, ...}; lines end in LF only
//   HotpotQA / 2Wiki   [{"_id", "context": [[title, [sentence, ...]], ...]}, ...]: every context paragraph
//   MuSiQue      {"id", "paragraphs": [{"title", "paragraph_text"}, ...]} lines
//   folder       *.txt files in name order: title = name without .txt, text = content (also in sub-folders)
class CorpusReader {
 public:
  // kNotFound when a path is missing (all are looked at before the first is read).
  static Result<std::unique_ptr<CorpusReader>> open(std::vector<std::filesystem::path> paths, CorpusOptions options);
  virtual ~CorpusReader() = default;

  // The next record; nullopt at the end. kBadInput with file:line, what is wrong and the mend (broken UTF-8, no JSON, a
  // truncated last line, a record without text, sentences that do not add up to the text, an empty sentence other than
  // at the end, a line over the limit); under OnError::kSkip such a record is counted in skipped() and passed over.
  // Contexts of question files: the same (title, text) comes once for each question that has it; who builds merges.
  virtual Result<std::optional<CorpusRecord>> next() = 0;

  virtual std::uint64_t skipped() const = 0;
  virtual std::string first_skipped() const = 0;  // the message of the first skipped record, "" when none
  virtual std::uint64_t bytes_read() const = 0;   // of the files as stored, for progress
  virtual std::uint64_t bytes_total() const = 0;  // 0 when unknown (standard input)
};

}  // namespace harnessg
