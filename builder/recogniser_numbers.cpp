#include "builder/recogniser_parts.h"
#include "builder/recogniser_words.h"

namespace harnessg {
namespace {

constexpr int kFirstYear = 1000;
constexpr int kLastYear = 2099;

// The value of at most four digits, -1 for anything else.
int small_number(std::string_view word) {
  if (word.empty() || word.size() > 4) return -1;
  int value = 0;
  for (char digit : word) {
    if (digit < '0' || digit > '9') return -1;
    value = value * 10 + (digit - '0');
  }
  return value;
}

bool ends_with_ordinal(std::string_view word) {
  return word.ends_with("st") || word.ends_with("nd") || word.ends_with("rd") || word.ends_with("th");
}

class NumberMatcher {
 public:
  NumberMatcher(const SentenceTokens& sentence, std::size_t first) : sentence_(sentence), first_(first) {}

  std::optional<Span> run() const {
    const Token& token = sentence_.tokens[first_];
    switch (token.kind) {
      case TokenKind::kNumber:
        return number();
      case TokenKind::kMixed:
        return mixed();
      case TokenKind::kMark:
        return is_currency_sign(first_) ? money() : std::nullopt;
      case TokenKind::kWord:
        break;
      case TokenKind::kCaseless:
        return std::nullopt;
    }
    if (token.capital) return sentence_.has(first_, kMonthWord) ? month() : std::nullopt;
    if (sentence_.has(first_, kOrdinalWord) && !sentence_.has(first_, kPeriodWord)) return ordinal(first_ + 1);
    if (sentence_.has(first_, kNumberWord)) return amount();
    return std::nullopt;
  }

 private:
  std::optional<Span> made(std::size_t last, Label label) const { return span_of(sentence_, first_, last, label); }

  bool is_currency_sign(std::size_t at) const {
    return sentence_.is(at, "$") || sentence_.is(at, "€") || sentence_.is(at, "£") || sentence_.is(at, "¥") ||
           sentence_.is(at, "₹");
  }

  bool is_number(std::size_t at) const {
    return at < sentence_.tokens.size() && sentence_.tokens[at].kind == TokenKind::kNumber;
  }
  bool is_year(std::size_t at) const {
    const int value = is_number(at) ? small_number(sentence_.word(at)) : -1;
    return value >= kFirstYear && value <= kLastYear;
  }
  bool is_day(std::size_t at) const {
    const int value = is_number(at) ? small_number(sentence_.word(at)) : -1;
    return value >= 1 && value <= 31;
  }
  bool is_month(std::size_t at) const { return sentence_.capital(at) && sentence_.has(at, kMonthWord); }
  bool is_dash(std::size_t at) const { return sentence_.is(at, "–") || sentence_.is(at, "-") || sentence_.is(at, "/"); }

  // Behind a day or month: ", 1982" or "1982".
  std::size_t with_year(std::size_t at) const {
    if (is_year(at)) return at + 1;
    if (sentence_.is(at, ",") && is_year(at + 1)) return at + 2;
    return at;
  }

  // "May 11, 1982", "May 1982", "May 11"; a month by itself is nothing.
  std::optional<Span> month() const {
    const std::size_t behind = first_ + 1;
    if (is_day(behind)) return made(with_year(behind + 1), Label::kDate);
    const std::size_t last = with_year(behind);
    return last > behind ? made(last, Label::kDate) : std::nullopt;
  }

  std::optional<Span> number() const {
    if (is_day(first_) && is_month(first_ + 1)) return made(with_year(first_ + 2), Label::kDate);
    if (sentence_.is(first_ + 1, ":") && is_number(first_ + 2) && !sentence_.tokens[first_ + 2].spaced) {
      return made(with_half_of_day(first_ + 3), Label::kTime);
    }
    if (is_year(first_) && is_dash(first_ + 1) && is_number(first_ + 2) && !sentence_.tokens[first_ + 2].spaced) {
      return made(first_ + 3, Label::kDate);
    }
    return amount();
  }

  std::size_t with_half_of_day(std::size_t at) const {
    if (at >= sentence_.tokens.size()) return at;
    const std::string_view word = sentence_.word(at);
    const bool half = word == "am" || word == "pm" || word == "AM" || word == "PM" || word == "A.M." || word == "P.M.";
    if (half) return at + 1;
    const bool dotted = (word == "a" || word == "p") && sentence_.is(at + 1, ".") && sentence_.is(at + 2, "m");
    return dotted ? at + (sentence_.is(at + 3, ".") ? 4 : 3) : at;
  }

  // A number in digits or words with what is counted.
  std::optional<Span> amount() const {
    std::size_t at = first_ + 1;
    while (sentence_.has(at, kNumberWord | kMagnitude) && !sentence_.tokens[at].capital) ++at;
    if (sentence_.is(at, "%") || sentence_.is(at, "percent")) return made(at + 1, Label::kPercent);
    if (sentence_.is(at, "per") && sentence_.is(at + 1, "cent")) return made(at + 2, Label::kPercent);
    if (sentence_.has(at, kCurrencyWord)) return made(at + 1, Label::kMoney);
    const std::size_t unit = at + (sentence_.is(at, "square") || sentence_.is(at, "cubic") ? 1 : 0);
    if (sentence_.has(unit, kUnitWord)) return made(with_square(unit + 1), Label::kQuantity);
    if (const std::size_t last = with_half_of_day(at); last > at) return made(last, Label::kTime);
    if (is_era(at)) return made(at + 1, Label::kDate);
    if (sentence_.has(at, kPeriodWord)) return made(at + 1, Label::kDate);
    if (sentence_.has(at, kClockWord)) return made(at + 1, Label::kTime);
    return made(at, at == first_ + 1 && is_year(first_) ? Label::kDate : Label::kCardinal);
  }

  bool is_era(std::size_t at) const {
    return sentence_.is(at, "BC") || sentence_.is(at, "AD") || sentence_.is(at, "BCE") || sentence_.is(at, "CE");
  }

  std::size_t with_square(std::size_t at) const { return sentence_.is(at, "²") || sentence_.is(at, "³") ? at + 1 : at; }

  std::optional<Span> money() const {
    if (!is_number(first_ + 1) &&
        !(first_ + 1 < sentence_.tokens.size() && sentence_.tokens[first_ + 1].kind == TokenKind::kMixed)) {
      return std::nullopt;
    }
    std::size_t at = first_ + 2;
    while (sentence_.has(at, kMagnitude)) ++at;
    return made(at, Label::kMoney);
  }

  std::optional<Span> ordinal(std::size_t at) const {
    const std::size_t counted = at + (sentence_.is(at, "-") ? 1 : 0);
    if (sentence_.is(counted, "century") || sentence_.is(counted, "centuries")) return made(counted + 1, Label::kDate);
    return made(at, Label::kOrdinal);
  }

  // "1990s", "18th century", "21st", "11th May".
  std::optional<Span> mixed() const {
    const std::string_view word = sentence_.word(first_);
    if (word.size() >= 3 && word.size() <= 5 && word.ends_with("0s")) return made(first_ + 1, Label::kDate);
    if (!ends_with_ordinal(word) || small_number(word.substr(0, word.size() - 2)) < 0) return std::nullopt;
    if (is_month(first_ + 1)) return made(with_year(first_ + 2), Label::kDate);
    if (sentence_.capital(first_ + 1) && sentence_.tokens[first_ + 1].spaced) return std::nullopt;  // "101st Airborne"
    return ordinal(first_ + 1);
  }

  const SentenceTokens& sentence_;
  std::size_t first_;
};

}  // namespace

Span span_of(const SentenceTokens& sentence, std::size_t first, std::size_t last, Label label) {
  return {first, last, sentence.tokens[first].begin, sentence.tokens[last - 1].end, label};
}

std::optional<Span> match_number(const SentenceTokens& sentence, std::size_t at) {
  return NumberMatcher(sentence, at).run();
}

}  // namespace harnessg
