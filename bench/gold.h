// What a question asks to be found, as units that one sentence each can find.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/graph.h"
#include "data/result.h"

namespace harnessg::bench {

// A set of a question's units, bit u for unit u.
using UnitMask = std::uint64_t;

enum class UnitKind : std::uint8_t {
  kParagraph,  // a gold paragraph: found with any sentence of it
  kSentence,   // a gold supporting sentence
  kAnswer,     // the answer: found with any sentence that says it
};

// Const and thread-safe once made.
class Gold {
 public:
  // Units in the order given: a paragraph each, a sentence each, then one for the answer where `answer` is not empty.
  // kBadInput when they are more than 64.
  static Result<Gold> create(const Graph& graph, std::span<const ParagraphId> paragraphs,
                             std::span<const SentenceId> sentences, std::span<const SentenceId> answer);

  std::size_t size() const { return units_.size(); }
  // The sentences that find unit u, ascending.
  std::span<const SentenceId> sentences(std::size_t u) const { return units_[u]; }
  // All units of a kind; 0 where there are none.
  UnitMask units(UnitKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

  // The units that a sentence finds.
  UnitMask found_by(SentenceId sentence) const;
  // The units that some sentences find together.
  template <class Sentences>
  UnitMask found_by_all(const Sentences& sentences) const {
    UnitMask found = 0;
    for (const SentenceId s : sentences) found |= found_by(s);
    return found;
  }

 private:
  Gold() = default;
  void add(UnitKind kind, std::vector<SentenceId> sentences);

  std::vector<std::vector<SentenceId>> units_;
  std::array<UnitMask, 3> kinds_{};
  std::vector<std::pair<SentenceId, UnitMask>> by_sentence_;  // ascending, each sentence once
};

}  // namespace harnessg::bench
