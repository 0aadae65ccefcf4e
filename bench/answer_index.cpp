#include "bench/answer_index.h"

#include <algorithm>
#include <array>

#include "credit/metrics/answer_text.h"

namespace harnessg::bench {
namespace {

constexpr std::uint32_t kStop = 0;  // between title and text: the id of no word
constexpr std::array<std::string_view, 3> kNoStrings = {"yes", "no", "noanswer"};

}  // namespace

AnswerIndex::AnswerIndex(const Graph& graph) : postings_(1) {
  const auto id_of = [this](std::string_view word) {
    const auto [found, added] = ids_.try_emplace(std::string(word), static_cast<std::uint32_t>(postings_.size()));
    if (added) postings_.emplace_back();
    return found->second;
  };
  for (std::uint32_t row = 0; row < graph.paragraph_count(); ++row) {
    Words words;
    const std::string title = metrics::normalise_answer(graph.title(ParagraphId{row}));
    const std::string text = metrics::normalise_answer(graph.text(ParagraphId{row}));
    for (const std::string_view word : metrics::answer_words(title)) words.push_back(id_of(word));
    words.push_back(kStop);
    for (const std::string_view word : metrics::answer_words(text)) words.push_back(id_of(word));
    for (const std::uint32_t word : words) {
      std::vector<std::uint32_t>& posting = postings_[word];
      if (posting.empty() || posting.back() != row) posting.push_back(row);
    }
    words_.push_back(words);
  }
}

std::vector<AnswerIndex::Words> AnswerIndex::searchable(std::span<const std::string> answers) const {
  std::vector<Words> runs;
  for (const std::string& answer : answers) {
    const std::string normalised = metrics::normalise_answer(answer);
    if (normalised.empty() || std::find(kNoStrings.begin(), kNoStrings.end(), normalised) != kNoStrings.end()) continue;
    Words run;
    for (const std::string_view word : metrics::answer_words(normalised)) {
      const auto found = ids_.find(std::string(word));
      run.push_back(found == ids_.end() ? kStop : found->second);
    }
    if (std::find(run.begin(), run.end(), kStop) == run.end()) runs.push_back(std::move(run));
  }
  return runs;
}

bool AnswerIndex::holds_run(std::uint32_t paragraph, const Words& run) const {
  const std::span<const std::uint32_t> words = words_[paragraph];
  return std::search(words.begin(), words.end(), run.begin(), run.end()) != words.end();
}

bool AnswerIndex::holds(ParagraphId p, std::span<const std::string> answers) const {
  const std::vector<Words> runs = searchable(answers);
  return std::any_of(runs.begin(), runs.end(), [&](const Words& run) { return holds_run(index(p), run); });
}

std::vector<ParagraphId> AnswerIndex::paragraphs_with(std::span<const std::string> answers) const {
  std::vector<ParagraphId> found;
  for (const Words& run : searchable(answers)) {
    const std::uint32_t rarest = *std::min_element(run.begin(), run.end(), [this](std::uint32_t a, std::uint32_t b) {
      return postings_[a].size() < postings_[b].size();
    });
    for (const std::uint32_t row : postings_[rarest]) {
      if (holds_run(row, run)) found.push_back(ParagraphId{row});
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace harnessg::bench
