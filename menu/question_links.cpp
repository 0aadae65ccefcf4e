#include "menu/question_links.h"

#include <algorithm>

#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::size_t kMostTokens = 16;  // a longer name is not looked for

std::size_t token_count(std::string_view key) {
  return static_cast<std::size_t>(std::count(key.begin(), key.end(), ' ')) + 1;
}

struct Token {
  std::string text;
  bool capital = false;
};

std::vector<Token> tokens_of(std::string_view question) {
  std::vector<Token> tokens;
  for (const std::string_view word : split_words(question)) {
    const bool capital = fold_case(word) != word;
    for (std::string& token : alphanumeric_tokens(word)) tokens.push_back({std::move(token), capital});
  }
  return tokens;
}

struct Span {
  std::size_t begin;
  std::size_t length;
};

template <class Value>
void add_once(std::vector<Value>& list, Value value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

std::string_view without_qualifier(std::string_view title) {
  if (!title.ends_with(')')) return title;
  const std::size_t open = title.rfind('(');
  if (open == std::string_view::npos || open == 0) return title;
  std::string_view name = title.substr(0, open);
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name.empty() ? title : name;
}

NameTable::NameTable(const Graph& graph) : graph_(graph) {
  std::vector<std::pair<std::string, ParagraphId>> titles;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) {
    const std::string_view title = graph.title(ParagraphId{p});
    std::string key = identity_key(without_qualifier(title));
    if (key.empty()) continue;
    if (std::string whole = identity_key(title); whole != key) titles.emplace_back(std::move(whole), ParagraphId{p});
    titles.emplace_back(std::move(key), ParagraphId{p});
  }
  std::sort(titles.begin(), titles.end());
  names_.reserve(graph.entity_count() + titles.size());
  for (auto& [key, paragraph] : titles) {
    longest_ = std::max(longest_, token_count(key));
    Named& named = names_[std::move(key)];
    if (named.count++ == 0) named.first = static_cast<std::uint32_t>(titles_.size());
    titles_.push_back(paragraph);
  }
  for (std::uint32_t e = 0; e < graph.entity_count(); ++e) {
    std::string key = identity_key(graph.canonical(EntityId{e}));
    longest_ = std::max(longest_, token_count(key));
    Named& named = names_[std::move(key)];
    if (named.entity == kNoEntity) named.entity = EntityId{e};
    titled_.push_back(std::span(titles_).subspan(named.first, named.count));
  }
  longest_ = std::min(longest_, kMostTokens);
}

std::vector<NamedInQuestion> NameTable::find(std::string_view question) const {
  const std::vector<Token> tokens = tokens_of(question);
  // The question's first word is capital whatever it is.
  const bool has_capitals =
      std::any_of(tokens.begin() + (tokens.empty() ? 0 : 1), tokens.end(), [](const Token& t) { return t.capital; });
  std::vector<Span> found;
  std::vector<char> taken(tokens.size(), 0);
  std::string key;
  for (std::size_t length = std::min(longest_, tokens.size()); length > 0; --length) {
    for (std::size_t begin = 0; begin + length <= tokens.size(); ++begin) {
      bool free = true, capital = false;
      key.clear();
      for (std::size_t t = begin; t < begin + length; ++t) {
        free = free && taken[t] == 0;
        capital = capital || (tokens[t].capital && t > 0);
        if (t > begin) key += ' ';
        key += tokens[t].text;
      }
      if (!free || !(capital || (length > 1 && !has_capitals)) || !names_.contains(key)) continue;
      std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(begin), length, 1);
      found.push_back({begin, length});
    }
  }
  std::sort(found.begin(), found.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<NamedInQuestion> names;
  for (const Span& span : found) {
    key.clear();
    for (std::size_t t = span.begin; t < span.begin + span.length; ++t) {
      if (t > span.begin) key += ' ';
      key += tokens[t].text;
    }
    const Named& named = names_.at(key);
    NamedInQuestion& name = names.emplace_back();
    for (std::uint32_t i = 0; i < named.count; ++i) {
      const ParagraphId p = titles_[named.first + i];
      add_once(name.paragraphs, p);
      if (graph_.title_entity(p) != kNoEntity) add_once(name.entities, graph_.title_entity(p));
    }
    if (named.entity != kNoEntity) add_once(name.entities, named.entity);
  }
  return names;
}

std::size_t NameTable::memory_bytes() const {
  std::size_t bytes =
      titles_.capacity() * sizeof(ParagraphId) + titled_.memory_bytes() + names_.bucket_count() * sizeof(void*);
  for (const auto& [key, named] : names_) bytes += key.capacity() + sizeof(key) + sizeof(named) + 2 * sizeof(void*);
  return bytes;
}

View linked_view(const World& world, const Query& question, std::span<const NamedInQuestion> names) {
  View view;
  std::vector<std::uint32_t> ids;
  std::vector<float> scores;
  for (const NamedInQuestion& name : names) {
    ids.clear();
    for (const ParagraphId p : name.paragraphs) {
      for (std::uint32_t s = index(world.graph.first_sentence(p)); s < index(world.graph.end_sentence(p)); ++s)
        ids.push_back(s);
    }
    scores.resize(ids.size());
    world.relevance.score(question, NodeKind::kSentence, ids, scores);
    std::vector<Scored> best;  // one a paragraph
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool same = !best.empty() &&
                        world.graph.paragraph(SentenceId{best.back().id}) == world.graph.paragraph(SentenceId{ids[i]});
      if (!same) {
        best.push_back({ids[i], scores[i]});
      } else if (scores[i] > best.back().score) {
        best.back() = {ids[i], scores[i]};
      }
    }
    std::sort(best.begin(), best.end(), ranks_before);
    for (std::size_t i = 0; i < std::min<std::size_t>(best.size(), world.config.linked_paragraphs); ++i) {
      const SentenceId s{best[i].id};
      const bool shown =
          std::any_of(view.begin(), view.end(), [&](const VisibleSentence& visible) { return visible.sentence == s; });
      if (view.size() < world.config.linked_sentences && !shown) view.push_back({s, kOfTitle});
    }
  }
  return view;
}

}  // namespace harnessg
