#include <algorithm>

#include "builder/recogniser_parts.h"
#include "builder/recogniser_words.h"

namespace harnessg {
namespace {

constexpr std::size_t kLifeDates = 24;   // tokens looked at inside the bracket behind a name
constexpr std::size_t kApposition = 10;  // tokens looked at behind "is a"

constexpr std::string_view kPlaces[] = {"United States",
                                        "United Kingdom",
                                        "Soviet Union",
                                        "New York",
                                        "New York City",
                                        "New Zealand",
                                        "South Africa",
                                        "South Korea",
                                        "North Korea",
                                        "New Jersey",
                                        "New Mexico",
                                        "New Hampshire",
                                        "North Carolina",
                                        "South Carolina",
                                        "North Dakota",
                                        "South Dakota",
                                        "Rhode Island",
                                        "West Virginia",
                                        "Los Angeles",
                                        "San Francisco",
                                        "Hong Kong",
                                        "Sri Lanka",
                                        "Costa Rica",
                                        "Puerto Rico",
                                        "Saudi Arabia",
                                        "El Salvador",
                                        "Sierra Leone",
                                        "Ivory Coast",
                                        "Burkina Faso",
                                        "Papua New Guinea",
                                        "East Germany",
                                        "West Germany",
                                        "Great Britain",
                                        "Northern Ireland",
                                        "Czech Republic",
                                        "Dominican Republic",
                                        "U.S.",
                                        "U.S.A.",
                                        "USA",
                                        "US",
                                        "UK",
                                        "U.K.",
                                        "British Columbia",
                                        "Nova Scotia",
                                        "New South Wales",
                                        "Las Vegas",
                                        "Washington, D.C.",
                                        "D.C."};

class Labeller {
 public:
  Labeller(const SentenceTokens& sentence, const Span& span, const std::optional<Span>& previous)
      : sentence_(sentence), span_(span), previous_(previous) {}

  Label run() const {
    if (const Label label = by_words(); label != Label::kEntity) return label;
    if (by_place()) return Label::kGpe;
    return by_person() ? Label::kPerson : Label::kEntity;
  }

 private:
  std::size_t words() const { return span_.last - span_.first; }

  std::string_view surface() const { return sentence_.text.substr(span_.begin, span_.end - span_.begin); }

  // The kind that the words of the name tell: its head is the word before "of", or the last one.
  Label by_words() const {
    if (std::find(std::begin(kPlaces), std::end(kPlaces), surface()) != std::end(kPlaces)) return Label::kGpe;
    if (words() == 1) return by_single_word();
    std::size_t head = span_.last - 1;
    for (std::size_t at = span_.first + 1; at < span_.last; ++at) {
      if (sentence_.is(at, "of")) {
        head = at - 1;
        break;
      }
    }
    if (sentence_.is(head, "Act") || sentence_.is(head, "Treaty") || sentence_.is(head, "Constitution"))
      return Label::kLaw;
    if (sentence_.has(span_.first, kRegalTitle) && head == span_.last - 1) return by_regal_title();
    if (sentence_.has(head, kOrgWord)) return Label::kOrg;
    if (sentence_.has(head, kFacWord)) return Label::kFac;
    if (sentence_.has(head, kEventWord)) return Label::kEvent;
    if (sentence_.has(span_.first, kEventWord) && sentence_.is(span_.first + 1, "of")) return Label::kEvent;
    if (sentence_.has(head, kGpeWord)) return Label::kGpe;
    if (sentence_.has(head, kLocWord) || sentence_.has(span_.first, kLocWord)) return Label::kLoc;
    return Label::kEntity;
  }

  Label by_single_word() const {
    if (sentence_.has(span_.first, kPlaceName)) return Label::kGpe;
    if (sentence_.has(span_.first, kContinent)) return Label::kLoc;
    const bool kind_follows = is_adjacent_lower(span_.last);
    if (kind_follows && sentence_.has(span_.last, kGpeWord)) return Label::kGpe;
    if (kind_follows && sentence_.has(span_.last, kLocWord)) return Label::kLoc;
    return Label::kEntity;
  }

  // "St." and "Saint" begin places as often as persons.
  Label by_regal_title() const {
    const bool saint = sentence_.is(span_.first, "St.") || sentence_.is(span_.first, "Saint");
    if (sentence_.has(span_.last - 1, kOrgWord)) return Label::kOrg;
    if (sentence_.has(span_.last - 1, kFacWord)) return Label::kFac;
    if (sentence_.has(span_.last - 1, kGpeWord)) return Label::kGpe;
    return saint ? Label::kEntity : Label::kPerson;
  }

  bool is_adjacent_lower(std::size_t at) const {
    return at < sentence_.tokens.size() && sentence_.tokens[at].kind == TokenKind::kWord &&
           !sentence_.tokens[at].capital && sentence_.tokens[at].spaced;
  }

  // "born in Lund", "a village in Siyahu", "Windsor, Ontario".
  bool by_place() const {
    if (sentence_.is(span_.last, ",") &&
        (sentence_.has(span_.last + 1, kPlaceName) && sentence_.capital(span_.last + 1))) {
      return true;
    }
    if (span_.first < 2) return false;
    const std::size_t before = span_.first - 1;
    if (!sentence_.is(before, "in") && !sentence_.is(before, "near")) return false;
    const std::size_t told = before - 1;
    return sentence_.is(told, "born") || sentence_.is(told, "died") || sentence_.is(told, "based") ||
           sentence_.is(told, "located") || sentence_.is(told, "situated") ||
           (sentence_.has(told, kGpeWord) && !sentence_.capital(told));
  }

  bool by_person() const {
    if (words() > 6) return false;
    if (born_behind()) return true;
    if (has_small_word_or_mark()) return false;
    if (has_inner_initial()) return true;
    if (words() >= 2 && (role_before() || list_of_persons())) return true;
    return span_.first == 0 && sentence_.opens_paragraph && words() >= 2 && role_behind();
  }

  bool has_small_word_or_mark() const {
    for (std::size_t at = span_.first; at < span_.last; ++at) {
      if (sentence_.is(at, "of") || sentence_.is(at, "the") || sentence_.is(at, "&") ||
          sentence_.tokens[at].kind == TokenKind::kNumber) {
        return true;
      }
    }
    return false;
  }

  // "Edward G. Robinson", "J. R. R. Tolkien"
  bool has_inner_initial() const {
    if (words() < 2) return false;
    for (std::size_t at = span_.first; at + 1 < span_.last; ++at) {
      const std::string_view word = sentence_.word(at);
      if (word.size() == 2 && word[1] == '.') return true;
    }
    return false;
  }

  // "X (born 1946)", "X, born ...", "X (20 September 1879 – 3 January 1960)", "X was born"
  bool born_behind() const {
    const std::size_t at = span_.last;
    if (sentence_.is(at, "was") || sentence_.is(at, "is")) return sentence_.is(at + 1, "born");
    if (sentence_.is(at, ",")) return sentence_.is(at + 1, "born");
    if (!sentence_.is(at, "(")) return false;
    const std::size_t end = std::min(at + kLifeDates, sentence_.tokens.size());
    bool month = false;
    for (std::size_t inside = at + 1; inside < end && !sentence_.is(inside, ")"); ++inside) {
      if (sentence_.is(inside, "born") || sentence_.is(inside, "née")) return true;
      if (month && sentence_.is(inside, "–")) return words() >= 2 || span_.first == 0;
      month = month || (sentence_.has(inside, kMonthWord) && sentence_.capital(inside));
    }
    return false;
  }

  // "the director Jan Sardi", "directed by Sam Newfield", "starring Evelyn Ankers"
  bool role_before() const {
    if (span_.first == 0 || !sentence_.tokens[span_.first].spaced) return false;
    const std::size_t before = span_.first - 1;
    if (sentence_.has(before, kRoleWord) && !sentence_.capital(before)) return true;
    if (sentence_.is(before, "starring") || sentence_.is(before, "stars")) return true;
    return span_.first >= 2 && sentence_.is(before, "by") && sentence_.has(before - 1, kMakerVerb);
  }

  // Behind a person, "," and "and" go on with persons.
  bool list_of_persons() const {
    if (!previous_ || previous_->label != Label::kPerson || words() > 3) return false;
    std::size_t at = previous_->last;
    if (sentence_.is(at, ",")) ++at;
    if (sentence_.is(at, "and")) ++at;
    return at == span_.first && at > previous_->last;
  }

  // "X (...) was an American drummer", at the paragraph's head.
  bool role_behind() const {
    std::size_t at = span_.last;
    if (sentence_.is(at, "(")) {
      const std::size_t end = std::min(at + kLifeDates, sentence_.tokens.size());
      while (at < end && !sentence_.is(at, ")")) ++at;
      ++at;
    }
    if (!sentence_.is(at, "is") && !sentence_.is(at, "was")) return false;
    if (!sentence_.is(at + 1, "a") && !sentence_.is(at + 1, "an") && !sentence_.is(at + 1, "the")) return false;
    const std::size_t end = std::min(at + kApposition, sentence_.tokens.size());
    for (std::size_t told = at + 2; told < end; ++told) {
      if (sentence_.is(told, "by") || sentence_.is(told, "about") || sentence_.is(told, "film")) return false;
      if (sentence_.has(told, kRoleWord) && !sentence_.capital(told)) return true;
    }
    return false;
  }

  const SentenceTokens& sentence_;
  const Span& span_;
  const std::optional<Span>& previous_;
};

}  // namespace

Label name_label(const SentenceTokens& sentence, const Span& span, const std::optional<Span>& previous) {
  return Labeller(sentence, span, previous).run();
}

}  // namespace harnessg
