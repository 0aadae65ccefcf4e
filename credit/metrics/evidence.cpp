#include "credit/metrics/evidence.h"

#include <algorithm>
#include <set>

namespace harnessg::metrics {
namespace {

template <class Id>
Recall recall_of(std::span<const Id> gold, const std::set<Id>& set) {
  const std::set<Id> wanted(gold.begin(), gold.end());
  const auto found = std::count_if(wanted.begin(), wanted.end(), [&set](Id id) { return set.contains(id); });
  return {static_cast<std::size_t>(found), wanted.size()};
}

}  // namespace

Recall sentence_recall(std::span<const SentenceId> gold, std::span<const SentenceId> set) {
  return recall_of(gold, std::set<SentenceId>(set.begin(), set.end()));
}

Recall paragraph_recall(const Graph& graph, std::span<const ParagraphId> gold, std::span<const SentenceId> set) {
  std::set<ParagraphId> paragraphs;
  for (const SentenceId s : set) paragraphs.insert(graph.paragraph(s));
  return recall_of(gold, paragraphs);
}

EvidenceRecall evidence_recall(const Graph& graph, const ResolvedFacts& facts, std::span<const SentenceId> seen,
                               std::span<const SentenceId> selected) {
  EvidenceRecall recall;
  if (!facts.sentences.empty()) {
    recall.seen_sentences = sentence_recall(facts.sentences, seen);
    recall.selected_sentences = sentence_recall(facts.sentences, selected);
  }
  recall.seen_paragraphs = paragraph_recall(graph, facts.paragraphs, seen);
  recall.selected_paragraphs = paragraph_recall(graph, facts.paragraphs, selected);
  return recall;
}

}  // namespace harnessg::metrics
