#include "bench/gold.h"

#include <algorithm>

namespace harnessg::bench {
namespace {

constexpr std::size_t kMostUnits = 64;

}  // namespace

Result<Gold> Gold::create(const Graph& graph, std::span<const ParagraphId> paragraphs,
                          std::span<const SentenceId> sentences, std::span<const SentenceId> answer) {
  const std::size_t count = paragraphs.size() + sentences.size() + (answer.empty() ? 0 : 1);
  if (count > kMostUnits) {
    return fail(ErrorCode::kBadInput, "the question has {} gold paragraphs and sentences; give at most {}", count,
                kMostUnits);
  }
  Gold gold;
  for (const ParagraphId p : paragraphs) {
    std::vector<SentenceId> all;
    for (std::uint32_t s = index(graph.first_sentence(p)); s < index(graph.end_sentence(p)); ++s)
      all.push_back(SentenceId{s});
    gold.add(UnitKind::kParagraph, std::move(all));
  }
  for (const SentenceId s : sentences) gold.add(UnitKind::kSentence, {s});
  if (!answer.empty()) gold.add(UnitKind::kAnswer, {answer.begin(), answer.end()});

  auto& rows = gold.by_sentence_;
  std::sort(rows.begin(), rows.end());
  std::size_t kept = 0;
  for (const auto& row : rows) {
    if (kept > 0 && rows[kept - 1].first == row.first)
      rows[kept - 1].second |= row.second;
    else
      rows[kept++] = row;
  }
  rows.resize(kept);
  return gold;
}

void Gold::add(UnitKind kind, std::vector<SentenceId> sentences) {
  const UnitMask bit = UnitMask{1} << units_.size();
  kinds_[static_cast<std::size_t>(kind)] |= bit;
  std::sort(sentences.begin(), sentences.end());
  for (const SentenceId s : sentences) by_sentence_.emplace_back(s, bit);
  units_.push_back(std::move(sentences));
}

UnitMask Gold::found_by(SentenceId sentence) const {
  const auto row = std::lower_bound(by_sentence_.begin(), by_sentence_.end(), sentence,
                                    [](const auto& a, SentenceId s) { return a.first < s; });
  return row != by_sentence_.end() && row->first == sentence ? row->second : 0;
}

}  // namespace harnessg::bench
