#include "builder/sentences.h"

#include <fmt/format.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "builder/abbreviations.h"

namespace harnessg {
namespace {

constexpr std::size_t kLongestWord = 48;     // bytes looked at before a full stop
constexpr std::size_t kShortQuoteWords = 2;  // a quoted piece of so few words stays with the text behind it
constexpr std::size_t kThaiSentence = 90;    // bytes; a space may end a Thai or Lao sentence of at least this length
constexpr std::size_t kThaiClause = 45;      // bytes; when so much follows without a space (names are shorter)

struct Cursor {
  UChar32 character = 0;     // 0 at either end of the text
  std::size_t position = 0;  // where the scan goes on
};

Cursor read_forward(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, text.size()};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  UChar32 character = 0;
  U8_NEXT_OR_FFFD(bytes, at, text.size(), character);
  return {character, at};
}

Cursor read_back(std::string_view text, std::size_t at) {
  if (at == 0) return {0, 0};
  std::size_t begin = at - 1;
  while (begin > 0 && U8_IS_TRAIL(static_cast<std::uint8_t>(text[begin]))) --begin;
  return {read_forward(text, begin).character, begin};
}

bool is_space(UChar32 character) {
  return character == ' ' || (character > 0x7F && u_isUWhiteSpace(character)) || (character >= 9 && character <= 13);
}

bool is_closer(UChar32 character) {
  if (character < 0x80) return character == '"' || character == '\'' || character == ')' || character == ']';
  const int kind = u_charType(character);
  return kind == U_END_PUNCTUATION || kind == U_FINAL_PUNCTUATION;
}

bool is_opener(UChar32 character) {
  if (character < 0x80) return character == '"' || character == '\'' || character == '(' || character == '[';
  const int kind = u_charType(character);
  return kind == U_START_PUNCTUATION || kind == U_INITIAL_PUNCTUATION || character == 0xBF || character == 0xA1;
}

bool is_quote(UChar32 character) {
  return character == '"' || character == '\'' ||
         (character > 0x7F && u_hasBinaryProperty(character, UCHAR_QUOTATION_MARK));
}

// A place where a sentence might end: [begin, end) is the sentence so far, `next` the first character behind the space.
struct Cut {
  std::string_view text;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t next = 0;
};

struct Ending {
  UChar32 mark = 0;  // the last character before closing quotes and brackets
  std::size_t mark_begin = 0;
  bool closed = false;  // closing quotes or brackets follow the mark
  bool quoted = false;  // a closing quote does
};

Ending read_ending(const Cut& cut) {
  Ending ending;
  std::size_t at = cut.end;
  while (at > cut.begin) {
    const Cursor cursor = read_back(cut.text, at);
    ending.mark = cursor.character;
    ending.mark_begin = cursor.position;
    if (!is_closer(cursor.character)) break;
    ending.closed = true;
    ending.quoted = ending.quoted || is_quote(cursor.character);
    at = cursor.position;
  }
  return ending;
}

bool delimits_word(UChar32 character) {
  return is_space(character) || character == '/' || character == 0x2013 || character == 0x2014 ||
         is_opener(character) || (is_closer(character) && character != '\'' && character != 0x2019);
}

// The word that ends where the full stop stands.
std::string_view word_before(std::string_view text, std::size_t begin, std::size_t stop) {
  std::size_t at = stop;
  while (at > begin && stop - at < kLongestWord) {
    const Cursor cursor = read_back(text, at);
    if (delimits_word(cursor.character)) break;
    at = cursor.position;
  }
  return text.substr(at, stop - at);
}

std::string_view word_after(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  while (at < text.size() && at - begin < kLongestWord) {
    const Cursor cursor = read_forward(text, at);
    if (!u_isalpha(cursor.character)) break;
    at = cursor.position;
  }
  return text.substr(begin, at - begin);
}

// "J", "U.S", "Jay-Z", "e.V": what a single letter ends.
bool is_initial(std::string_view word) {
  const Cursor last = read_back(word, word.size());
  if (!u_isalpha(last.character)) return false;
  const Cursor before = read_back(word, last.position);
  return last.position == 0 || before.character == '.' || before.character == '-';
}

bool is_number(std::string_view word, std::size_t longest) {
  if (word.empty() || word.size() > longest) return false;
  for (char digit : word) {
    if (digit < '0' || digit > '9') return false;
  }
  return true;
}

bool is_short_quote(const Cut& cut) {
  std::size_t words = 1;
  for (std::size_t at = cut.begin; at < cut.end && words <= kShortQuoteWords; ++at)
    words += cut.text[at] == ' ' ? 1 : 0;
  return words <= kShortQuoteWords;
}

// Whether a word that opens sentences follows directly: in U.S. "Billboard" none does.
bool opens_here(const Cut& cut) {
  const std::string_view word = word_after(cut.text, cut.next);
  const std::size_t behind = cut.next + word.size();
  const bool initial = behind < cut.text.size() && cut.text[behind] == '.';  // "S. A. Chandrasekhar"
  return opens_sentence(word) && !initial;
}

// "World War I", "Division M", "vitamin E": the letter is a number, not an initial.
bool is_numbered_thing(const Cut& cut, std::string_view letter) {
  const auto at = static_cast<std::size_t>(letter.data() - cut.text.data());
  if (letter.size() > 1 || at < cut.begin + 2) return false;
  return takes_letter(word_before(cut.text, cut.begin, at - 1));
}

// "5", "IV" and "100a" behind "Vol.".
bool begins_number(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  while (at < text.size() && std::string_view("IVXLCDM").find(text[at]) != std::string_view::npos) ++at;
  const UChar32 behind = read_forward(text, at).character;
  return at > begin ? !u_isalnum(behind) : u_isdigit(behind);
}

bool full_stop_ends(const Cut& cut, const Ending& ending) {
  const std::string_view word = word_before(cut.text, cut.begin, ending.mark_begin);
  if (word.empty()) return true;
  if (word.back() == '.') return word.ends_with("..") ? opens_here(cut) : true;
  const Abbreviation kind = abbreviation_kind(word);
  if (kind == Abbreviation::kJoins) return false;
  if (is_initial(word) && !is_numbered_thing(cut, word)) return opens_here(cut);
  if (ending.closed) return !u_isdigit(read_forward(cut.text, cut.next).character);
  if (kind == Abbreviation::kBeforeName) return is_opening_pronoun(word_after(cut.text, cut.next));
  if (kind == Abbreviation::kMayEnd) return opens_here(cut);
  if (kind == Abbreviation::kBeforeNumber) return !begins_number(cut.text, cut.next);
  const bool leads = word.data() == cut.text.data() + cut.begin;
  return !(leads && is_number(word, 3)) && !(is_number(word, 2) && is_dotted_day_month(word_after(cut.text, cut.next)));
}

// Hiragana behind a closing bracket carries the sentence on: 「行こう！」と言った。
bool carries_on(UChar32 character) { return character >= 0x3041 && character <= 0x309F; }

bool ends_sentence(const Cut& cut) {
  const Ending ending = read_ending(cut);
  const UChar32 right = read_forward(cut.text, cut.next).character;
  if (cut.next == cut.end) return ending.mark > 0x7F && !(ending.closed && carries_on(right)) && !is_closer(right);
  if (u_islower(right) || right == ',' || right == ';' || right == ':') return false;
  if (ending.quoted && is_short_quote(cut)) return false;
  return ending.mark != '.' || full_stop_ends(cut, ending);
}

icu::BreakIterator& sentence_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status)) {
      fmt::print(stderr, "harnessg: ICU has no sentence rules ({}); reinstall ICU with its data\n",
                 u_errorName(status));
      std::abort();
    }
    return made;
  }();
  return *iterator;
}

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) { skip_space(); }

  // `boundary`: where the next sentence would begin.
  void offer(std::size_t boundary) {
    if (boundary <= begin_) return;
    Cut cut{text_, begin_, boundary, boundary};
    trim(cut);
    leave_openers(cut);
    take_stray_closers(cut);
    if (cut.next < text_.size() && ends_sentence(cut)) close(cut);
  }

  // A space between Thai or Lao letters, which know no full stop.
  void offer_space(std::size_t space) {
    if (space < begin_ + kThaiSentence) return;
    const std::string_view behind = text_.substr(space + 1, kThaiClause);
    if (behind.size() < kThaiClause || behind.find(' ') != std::string_view::npos || continues_thai(behind)) return;
    close({text_, begin_, space, space + 1});
  }

  Ranges finish() {
    Cut cut{text_, begin_, text_.size(), text_.size()};
    trim(cut);
    if (cut.end > begin_) close(cut);
    return std::move(ranges_);
  }

 private:
  void skip_space() {
    while (begin_ < text_.size() && is_space(read_forward(text_, begin_).character)) {
      begin_ = read_forward(text_, begin_).position;
    }
  }

  void trim(Cut& cut) const {
    for (Cursor c = read_back(text_, cut.end); cut.end > begin_ && is_space(c.character);
         c = read_back(text_, cut.end)) {
      cut.end = c.position;
    }
    for (Cursor c = read_forward(text_, cut.next); cut.next < text_.size() && is_space(c.character);
         c = read_forward(text_, cut.next)) {
      cut.next = c.position;
    }
  }

  // ICU counts opening brackets behind a full stop to the sentence before: 。「
  void leave_openers(Cut& cut) const {
    std::size_t at = cut.end;
    for (Cursor mark = read_back(text_, at); at > begin_; mark = read_back(text_, at)) {
      if (!is_opener(mark.character) || is_closer(mark.character)) break;
      at = mark.position;
    }
    if (at == cut.end) return;
    cut.end = cut.next = at;
    trim(cut);
  }

  // In "risen. ” He" the quotation mark belongs to the sentence before it.
  void take_stray_closers(Cut& cut) const {
    while (cut.next > cut.end && cut.next < text_.size()) {
      const Cursor mark = read_forward(text_, cut.next);
      if (mark.character < 0x80 || !is_closer(mark.character) || read_forward(text_, mark.position).character != ' ')
        return;
      cut.end = mark.position;
      cut.next = mark.position + 1;
    }
  }

  void close(const Cut& cut) {
    ranges_.emplace_back(static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(cut.end));
    begin_ = cut.next;
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  Ranges ranges_;
};

// Offers ". 4": ICU takes a number behind a full stop for a part of the sentence when a small letter follows.
void offer_numbers(Splitter& splitter, std::string_view text, std::size_t from, std::size_t to) {
  const std::string_view piece = text.substr(0, to);
  for (std::size_t at = piece.find(". ", from); at != std::string_view::npos; at = piece.find(". ", at + 1)) {
    if (at + 2 < to && text[at + 2] >= '0' && text[at + 2] <= '9') splitter.offer(at + 2);
  }
}

// Thai and Lao letters are the three-byte sequences E0 B8 .. E0 BB.
bool is_thai_or_lao(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '\xE0' && static_cast<std::uint8_t>(text[at + 1]) >= 0xB8 &&
         static_cast<std::uint8_t>(text[at + 1]) <= 0xBB;
}

void offer_spaces(Splitter& splitter, std::string_view text, std::size_t from, std::size_t to) {
  const std::string_view piece = text.substr(0, to);
  for (std::size_t at = piece.find(" \xE0", from); at != std::string_view::npos; at = piece.find(" \xE0", at + 1)) {
    if (at >= 3 && is_thai_or_lao(text, at - 3) && is_thai_or_lao(text, at + 1)) splitter.offer_space(at);
  }
}

}  // namespace

Ranges split_sentences(std::string_view text) {
  if (text.empty()) return {};
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<std::int64_t>(text.size()), &status);
  icu::BreakIterator& iterator = sentence_iterator();
  iterator.setText(&source, status);
  Splitter splitter(text);
  const bool spaced_script = text.find('\xE0') != std::string_view::npos;
  std::size_t from = 0;
  for (std::int32_t at = iterator.first(); at != icu::BreakIterator::DONE; at = iterator.next()) {
    const auto to = static_cast<std::size_t>(at);
    offer_numbers(splitter, text, from, to);
    if (spaced_script) offer_spaces(splitter, text, from, to);
    splitter.offer(to);
    from = to;
  }
  utext_close(&source);
  return splitter.finish();
}

}  // namespace harnessg
