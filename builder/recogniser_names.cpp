#include <algorithm>

#include "builder/recogniser_parts.h"
#include "builder/recogniser_words.h"

namespace harnessg {
namespace {

constexpr std::size_t kMostParticles = 3;  // "of", "de la", "von und zu"
constexpr std::size_t kLongestName = 16;   // tokens; a longer run of capitals is a heading, not a name

bool is_spaced(const SentenceTokens& sentence, std::size_t at) {
  return at < sentence.tokens.size() && sentence.tokens[at].spaced;
}

bool is_lower_word(const SentenceTokens& sentence, std::size_t at) {
  return at < sentence.tokens.size() && sentence.tokens[at].kind == TokenKind::kWord && !sentence.tokens[at].capital;
}

bool is_initial(std::string_view word) { return word.size() == 2 && word[1] == '.'; }

// "101st": an ordinal that begins a name.
bool is_ordinal(const SentenceTokens& sentence, std::size_t at) {
  return sentence.tokens[at].kind == TokenKind::kMixed;
}

// The first word of the sentence, of a quotation or of a clause behind a colon: its capital says little.
bool opens_clause(const SentenceTokens& sentence, std::size_t at) {
  if (at == 0) return true;
  const std::string_view before = sentence.word(at - 1);
  return before == "\"" || before == "“" || before == ":" || before == "." || before == "!" || before == "?" ||
         before == "•" || before == "*" || before == "—" || (at == 1 && before == "(") || before == "'";
}

bool looks_inflected(std::string_view word) {
  return word.size() > 5 && (word.ends_with("ly") || word.ends_with("ed") || word.ends_with("ing"));
}

// Reads one name from its first word on.
class NameReader {
 public:
  NameReader(const SentenceTokens& sentence, std::size_t first)
      : sentence_(sentence), first_(first), last_(first + 1) {}

  // One past the last token of the longest name that begins here.
  std::size_t run() {
    last_ = first_;
    take(first_ + 1);
    while (last_ - first_ < kLongestName && (take_word() || take_particles() || take_joint() || take_number())) {
    }
    return last_;
  }

 private:
  void take(std::size_t last) {
    for (; last_ < last; ++last_) {
      names_award_ = names_award_ || sentence_.has(last_, kAwardWord);
      names_institution_ =
          names_institution_ || (sentence_.has(last_, kAwardWord) && sentence_.has(last_, kOrgWord | kFacWord));
      names_field_ = names_field_ || (names_institution_ && sentence_.is(last_, "of"));
    }
  }

  bool is_closed() const {
    const Token& token = sentence_.tokens[last_ - 1];
    return token.possessive;
  }

  bool can_follow(std::size_t at) const {
    if (!sentence_.capital(at) || !is_spaced(sentence_, at)) return false;
    if (sentence_.has(at, kMonthWord)) {
      return at + 1 >= sentence_.tokens.size() || sentence_.tokens[at + 1].kind != TokenKind::kNumber;
    }
    return true;
  }

  // Whether one of the next capitalised words tells what kind of thing is named.
  bool kind_follows() const {
    for (std::size_t at = last_; at < last_ + kMostParticles && can_follow(at); ++at) {
      if (sentence_.has(at, kOrgWord | kFacWord | kAwardWord | kEventWord)) return true;
    }
    return false;
  }

  // "St. Maurice's Abbey", "King's College": only a word that names the kind of thing goes on behind a possessive.
  bool take_word() {
    if (!can_follow(last_)) return false;
    if (is_closed() && !kind_follows()) return false;
    const bool article = sentence_.has(last_, kFunctionWord) && sentence_.word(last_) != "I";
    if (article && !can_follow(last_ + 1)) return false;
    take(last_ + 1);
    return true;
  }

  // Whether the small word may stand inside the name as its kind and its head allow.
  bool joins(std::size_t at) const {
    const std::string_view word = sentence_.word(at);
    if (word == "for") return names_award_;
    if (word == "in")
      return sentence_.is(at - 1, "Prize") || sentence_.is(at - 1, "Medal") || sentence_.is(at - 1, "Award");
    if (word == "and") return names_field_;
    return sentence_.has(at, kParticleWord);
  }

  bool take_particles() {
    if (is_closed()) return false;
    std::size_t at = last_;
    while (at - last_ < kMostParticles && is_lower_word(sentence_, at) && is_spaced(sentence_, at) && joins(at)) ++at;
    if (at == last_ || !can_follow(at) || sentence_.has(at, kMonthWord | kWeekdayWord)) return false;
    if (sentence_.has(at, kFunctionWord | kNationality) && !can_follow(at + 1)) return false;
    take(at + 1);
    return true;
  }

  // "Simon & Schuster", "King, Jr.", and the "Metro- Goldwyn- Mayer" of some corpora.
  bool take_joint() {
    if (is_closed() || last_ + 1 >= sentence_.tokens.size() || !sentence_.capital(last_ + 1)) return false;
    const bool ampersand = sentence_.is(last_, "&") && is_spaced(sentence_, last_ + 1);
    const bool suffix = sentence_.is(last_, ",") && sentence_.has(last_ + 1, kSuffixWord);
    const bool hyphen =
        sentence_.is(last_, "-") && sentence_.tokens[last_].spaced != sentence_.tokens[last_ + 1].spaced;
    if (!ampersand && !suffix && !hyphen) return false;
    take(last_ + 2);
    return true;
  }

  // "Apollo 8", "Windows 95"; no years, no amounts.
  bool take_number() {
    if (is_closed() || last_ >= sentence_.tokens.size() || sentence_.tokens[last_].kind != TokenKind::kNumber ||
        !is_spaced(sentence_, last_) || sentence_.word(last_).size() > 3) {
      return false;
    }
    constexpr std::uint32_t kCounted = kUnitWord | kPeriodWord | kClockWord | kMagnitude | kCurrencyWord | kMonthWord;
    if (sentence_.has(last_ + 1, kCounted) || sentence_.is(last_ + 1, "%") || sentence_.is(last_ + 1, ":"))
      return false;
    take(last_ + 1);
    return true;
  }

  const SentenceTokens& sentence_;
  std::size_t first_;
  std::size_t last_;
  bool names_award_ = false;        // "Prize for Literature", "Center for Science"
  bool names_institution_ = false;  // "Department"
  bool names_field_ = false;        // "Department of": "and" goes on
};

// Leaves out leading words that are no part of the name; true when what remains stands behind an honorific.
bool trim_front(const SentenceTokens& sentence, Span& span) {
  bool person = false;
  const bool thing = sentence.has(span.last - 1, kOrgWord | kFacWord | kAwardWord | kEventWord);
  while (span.first + 1 < span.last) {
    const std::size_t at = span.first;
    const bool follows = sentence.capital(at + 1);
    const bool article = sentence.is(at, "The") || sentence.is(at, "A") || sentence.is(at, "An");
    const bool function = sentence.has(at, kFunctionWord) && (opens_clause(sentence, at) || !article);
    const bool honorific = sentence.has(at, kHonorific) && follows && !sentence.tokens[at].possessive && !thing &&
                           !sentence.has(at + 1, kFunctionWord | kOrgWord | kFacWord | kAwardWord);
    if (!function && !honorific) break;
    person = honorific;
    ++span.first;
  }
  while (span.first < span.last && !sentence.capital(span.first) && !is_ordinal(sentence, span.first)) ++span.first;
  return person;
}

void trim_back(const SentenceTokens& sentence, Span& span) {
  while (span.last > span.first + 1) {
    const std::size_t at = span.last - 1;
    const bool number = sentence.tokens[at].kind == TokenKind::kNumber;
    const bool function = sentence.has(at, kFunctionWord) && sentence.word(at) != "I";
    if (number || (!function && sentence.tokens[at].kind == TokenKind::kWord && sentence.capital(at))) break;
    --span.last;
  }
}

// Whether a single capitalised word is no name.
bool is_plain_word(const SentenceTokens& sentence, std::size_t at) {
  constexpr std::uint32_t kNever =
      kFunctionWord | kMonthWord | kWeekdayWord | kOrdinalWord | kNumberWord | kPlainAcronym;
  if (sentence.has(at, kNever) || is_initial(sentence.word(at)) || !sentence.capital(at)) return true;
  if (!opens_clause(sentence, at) || sentence.title == sentence.word(at)) return false;
  if (sentence.has(at, kNationality | kPlaceName | kContinent)) return false;
  return sentence.tokens[at].classes != 0 || looks_inflected(sentence.word(at));
}

// "War I." at a sentence's end: the stop is the sentence's.
void drop_final_stop(const SentenceTokens& sentence, Span& span) {
  if (span.last == sentence.tokens.size() && is_initial(sentence.word(span.last - 1))) --span.end;
}

// A paragraph's title of several words is one name wherever it stands.
std::size_t title_end(const SentenceTokens& sentence, std::size_t at) {
  const std::string_view title = sentence.title;
  const std::uint32_t begin = sentence.tokens[at].begin;
  if (title.find(' ') == std::string_view::npos || !sentence.text.substr(begin).starts_with(title)) return at;
  std::size_t last = at + 1;
  while (last < sentence.tokens.size() && sentence.tokens[last].end <= begin + title.size()) ++last;
  const bool goes_on = sentence.capital(last) && is_spaced(sentence, last);
  return sentence.tokens[last - 1].end == begin + title.size() && !goes_on ? last : at;
}

// "American"; "South Korean", which is one.
bool is_people(const SentenceTokens& sentence, std::size_t first, std::size_t last) {
  for (std::size_t at = first; at + 1 < last; ++at) {
    if (!sentence.has(at, kNationality | kDirectionWord)) return false;
  }
  return sentence.has(last - 1, kNationality) && sentence.capital(last - 1);
}

void add_peoples(const SentenceTokens& sentence, const Span& span, NameMatch& match) {
  std::size_t first = span.first;
  for (std::size_t at = span.first; at < span.last; ++at) {
    if (!sentence.has(at, kNationality)) continue;
    match.names.push_back(span_of(sentence, first, at + 1, Label::kNorp));
    first = at + 1;
  }
}

// "William II of Württemberg", "Duke of Grafton", "Florida Panthers of the National Hockey League": beside the whole,
// what stands behind "of" is a name, and what stands before it when it has two words. Not so where the head is the kind
// of thing itself: "Bank of England", "Battle of Hastings".
void add_parts(const SentenceTokens& sentence, const Span& span, const std::optional<Span>& previous,
               NameMatch& match) {
  std::size_t of = span.first + 1;
  while (of < span.last && !sentence.is(of, "of")) ++of;
  constexpr std::uint32_t kKind = kOrgWord | kFacWord | kEventWord | kAwardWord | kGpeWord | kLocWord;
  if (of >= span.last || (sentence.has(of - 1, kKind) && !sentence.has(of - 1, kHonorific)) ||
      sentence.tokens[span.first].kind == TokenKind::kMixed)
    return;
  std::size_t head = span.first + 1;
  while (head < of && !sentence.is(head, ",")) ++head;
  std::size_t tail = of + 1;
  while (tail < span.last && !sentence.capital(tail)) ++tail;
  if (head - span.first >= 2) {
    Span part = span_of(sentence, span.first, head, Label::kEntity);
    part.label = name_label(sentence, part, previous);
    match.names.push_back(part);
  }
  if (tail == span.last || is_plain_word(sentence, tail)) return;
  Span part = span_of(sentence, tail, span.last, Label::kEntity);
  part.end = std::min(part.end, span.end);
  part.label = name_label(sentence, part, previous);
  if (part.label == Label::kPerson) part.label = Label::kEntity;  // what is told of a person is told of the whole
  match.names.push_back(part);
}

// "Emperor John II Komnenos" is also "John II Komnenos"; "Antiochus I" would be taken for a splitting error.
void add_short_form(const SentenceTokens& sentence, const Span& span, NameMatch& match) {
  const std::size_t words = span.last - span.first;
  if (words == 2 && (sentence.is(span.last - 1, "I") || sentence.is(span.last - 1, "V"))) {
    match.names.push_back(span_of(sentence, span.first, span.first + 1, span.label));
  }
  const bool saint = sentence.is(span.first, "St.") || sentence.is(span.first, "Saint");
  if (words < 3 || span.label != Label::kPerson || saint || !sentence.has(span.first, kRegalTitle)) return;
  match.names.push_back(span_of(sentence, span.first + 1, span.last, Label::kPerson));
  match.names.back().end = span.end;
}

// One name, or two where an office stands between: "NHL Commissioner Gary Bettman".
void add_name(const SentenceTokens& sentence, Span span, bool person, const std::optional<Span>& previous,
              NameMatch& match) {
  if (is_people(sentence, span.first, span.last)) return add_peoples(sentence, span, match);
  span = span_of(sentence, span.first, span.last, Label::kEntity);
  drop_final_stop(sentence, span);
  span.label = person ? Label::kPerson : name_label(sentence, span, previous);
  match.names.push_back(span);
  add_parts(sentence, span, previous, match);
  add_short_form(sentence, span, match);
}

// "Crown Prince", "Grand Duke", "1st Earl"
bool is_rank_word(std::string_view word) {
  return word == "Crown" || word == "Grand" || word == "Great" || word == "Hereditary" || word == "Holy" ||
         (word.front() >= '0' && word.front() <= '9');
}

// Where an office title inside the name begins a second name; the end of the span when there is none.
std::size_t office_inside(const SentenceTokens& sentence, const Span& span) {
  if (sentence.has(span.last - 1, kOrgWord | kFacWord | kAwardWord | kEventWord)) return span.last;
  for (std::size_t at = span.first + 1; at + 1 < span.last; ++at) {
    if (sentence.has(at, kOfficeTitle) && sentence.capital(at) && sentence.capital(at + 1)) return at;
    const bool realm = sentence.has(at, kRegalTitle) && !sentence.has(at, kDottedWord) && sentence.capital(at + 1);
    if (realm && sentence.capital(at) && !is_rank_word(sentence.word(at - 1))) return at;
  }
  return span.last;
}

}  // namespace

void match_name(const SentenceTokens& sentence, std::size_t at, const std::optional<Span>& previous, NameMatch& match) {
  match.names.clear();
  match.next = title_end(sentence, at);
  if (match.next > at) return add_name(sentence, {at, match.next, 0, 0, Label::kEntity}, false, previous, match);
  Span rest{at, NameReader(sentence, at).run(), 0, 0, Label::kEntity};
  match.next = rest.last;
  while (rest.first < rest.last) {
    Span span = rest;
    span.last = office_inside(sentence, rest);
    rest.first = span.last;
    const bool person = trim_front(sentence, span);
    trim_back(sentence, span);
    if (span.first >= span.last || (span.last - span.first == 1 && is_plain_word(sentence, span.first))) continue;
    add_name(sentence, span, person, previous, match);
  }
}

}  // namespace harnessg
