// Questions with their answers and supporting facts, for traces that were played without them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/questions.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg {

// Immutable and thread-safe once made.
class KnownQuestions {
 public:
  explicit KnownQuestions(std::vector<QuestionRecord> questions);
  // Errors of read_questions.
  static Result<KnownQuestions> read(const std::filesystem::path& file);

  // The question that the trace was played with: the one with its text, white space folded; of several the one with its
  // id. kNotFound: none has its text; kBadInput: the one with its id is another question, or several have its text,
  // different answers and other ids. Valid as long as this object.
  Result<const QuestionRecord*> find(const Trace& trace) const;

  // Gives the trace the answers of its question, unless it has some. Errors of find().
  Status join(Trace& trace) const;

 private:
  std::vector<QuestionRecord> questions_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_text_;
  std::unordered_map<std::string, std::size_t> by_id_;  // the first of an id
};

}  // namespace harnessg
