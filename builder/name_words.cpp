#include "builder/name_words.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <string>

#include "builder/recogniser_words.h"
#include "data/text.h"

namespace harnessg {
namespace {

// From kUpper to kAlone: what begins a word.
enum class CharClass : std::uint8_t {
  kSpace,
  kUpper,
  kLower,
  kCaseless,
  kDigit,
  kAlone,
  kMark,
  kHyphen,
  kInner,
  kBreak
};

constexpr std::array<CharClass, 128> ascii_classes() {
  std::array<CharClass, 128> classes{};
  for (std::size_t code = 0; code < 128; ++code) {
    CharClass kind = CharClass::kBreak;
    if (code == ' ' || (code >= 9 && code <= 13)) kind = CharClass::kSpace;
    if (code >= 'A' && code <= 'Z') kind = CharClass::kUpper;
    if (code >= 'a' && code <= 'z') kind = CharClass::kLower;
    if (code >= '0' && code <= '9') kind = CharClass::kDigit;
    if (code == '-') kind = CharClass::kHyphen;
    if (code == '\'' || code == '.' || code == '&' || code == '`') kind = CharClass::kInner;
    classes[code] = kind;
  }
  return classes;
}
constexpr std::array<CharClass, 128> kAsciiClasses = ascii_classes();

// Letters of scripts that are written without spaces.
bool stands_alone(UChar32 code) {
  if (code < 0xE00) return false;
  return u_hasBinaryProperty(code, UCHAR_IDEOGRAPHIC) ||
         u_getIntPropertyValue(code, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT ||
         u_getIntPropertyValue(code, UCHAR_SCRIPT) == USCRIPT_HIRAGANA;
}

CharClass class_of(UChar32 code) {
  if (code == 0x2019 || code == 0x2018 || code == 0x2BB || code == 0x2BC) return CharClass::kInner;
  if (code == 0x2010 || code == 0x2011) return CharClass::kHyphen;
  const std::uint32_t category = U_GET_GC_MASK(code);
  if ((category & U_GC_M_MASK) != 0) return CharClass::kMark;
  if ((category & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0) return CharClass::kUpper;
  if ((category & U_GC_LL_MASK) != 0) return CharClass::kLower;
  if ((category & U_GC_N_MASK) != 0 && !u_hasBinaryProperty(code, UCHAR_IDEOGRAPHIC)) return CharClass::kDigit;
  if ((category & (U_GC_L_MASK | U_GC_N_MASK)) != 0) {
    return stands_alone(code) ? CharClass::kAlone : CharClass::kCaseless;
  }
  return (category & U_GC_ZS_MASK) != 0 ? CharClass::kSpace : CharClass::kBreak;
}

struct Char {
  CharClass kind = CharClass::kBreak;
  std::uint32_t end = 0;
};

Char read_char(std::string_view text, std::uint32_t begin) {
  const auto byte = static_cast<std::uint8_t>(text[begin]);
  if (byte < 0x80) return {kAsciiClasses[byte], begin + 1};
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t end = begin;
  UChar32 code = 0;
  U8_NEXT_OR_FFFD(bytes, end, text.size(), code);
  return {class_of(code), static_cast<std::uint32_t>(end)};
}

constexpr bool is_ascii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii(c); });
}

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// FNV-1a over 64 bits.
class FoldedHash {
 public:
  void add(char c) { value_ = (value_ ^ static_cast<std::uint8_t>(c)) * 1099511628211u; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

// The letters of one word, counted.
class Letters {
 public:
  void add(CharClass kind) {
    const bool capital = kind == CharClass::kUpper;
    if (capital || kind == CharClass::kLower) {
      begins_capital_ |= capital && cased_ < 2;
      capitals_ += capital;
      ++cased_;
    }
    caseless_ |= kind == CharClass::kCaseless || kind == CharClass::kAlone;
  }

  WordCase word_case() const {
    if (cased_ == 0) return caseless_ ? WordCase::kCaseless : WordCase::kNone;
    if (cased_ > 1 && capitals_ == cased_) return WordCase::kUpper;
    return begins_capital_ ? WordCase::kCapital : WordCase::kLower;
  }

 private:
  std::uint32_t cased_ = 0;
  std::uint32_t capitals_ = 0;
  bool begins_capital_ = false;
  bool caseless_ = false;
};

class WordReader {
 public:
  WordReader(std::string_view text, std::vector<NameWord>& words) : text_(text), words_(words) {}

  void run() {
    for (std::uint32_t at = 0; at < text_.size();) {
      const Char c = read_char(text_, at);
      at = c.kind >= CharClass::kUpper && c.kind <= CharClass::kAlone ? read_word(at, c) : pass(c);
    }
  }

 private:
  // A character between words.
  std::uint32_t pass(const Char& c) {
    spaced_ |= c.kind == CharClass::kSpace;
    hyphen_ |= c.kind == CharClass::kHyphen;
    broken_ |= c.kind == CharClass::kBreak;
    return c.end;
  }

  WordJoint joint() const {
    if (words_.empty() || broken_) return WordJoint::kBreak;
    if (spaced_) return WordJoint::kSpace;
    return hyphen_ ? WordJoint::kHyphen : WordJoint::kInside;
  }

  std::uint32_t read_word(std::uint32_t begin, Char c) {
    NameWord word;
    word.begin = begin;
    word.joint = joint();
    Letters letters;
    FoldedHash hash;  // good as long as the word is ASCII
    bool ascii = true;
    const bool alone = c.kind == CharClass::kAlone;
    while (true) {
      letters.add(c.kind);
      hash.add(ascii_lower(text_[c.end - 1]));
      ascii = ascii && is_ascii(text_[c.end - 1]);
      word.end = c.end;
      if (word.end == text_.size()) break;
      c = read_char(text_, word.end);
      if (c.kind != CharClass::kMark && (alone || c.kind < CharClass::kUpper || c.kind > CharClass::kDigit)) break;
    }
    word.letters = letters.word_case();
    word.hash = ascii ? hash.value() : folded_hash(word.in(text_));
    words_.push_back(word);
    spaced_ = hyphen_ = broken_ = false;
    return word.end;
  }

  std::string_view text_;
  std::vector<NameWord>& words_;
  bool spaced_ = false;
  bool hyphen_ = false;
  bool broken_ = false;
};

}  // namespace

std::uint64_t folded_hash(std::string_view word) {
  FoldedHash hash;
  if (is_ascii(word)) {
    for (const char c : word) hash.add(ascii_lower(c));
  } else {
    for (const char c : fold_case(word)) hash.add(c);
  }
  return hash.value();
}

void read_name_words(std::string_view text, std::vector<NameWord>& words) {
  words.clear();
  WordReader(text, words).run();
}

bool equal_folded(std::string_view a, std::string_view b) {
  if (is_ascii(a) && is_ascii(b)) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
  }
  return fold_case(a) == fold_case(b);
}

std::uint32_t word_classes_of(std::string_view word) {
  if (word.size() > kLongestListedWord || !is_ascii(word)) return 0;
  std::array<char, kLongestListedWord> lower{};
  std::transform(word.begin(), word.end(), lower.begin(), ascii_lower);
  return word_classes({lower.data(), word.size()});
}

}  // namespace harnessg
