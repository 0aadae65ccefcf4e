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
  std::string id;                      // of a context in a question file: "<question id>#<n>", n from 0
  std::string title;                   // "" when there is none
  std::string text;                    // never empty
  std::vector<std::string> sentences;  // empty: not given; else none is "" and, joined, they equal text up to spaces
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
// .gz and .zst are read directly; "-" is standard input. A file holds one JSON object a line (lines end in LF only) or
// one JSON list of objects of any size. What an object is, is found from its keys:
//   own               {"id"?, "title"?, "text" and / or "sentences", ...}: one record. An id is a string or a number;
//                     without one it is the record's number in the whole stream, from 1. Other keys are metadata
//   HotpotQA, 2Wiki   {"_id", "context": [[title, [sentence, ...]], ...]}: every context paragraph
//   MuSiQue, PopQA    {"id", "paragraphs": [{"title", "paragraph_text" or "text"}, ...]}: every paragraph
//   IRCoT             {"question_id", "contexts": [{"title", "paragraph_text"}, ...]}: every paragraph
// A folder holds *.txt files, also in sub-folders, read in the order of their paths: title = name without .txt,
// text = content, id = path in the folder without .txt.
class CorpusReader {
 public:
  // kNotFound when a path is missing (all are looked at before the first is read), kBadInput for a folder without
  // text files, kInvalidArgument for no path at all or "-" twice.
  static Result<std::unique_ptr<CorpusReader>> open(std::vector<std::filesystem::path> paths, CorpusOptions options);
  virtual ~CorpusReader() = default;

  // The next record; nullopt at the end. kBadInput with file:line, what is wrong and the mend (broken UTF-8, no JSON, a
  // truncated last line, a record without text, sentences that do not add up to the text, an empty sentence other than
  // at the end, a line over the limit); under OnError::kSkip such a record is counted in skipped() and passed over.
  // What leaves the rest of a file unreadable is an error under kSkip too: a compressed stream that is damaged or cut
  // short (kBadInput), a JSON list that does not end, a failing disk (kIo); the next call goes on with the next file.
  // Contexts of question files: the same (title, text) comes once for each question that has it; who builds merges.
  virtual Result<std::optional<CorpusRecord>> next() = 0;

  virtual std::uint64_t skipped() const = 0;
  virtual std::string first_skipped() const = 0;  // the message of the first skipped record, "" when none
  virtual std::uint64_t bytes_read() const = 0;   // of the files as stored, for progress
  virtual std::uint64_t bytes_total() const = 0;  // 0 when unknown (standard input)
};

}  // namespace harnessg
