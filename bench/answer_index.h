// Which paragraphs hold an answer string. Immutable and thread-safe once made.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/graph.h"
#include "data/tables.h"

namespace harnessg::bench {

// A paragraph holds an answer when the answer's words stand in its text or in its title one after another, both
// normalised as SQuAD does. "yes", "no", "noanswer" and answers without words are held nowhere.
class AnswerIndex {
 public:
  explicit AnswerIndex(const Graph& graph);

  bool holds(ParagraphId p, std::span<const std::string> answers) const;
  // All paragraphs that hold one of the answers, by id.
  std::vector<ParagraphId> paragraphs_with(std::span<const std::string> answers) const;

 private:
  using Words = std::vector<std::uint32_t>;
  // The answers that can be held at all, as word ids.
  std::vector<Words> searchable(std::span<const std::string> answers) const;
  bool holds_run(std::uint32_t paragraph, const Words& run) const;

  std::unordered_map<std::string, std::uint32_t> ids_;
  Rows<std::uint32_t> words_;                         // one row a paragraph: its title, a stop, its text
  std::vector<std::vector<std::uint32_t>> postings_;  // per word id, the paragraphs that have it
};

}  // namespace harnessg::bench
