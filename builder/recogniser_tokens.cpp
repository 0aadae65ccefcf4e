#include "builder/recogniser_tokens.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>

#include "builder/recogniser_words.h"

namespace harnessg {
namespace {

enum class CharClass : std::uint8_t { kSpace, kUpper, kLower, kCaseless, kDigit, kMark };

struct Char {
  CharClass kind = CharClass::kSpace;  // also behind the end
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  UChar32 code = 0;
};

constexpr std::array<CharClass, 128> ascii_classes() {
  std::array<CharClass, 128> classes{};
  for (std::size_t code = 0; code < 128; ++code) {
    CharClass kind = CharClass::kMark;
    if (code == ' ' || (code >= 9 && code <= 13)) kind = CharClass::kSpace;
    if (code >= 'A' && code <= 'Z') kind = CharClass::kUpper;
    if (code >= 'a' && code <= 'z') kind = CharClass::kLower;
    if (code >= '0' && code <= '9') kind = CharClass::kDigit;
    classes[code] = kind;
  }
  return classes;
}
constexpr std::array<CharClass, 128> kAsciiClasses = ascii_classes();

CharClass class_of(UChar32 code) {
  switch (u_charType(code)) {
    case U_UPPERCASE_LETTER:
    case U_TITLECASE_LETTER:
      return CharClass::kUpper;
    case U_LOWERCASE_LETTER:
    case U_MODIFIER_LETTER:
      return code == 0x30FC ? CharClass::kCaseless : CharClass::kLower;  // the Katakana long mark
    case U_OTHER_LETTER:
      return CharClass::kCaseless;
    case U_DECIMAL_DIGIT_NUMBER:
      return CharClass::kDigit;
    case U_SPACE_SEPARATOR:
      return CharClass::kSpace;
    default:
      return CharClass::kMark;
  }
}

bool is_combining(UChar32 code) {
  const int kind = u_charType(code);
  return kind == U_NON_SPACING_MARK || kind == U_COMBINING_SPACING_MARK || kind == U_ENCLOSING_MARK;
}

bool is_letter(CharClass kind) { return kind == CharClass::kUpper || kind == CharClass::kLower; }
bool is_apostrophe(UChar32 code) { return code == '\'' || code == 0x2019 || code == 0x2BB || code == 0x2018; }

// Small words that make an adjective of the name before their hyphen.
constexpr std::string_view kCompoundTails[] = {
    "based",  "born",      "led",       "style",    "era",      "language",   "speaking", "like",
    "type",   "class",     "winning",   "owned",    "run",      "wide",       "only",     "bound",
    "made",   "area",      "related",   "centric",  "inspired", "controlled", "themed",   "funded",
    "backed", "century",   "level",     "oriented", "trained",  "educated",   "raised",   "occupied",
    "held",   "sponsored", "nominated", "designed", "built",    "produced",   "directed", "wing",
    "shaped", "day",       "old",       "year",     "time",     "influenced"};
constexpr std::size_t kLongestTail = 12;

// "i'm", "don't", "we'll"
bool is_contraction(std::string_view lower) {
  return lower.ends_with("n't") || lower.ends_with("'m") || lower.ends_with("'ll") || lower.ends_with("'re") ||
         lower.ends_with("'ve") || lower.ends_with("'d");
}

class Tokeniser {
 public:
  explicit Tokeniser(std::string_view text) : text_(text) { tokens_.reserve(text.size() / 5 + 4); }

  std::vector<Token> run() {
    bool spaced = true;
    for (Char c = at(0); c.begin < text_.size(); c = at(position_)) {
      position_ = c.end;
      if (c.kind == CharClass::kSpace) {
        spaced = true;
        continue;
      }
      Token token{c.begin, c.end, TokenKind::kMark, false, spaced, false, 0};
      spaced = false;
      switch (c.kind) {
        case CharClass::kUpper:
        case CharClass::kLower:
          read_word(token, c);
          break;
        case CharClass::kDigit:
          read_number(token);
          break;
        case CharClass::kCaseless:
          read_caseless(token);
          break;
        default:
          break;
      }
      tokens_.push_back(token);
    }
    return std::move(tokens_);
  }

 private:
  Char at(std::uint32_t begin) const {
    if (begin >= text_.size()) return {CharClass::kSpace, begin, begin, 0};
    const auto byte = static_cast<std::uint8_t>(text_[begin]);
    if (byte < 0x80) return {kAsciiClasses[byte], begin, begin + 1, byte};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
    std::size_t end = begin;
    UChar32 code = 0;
    U8_NEXT_OR_FFFD(bytes, end, text_.size(), code);
    return {class_of(code), begin, static_cast<std::uint32_t>(end), code};
  }

  // Reads on over letters, digits, combining marks, and the joints that belong to names.
  void read_word(Token& token, const Char& first) {
    token.kind = TokenKind::kWord;
    token.capital = first.kind == CharClass::kUpper;
    bool letters_only = true;
    bool all_upper = token.capital;
    std::uint32_t length = 1;
    for (Char c = at(position_);; c = at(position_)) {
      if (is_letter(c.kind) || c.kind == CharClass::kDigit) {
        if (length == 1 && c.kind == CharClass::kUpper) token.capital = true;  // "iPhone", "ʻOlyā"
        all_upper = all_upper && c.kind == CharClass::kUpper;
        ++length;
      } else if (c.kind == CharClass::kMark && c.code > 0x7F && is_combining(c.code)) {
      } else if (!joins(token, c, length)) {
        break;
      } else {
        letters_only = false;
        length = 2;
        continue;
      }
      position_ = c.end;
      token.end = c.end;
    }
    classify(token);
    if (all_upper && length > 1) token.classes &= ~(kFunctionWord | kOpenerWord | kParticleWord);  // "US", "WHO"
    if (letters_only) read_stop(token, length);
    read_possessive(token);
  }

  // Whether the mark c stands inside the word; if so, position_ is moved behind it.
  bool joins(const Token& token, const Char& c, std::uint32_t length) {
    if (c.kind != CharClass::kMark) return false;
    const Char next = at(c.end);
    if (is_apostrophe(c.code)) {
      const bool possessive = next.code == 's' && !is_letter(at(next.end).kind);
      if (!is_letter(next.kind) || possessive) return false;
    } else if (c.code == '-' || c.code == 0x2010 || c.code == 0x2011) {
      if (!is_letter(next.kind) && next.kind != CharClass::kDigit) return false;
      if (token.capital && next.kind == CharClass::kLower && !is_link(next)) return false;
    } else if (c.code == '.') {
      if (!is_domain(c.end) || length < 3) return false;
    } else if (c.code == '&') {
      if (!is_letter(next.kind) || length > 3) return false;
    } else {
      return false;
    }
    position_ = c.end;
    return true;
  }

  // "Bandar-e", "Vitry-sur-Seine", "Jong-hyun", but not "London-based".
  bool is_link(const Char& first) const {
    const std::string_view behind = text_.substr(first.begin, kLongestTail);
    for (std::string_view tail : kCompoundTails) {
      if (behind.starts_with(tail)) return false;
    }
    return true;
  }

  // "Amazon.com"
  bool is_domain(std::uint32_t begin) const {
    const std::string_view behind = text_.substr(begin, 3);
    return (behind == "com" || behind == "org" || behind == "net") && !is_letter(at(begin + 3).kind);
  }

  // "J.", "U.S.", "Dr.": the stop belongs to the word.
  void read_stop(Token& token, std::uint32_t length) {
    Char c = at(position_);
    if (c.code != '.') return;
    if (length > 1) {
      if ((token.classes & kDottedWord) != 0 && token.capital) token.end = position_ = c.end;
      return;
    }
    if (!token.capital) return;
    for (token.end = position_ = c.end;; token.end = position_ = c.end) {
      const Char letter = at(position_);
      c = at(letter.end);
      if (letter.kind != CharClass::kUpper || c.code != '.') return;
    }
  }

  void read_possessive(Token& token) {
    const Char mark = at(position_);
    if (!is_apostrophe(mark.code) || mark.begin == mark.end) return;
    const Char s = at(mark.end);
    if (s.code == 's' && !is_letter(at(s.end).kind)) {
      token.possessive = true;
      position_ = s.end;
    }
  }

  void read_number(Token& token) {
    token.kind = TokenKind::kNumber;
    for (Char c = at(position_);; c = at(position_)) {
      if ((c.code == ',' || c.code == '.') && at(c.end).kind == CharClass::kDigit) {
        c = at(c.end);
      } else if (is_letter(c.kind)) {
        token.kind = TokenKind::kMixed;
      } else if (c.kind != CharClass::kDigit) {
        break;
      }
      token.end = position_ = c.end;
    }
  }

  void read_caseless(Token& token) {
    token.kind = TokenKind::kCaseless;
    for (Char c = at(position_); c.kind == CharClass::kCaseless || (c.code > 0x7F && is_combining(c.code));
         c = at(position_)) {
      token.end = position_ = c.end;
    }
  }

  void classify(Token& token) const {
    const std::uint32_t length = token.end - token.begin;
    if (length > kLongestListedWord) return;
    std::array<char, kLongestListedWord> lower{};
    for (std::uint32_t i = 0; i < length; ++i) {
      const char byte = text_[token.begin + i];
      if (static_cast<std::uint8_t>(byte) >= 0x80) return;
      lower[i] = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    }
    const std::string_view word(lower.data(), length);
    token.classes = is_contraction(word) ? kFunctionWord : word_classes(word);
  }

  std::string_view text_;
  std::uint32_t position_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> recogniser_tokens(std::string_view sentence) { return Tokeniser(sentence).run(); }

}  // namespace harnessg
