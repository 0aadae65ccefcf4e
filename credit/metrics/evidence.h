// Evidence of an episode: how much of what supports the answer it saw and selected. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "data/graph.h"
#include "data/ids.h"
#include "data/questions.h"

namespace harnessg::metrics {

// Found of gold, out of all gold.
struct Recall {
  std::size_t found = 0;
  std::size_t gold = 0;

  double value() const { return gold > 0 ? static_cast<double>(found) / static_cast<double>(gold) : 0; }
  bool all() const { return gold > 0 && found == gold; }
  friend bool operator==(const Recall&, const Recall&) = default;
};

// How many of the gold ones are in `set`; repeats in either count once.
Recall sentence_recall(std::span<const SentenceId> gold, std::span<const SentenceId> set);
// How many gold paragraphs have a sentence in `set`.
Recall paragraph_recall(const Graph& graph, std::span<const ParagraphId> gold, std::span<const SentenceId> set);

// Recall of the seen and of the selected set, at the level of sentences (where the facts name some) and paragraphs.
// A fact that is not in the graph (`facts.missing`) is no part of it: such questions are named when a data set is
// resolved.
struct EvidenceRecall {
  std::optional<Recall> seen_sentences;
  std::optional<Recall> selected_sentences;
  Recall seen_paragraphs;
  Recall selected_paragraphs;

  friend bool operator==(const EvidenceRecall&, const EvidenceRecall&) = default;
};

EvidenceRecall evidence_recall(const Graph& graph, const ResolvedFacts& facts, std::span<const SentenceId> seen,
                               std::span<const SentenceId> selected);

}  // namespace harnessg::metrics
