// What the parts of the built-in recogniser hand to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "builder/recogniser_tokens.h"
#include "data/label.h"

namespace harnessg {

// A sentence and its tokens; the views must outlive it.
struct SentenceTokens {
  std::string_view text;
  std::string_view title;  // of the paragraph, without a bracketed qualifier
  bool opens_paragraph = false;
  std::vector<Token> tokens;

  std::string_view word(std::size_t at) const {
    return text.substr(tokens[at].begin, tokens[at].end - tokens[at].begin);
  }
  bool is(std::size_t at, std::string_view expected) const { return at < tokens.size() && word(at) == expected; }
  bool has(std::size_t at, std::uint32_t classes) const {
    return at < tokens.size() && (tokens[at].classes & classes) != 0;
  }
  // A capitalised word.
  bool capital(std::size_t at) const {
    return at < tokens.size() && tokens[at].kind == TokenKind::kWord && tokens[at].capital;
  }
};

// Tokens [first, last) and the bytes they cover, without marks that are no part of the surface.
struct Span {
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Label label = Label::kEntity;
};

// The span of tokens [first, last).
Span span_of(const SentenceTokens& sentence, std::size_t first, std::size_t last, Label label);

// The longest number, date, time, amount or quantity that begins at the token.
std::optional<Span> match_number(const SentenceTokens& sentence, std::size_t at);

// Quoted and bracketed titles in order: [first, last) runs from the opening to behind the closing mark, the bytes hold
// what stands between. Spans with begin == end are quotations to be passed over (a nickname inside a name).
std::vector<Span> quoted_titles(const SentenceTokens& sentence);

// Katakana names joined by a middle dot, in order; they carry no tokens.
std::vector<Span> katakana_names(std::string_view text);

// What a match at a capitalised word yields: names in order, and where the search goes on.
struct NameMatch {
  std::vector<Span> names;
  std::size_t next = 0;
};

// `previous`: the name found last, for lists of persons.
void match_name(const SentenceTokens& sentence, std::size_t at, const std::optional<Span>& previous, NameMatch& match);

// The label that the words of a name and the words beside it tell, kEntity when they tell none.
Label name_label(const SentenceTokens& sentence, const Span& span, const std::optional<Span>& previous);

}  // namespace harnessg
