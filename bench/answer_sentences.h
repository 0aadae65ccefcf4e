// Which sentences of a corpus say an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/graph.h"
#include "data/tables.h"

namespace harnessg::bench {

// Const and thread-safe once made. About 12 bytes a word of the corpus.
class AnswerSentences {
 public:
  explicit AnswerSentences(const Graph& graph);

  // Sentences that hold some answer as a run of whole words (alphanumeric_tokens of both: case and punctuation do not
  // count), in the paragraph's title or in their text, which is what an observation shows of them; ascending. Answers
  // that no text can be held against ("yes", "no", "noanswer", no word at all) have none.
  std::vector<SentenceId> find(std::span<const std::string> answers) const;

 private:
  using Words = std::vector<std::uint32_t>;

  void add(std::string_view text, Words& words);
  bool says(SentenceId sentence, const Words& answer) const;

  std::unordered_map<std::string, std::uint32_t> word_ids_;
  Rows<std::uint32_t> sentence_words_;             // title, a stop, text
  std::vector<std::vector<SentenceId>> postings_;  // of each word, ascending
};

}  // namespace harnessg::bench
