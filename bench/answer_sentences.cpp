#include "bench/answer_sentences.h"

#include <algorithm>
#include <optional>

#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr std::uint32_t kStop = 0xFFFFFFFFu;  // between title and text: no answer runs over it

}  // namespace

AnswerSentences::AnswerSentences(const Graph& graph) {
  Words words;
  for (std::uint32_t row = 0; row < graph.sentence_count(); ++row) {
    const SentenceId s{row};
    words.clear();
    add(graph.title(graph.paragraph(s)), words);
    words.push_back(kStop);
    add(graph.text(s), words);
    for (const std::uint32_t word : words) {
      if (word == kStop) continue;
      if (postings_.size() <= word) postings_.resize(std::size_t{word} + 1);
      if (postings_[word].empty() || postings_[word].back() != s) postings_[word].push_back(s);
    }
    sentence_words_.push_back(words);
  }
}

void AnswerSentences::add(std::string_view text, Words& words) {
  for (std::string& token : alphanumeric_tokens(text)) {
    words.push_back(
        word_ids_.try_emplace(std::move(token), static_cast<std::uint32_t>(word_ids_.size())).first->second);
  }
}

bool AnswerSentences::says(SentenceId sentence, const Words& answer) const {
  const auto words = sentence_words_[index(sentence)];
  return std::search(words.begin(), words.end(), answer.begin(), answer.end()) != words.end();
}

std::vector<SentenceId> AnswerSentences::find(std::span<const std::string> answers) const {
  std::vector<SentenceId> found;
  for (const std::string& answer : answers) {
    const std::vector<std::string> tokens = alphanumeric_tokens(answer);
    if (tokens.empty()) continue;
    if (tokens.size() == 1 && (tokens[0] == "yes" || tokens[0] == "no" || tokens[0] == "noanswer")) continue;
    Words words;
    for (const std::string& token : tokens) {
      const auto known = word_ids_.find(token);
      if (known == word_ids_.end()) break;
      words.push_back(known->second);
    }
    if (words.size() != tokens.size()) continue;
    const std::uint32_t rarest = *std::min_element(words.begin(), words.end(), [&](std::uint32_t a, std::uint32_t b) {
      return postings_[a].size() < postings_[b].size();
    });
    for (const SentenceId s : postings_[rarest])
      if (says(s, words)) found.push_back(s);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace harnessg::bench
