// Mentions from a program that runs beside the build: a recogniser in another language.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "builder/chunks.h"
#include "builder/mentions_file.h"
#include "data/corpus.h"
#include "data/result.h"

namespace harnessg {

// The program reads paragraphs on its standard input, one JSON object a line, in order:
//   {"paragraph": record id, "sentences": [text, ...]}
// and writes to its standard output {"recogniser": its name} first and then mentions, one object a line, paragraph by
// paragraph in the same order, as MentionReader::open reads them. In the place of any line it may write
// {"error": one sentence} and end. Whatever it writes to standard error goes where this process's goes.
struct MentionProgram {
  std::string title;                 // what messages call it
  std::vector<std::string> command;  // the program, looked for on PATH when it has no slash, and its arguments
  // What it is to read: the corpus of the build, read a second time, ahead of the build and by a thread of its own.
  std::vector<std::filesystem::path> corpus;
  CorpusOptions corpus_options;
  ChunkSettings chunks;
};

// A running program; ends it when destroyed. Memory is that of the pipes between the two: the program is as far ahead
// of the build as they let it.
class MentionProcess : public MentionReader {
 public:
  // Returns when the program has told its name. kInvalidArgument for a corpus on standard input, which cannot be read
  // twice; kNotFound without the program; kUnavailable with the program's own sentence, or when it ends untold;
  // otherwise as CorpusReader::open.
  static Result<std::unique_ptr<MentionProcess>> start(MentionProgram program);

  virtual const std::string& name() const = 0;
};

}  // namespace harnessg
