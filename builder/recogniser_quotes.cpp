#include <unicode/utf8.h>

#include <algorithm>

#include "builder/recogniser_parts.h"
#include "builder/recogniser_words.h"

namespace harnessg {
namespace {

constexpr std::size_t kLongestTitleWords = 8;
constexpr std::size_t kLongestTitleTokens = 16;
constexpr std::size_t kLongestCaselessTitle = 60;  // bytes, about 20 Chinese characters
constexpr std::size_t kLongestCaselessName = 30;

// Marks that open a quotation, those that close it, and what a name in a script without case is between them.
struct QuotePair {
  std::string_view open;
  std::string_view close;
  Label caseless_label;
  std::size_t longest_caseless;
};
constexpr QuotePair kPairs[] = {
    {"\"", "\"", Label::kEntity, kLongestCaselessName},     {"“", "”", Label::kEntity, kLongestCaselessName},
    {"„", "“", Label::kEntity, kLongestCaselessName},       {"«", "»", Label::kEntity, kLongestCaselessName},
    {"《", "》", Label::kWorkOfArt, kLongestCaselessTitle}, {"〈", "〉", Label::kWorkOfArt, kLongestCaselessTitle},
    {"『", "』", Label::kWorkOfArt, kLongestCaselessTitle}, {"「", "」", Label::kEntity, kLongestCaselessName},
};

const QuotePair* opened_by(const SentenceTokens& sentence, std::size_t at) {
  if (sentence.tokens[at].kind != TokenKind::kMark) return nullptr;
  for (const QuotePair& pair : kPairs) {
    if (sentence.is(at, pair.open)) return &pair;
  }
  return nullptr;
}

bool is_trailing_mark(const SentenceTokens& sentence, std::size_t at) {
  return sentence.is(at, ",") || sentence.is(at, ".") || sentence.is(at, ";") || sentence.is(at, "、");
}

bool is_sentence_mark(const SentenceTokens& sentence, std::size_t at) {
  return sentence.is(at, ".") || sentence.is(at, ";") || sentence.is(at, "。") || sentence.is(at, "，") ||
         sentence.is(at, "、") || sentence.is(at, "！") || sentence.is(at, "？");
}

bool is_small_title_word(const SentenceTokens& sentence, std::size_t at) {
  return sentence.has(at, kFunctionWord | kParticleWord) || sentence.tokens[at].end - sentence.tokens[at].begin <= 3;
}

// One to eight words, the first and the last capitalised, only small words of grammar otherwise.
bool is_cased_title(const SentenceTokens& sentence, std::size_t first, std::size_t last) {
  std::size_t words = 0;
  bool letters = false;
  bool ends_well = false;
  for (std::size_t at = first; at < last; ++at) {
    const Token& token = sentence.tokens[at];
    if (token.kind == TokenKind::kMark) {
      if (is_sentence_mark(sentence, at)) return false;
      continue;
    }
    ++words;
    const bool number = token.kind == TokenKind::kNumber || token.kind == TokenKind::kMixed;
    const bool stands = number || sentence.capital(at);
    if (words == 1 && !stands) return false;
    if (!stands && !is_small_title_word(sentence, at)) return false;
    letters = letters || token.kind == TokenKind::kWord;
    ends_well = stands;
  }
  return words >= 1 && words <= kLongestTitleWords && letters && ends_well;
}

bool is_caseless_title(const SentenceTokens& sentence, std::size_t first, std::size_t last, std::size_t longest) {
  if (sentence.tokens[last - 1].end - sentence.tokens[first].begin > longest) return false;
  bool caseless = false;
  for (std::size_t at = first; at < last; ++at) {
    if (is_sentence_mark(sentence, at)) return false;
    caseless = caseless || sentence.tokens[at].kind == TokenKind::kCaseless;
  }
  return caseless;
}

// Oscar "Budd" Boetticher
bool is_nickname(const SentenceTokens& sentence, std::size_t open, std::size_t close) {
  return open > 0 && close - open == 2 && sentence.capital(open - 1) && sentence.capital(close + 1) &&
         sentence.tokens[close + 1].spaced;
}

// The title between the marks, or nothing.
std::optional<Span> title_between(const SentenceTokens& sentence, const QuotePair& pair, std::size_t open,
                                  std::size_t close) {
  std::size_t last = close;
  while (last > open + 1 && is_trailing_mark(sentence, last - 1)) --last;
  std::size_t first = open + 1;
  while (first < last && (sentence.is(first, ":") || is_trailing_mark(sentence, first))) ++first;
  if (first == last) return std::nullopt;
  Label label = Label::kWorkOfArt;
  if (is_caseless_title(sentence, first, last, pair.longest_caseless)) {
    label = pair.caseless_label;
  } else if (!is_cased_title(sentence, first, last)) {
    return std::nullopt;
  }
  Span span = span_of(sentence, first, last, label);
  if (is_nickname(sentence, open, close)) span.end = span.begin;
  span.first = open;
  span.last = close + 1;
  return span;
}

bool is_katakana(std::uint32_t code) { return (code >= 0x30A1 && code <= 0x30FA) || code == 0x30FC; }

// Where the run of Katakana behind (step > 0) or before `at` ends; one Katakana letter is three bytes.
std::size_t katakana_run(std::string_view text, std::size_t at, bool forward) {
  for (;;) {
    const std::size_t begin = forward ? at : at - 3;
    if ((forward && at + 3 > text.size()) || (!forward && at < 3)) return at;
    const auto lead = static_cast<std::uint8_t>(text[begin]);
    const std::uint32_t code = (lead & 0x0Fu) << 12 | (static_cast<std::uint8_t>(text[begin + 1]) & 0x3Fu) << 6 |
                               (static_cast<std::uint8_t>(text[begin + 2]) & 0x3Fu);
    if (lead != 0xE3 || !is_katakana(code)) return at;
    at = forward ? at + 3 : begin;
  }
}

}  // namespace

std::vector<Span> quoted_titles(const SentenceTokens& sentence) {
  std::vector<Span> spans;
  for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
    const QuotePair* pair = opened_by(sentence, at);
    if (pair == nullptr) continue;
    std::size_t close = at + 1;
    const bool straight = pair->open == pair->close;
    const std::size_t limit =
        straight ? sentence.tokens.size() : std::min(sentence.tokens.size(), at + kLongestTitleTokens);
    while (close < limit && !sentence.is(close, pair->close)) ++close;
    if (close == limit) {
      if (straight) break;
      continue;
    }
    if (auto title = title_between(sentence, *pair, at, close)) spans.push_back(*title);
    if (straight || (!spans.empty() && spans.back().last == close + 1)) at = close;
  }
  return spans;
}

std::vector<Span> katakana_names(std::string_view text) {
  constexpr std::string_view kDot = "・";
  std::vector<Span> spans;
  for (std::size_t dot = text.find(kDot); dot != std::string_view::npos; dot = text.find(kDot, dot + 1)) {
    const std::size_t begin = katakana_run(text, dot, false);
    std::size_t end = dot;
    for (std::size_t next = dot; text.substr(next).starts_with(kDot);) {
      end = next;
      next = katakana_run(text, next + kDot.size(), true);
      if (next == end + kDot.size()) break;
      end = next;
    }
    if (end > dot && begin < dot) {
      spans.push_back({0, 0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), Label::kEntity});
    }
    dot = std::max(dot, end);
  }
  return spans;
}

}  // namespace harnessg
