// Questions with answers and supporting facts, from the data sets' own files and from plain JSON lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/graph.h"
#include "data/result.h"

namespace harnessg {

// What supports an answer, as the file says it; white space in titles and texts folded.
struct SupportingFact {
  std::string title;                      // "" when the fact names a record id only
  std::string record_id;                  // "" when the fact names a title only
  std::string paragraph_text;             // "" unless the file gives it (MuSiQue): tells paragraphs of one title apart
  std::optional<std::uint32_t> sentence;  // position in the paragraph; absent: paragraph-level support

  friend bool operator==(const SupportingFact&, const SupportingFact&) = default;
};

// One hop of a decomposition (MuSiQue) or one evidence triple (2Wiki) in words: "subject >> relation" and the object.
struct DecompositionStep {
  std::string question;
  std::string answer;

  friend bool operator==(const DecompositionStep&, const DecompositionStep&) = default;
};

struct QuestionRecord {
  std::string id;                    // where the file gives none, its line or number in the list
  std::string type;                  // "bridge", "comparison", "2hop", ... as the data set says; "" unknown
  std::string question;              // as written
  std::vector<std::string> answers;  // the answer first, then aliases, no repeats; empty: unanswerable or unknown
  bool answerable = true;            // false where the file says so; then `answers` is empty
  std::vector<SupportingFact> supporting_facts;
  std::vector<DecompositionStep> decomposition;
};

// Formats, told apart by content: HotpotQA and 2Wiki (JSON list or lines; `_id`, supporting_facts, supporting_titles),
// IRCoT's schema (question_id, answers_objects, contexts), MuSiQue (question_decomposition, paragraphs or
// gold_paragraphs), PopQA (possible_answers as a JSON string), and own JSON lines
// {"id", "question", "answers": [...], "type"?, "supporting_facts"?: [{"paragraph": record id, "sentence"?: n} or
// {"title", "sentence"?}]}. One object a line or one JSON list. .gz and .zst are read directly, "-" is standard input.
// Of several kinds of support the finest is taken: supporting_facts, else paragraphs marked is_supporting, else
// gold_paragraphs, else supporting_titles. kBadInput with file:line and the mend.
Result<std::vector<QuestionRecord>> read_questions(const std::filesystem::path& file);

// Where the facts lie in a graph. `missing` names facts whose paragraph is not there or whose sentence index is out of
// range, one phrase each.
struct ResolvedFacts {
  std::vector<SentenceId> sentences;    // of facts with a sentence index, in file order, without repeats
  std::vector<ParagraphId> paragraphs;  // of all facts, in file order, without repeats
  std::vector<std::string> missing;
};

// Title lookup for resolving; made once a graph. Titles are compared after fold_space; HTML entities (&amp;) in either
// are tried decoded as well. Of several paragraphs with one title the one whose text is the fact's is meant; without a
// text the first that has the sentence. Holds a reference to the graph. Const and thread-safe once made.
class FactResolver {
 public:
  explicit FactResolver(const Graph& graph);
  ~FactResolver();
  FactResolver(FactResolver&&) noexcept;
  ResolvedFacts resolve(const QuestionRecord& question) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace harnessg
