// What `harnessg credit` reads: traces in batches, with the answers of their questions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "credit/known_questions.h"
#include "credit/trace_file.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg {

// Why a trace has no credit.
struct Uncredited {
  std::string reason;   // one word: "bad_line", "no_frontier", ...
  std::string message;  // one sentence
};

struct CreditItem {
  std::string place;                     // "file:line"
  Trace trace;                           // empty for a line that is none
  std::optional<Uncredited> uncredited;  // set once it is known that there will be no credit
};

// The traces of several files, one after another.
class CreditInput {
 public:
  // `questions` may be null; it outlives the input. `with_answers`: a trace without gold answers gets no credit.
  CreditInput(std::vector<std::string> files, const KnownQuestions* questions, bool with_answers)
      : files_(std::move(files)), questions_(questions), with_answers_(with_answers) {}

  // Up to `count` traces, none at the end. A line that is no trace, a trace whose question is not among
  // those given, and one without the answers it needs are items that say so. Errors of TraceFile::open and
  // TraceFile::next.
  Result<std::vector<CreditItem>> next(std::size_t count);

 private:
  Result<std::optional<TraceLine>> next_line();
  CreditItem item_of(TraceLine line) const;

  std::vector<std::string> files_;
  const KnownQuestions* questions_;
  bool with_answers_;
  std::size_t opened_ = 0;  // of files_
  std::optional<TraceFile> file_;
};

}  // namespace harnessg
