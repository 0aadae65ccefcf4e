// The words of titles and sentences, as the title gazetteer compares them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace harnessg {

enum class WordCase : std::uint8_t {
  kNone,      // no letter
  kCaseless,  // letters of a script without case
  kLower,
  kCapital,  // begins with a capital ("iPhone" counts)
  kUpper,    // two letters or more and all of them capitals: "NASA", "II"
};

// What stands between a word and the one before it.
enum class WordJoint : std::uint8_t {
  kSpace,   // white space, perhaps with a full stop or a hyphen: "J. R.", "half- brother"
  kHyphen,  // a hyphen and nothing else
  kInside,  // an apostrophe, a full stop or nothing: "King's", "U.S.", "東京"
  kBreak,   // a comma, bracket, quotation mark, dash ... ; also before the first word
};

struct NameWord {
  std::uint64_t hash = 0;   // of its case-folded bytes
  std::uint32_t begin = 0;  // UTF-8 byte offsets in the text
  std::uint32_t end = 0;
  WordCase letters = WordCase::kNone;
  WordJoint joint = WordJoint::kBreak;

  bool capital() const { return letters == WordCase::kCapital || letters == WordCase::kUpper; }
  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

// Replaces `words` by the words of the text: runs of letters, marks and digits; in scripts that put no spaces between
// words (Han, Hiragana, Thai, Lao, Khmer, Myanmar) every letter with its marks. Linear in the text.
void read_name_words(std::string_view text, std::vector<NameWord>& words);

// NameWord::hash of the word.
std::uint64_t folded_hash(std::string_view word);

// Whether two words are equal after case folding.
bool equal_folded(std::string_view a, std::string_view b);

// What the recogniser's lists say of the word (WordClass bits), whatever its case.
std::uint32_t word_classes_of(std::string_view word);

}  // namespace harnessg
