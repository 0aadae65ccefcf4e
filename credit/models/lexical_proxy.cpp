#include "credit/models/lexical_proxy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace harnessg {
namespace {

constexpr bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Calls `take` with every run of word bytes, lower-cased; `buffer` is room for one.
template <class Take>
void for_each_word(std::string_view text, std::string& buffer, Take take) {
  for (std::size_t at = 0; at < text.size();) {
    buffer.clear();
    for (; at < text.size() && is_word_byte(text[at]); ++at) buffer += lower(text[at]);
    if (buffer.empty()) {
      ++at;
    } else {
      take(std::as_const(buffer));
    }
  }
}

using WordId = std::uint32_t;
using Words = std::vector<WordId>;  // ascending, each once

Words as_set(Words words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

struct SameSpan {
  const void* data;
  std::size_t size;
  friend bool operator==(const SameSpan&, const SameSpan&) = default;
};
struct SpanHash {
  std::size_t operator()(const SameSpan& span) const noexcept {
    return std::hash<const void*>()(span.data) * 31 + span.size;
  }
};

// The words of a batch: only those of an alias have numbers, since no other word can change a score.
class Coverage {
 public:
  // All aliases come before the first context.
  void add_aliases(std::span<const std::string> aliases) {
    const auto [at, fresh] = aliases_.try_emplace({aliases.data(), aliases.size()});
    if (!fresh) return;
    for (const std::string& alias : aliases) {
      Words words;
      for_each_word(alias, buffer_, [&](const std::string& word) {
        words.push_back(ids_.try_emplace(word, static_cast<WordId>(ids_.size())).first->second);
      });
      at->second.push_back(as_set(std::move(words)));
    }
  }

  double of(std::span<const std::string_view> context, std::span<const std::string> aliases) {
    seen_in_.resize(ids_.size(), 0);
    ++round_;
    for (const std::string_view text : context) {
      for (const WordId word : words_of(text)) seen_in_[word] = round_;
    }
    double best = 0;
    for (const Words& alias : aliases_.at({aliases.data(), aliases.size()})) {
      const auto seen =
          std::count_if(alias.begin(), alias.end(), [&](WordId word) { return seen_in_[word] == round_; });
      if (!alias.empty()) best = std::max(best, static_cast<double>(seen) / static_cast<double>(alias.size()));
    }
    return best;
  }

 private:
  const Words& words_of(std::string_view text) {
    const auto [at, fresh] = texts_.try_emplace({text.data(), text.size()});
    if (fresh) {
      Words words;
      for_each_word(text, buffer_, [&](const std::string& word) {
        if (const auto id = ids_.find(word); id != ids_.end()) words.push_back(id->second);
      });
      at->second = as_set(std::move(words));
    }
    return at->second;
  }

  std::unordered_map<std::string, WordId> ids_;
  std::unordered_map<SameSpan, std::vector<Words>, SpanHash> aliases_;
  std::unordered_map<SameSpan, Words, SpanHash> texts_;
  std::vector<std::uint64_t> seen_in_;  // word -> the last context that held it
  std::uint64_t round_ = 0;
  std::string buffer_;
};

}  // namespace

Result<std::vector<Score>> LexicalProxy::score(std::span<const ScoreRequest> requests) const {
  Coverage coverage;
  for (const ScoreRequest& request : requests) coverage.add_aliases(request.aliases);
  std::vector<Score> scores;
  scores.reserve(requests.size());
  for (const ScoreRequest& request : requests) {
    if (request.aliases.empty()) {
      scores.emplace_back(tl::unexpected(NotScored{NotScoredReason::kNoAlias, "the question has no gold answer"}));
    } else {
      scores.emplace_back(std::exp(-(1 - coverage.of(request.context, request.aliases))));
    }
  }
  return scores;
}

double alias_coverage(std::span<const std::string_view> context, std::span<const std::string> aliases) {
  Coverage coverage;
  coverage.add_aliases(aliases);
  return coverage.of(context, aliases);
}

}  // namespace harnessg
