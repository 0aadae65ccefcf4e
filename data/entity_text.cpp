#include "data/entity_text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <string>

#include "data/entity_text_lists.h"
#include "data/text.h"

namespace harnessg {
namespace {

static_assert(std::is_sorted(kNationalityAdjectives.begin(), kNationalityAdjectives.end()));

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What the surface is made of, seen in one pass.
struct Characters {
  std::size_t count = 0;
  bool all_digits = true;  // decimal digits of any script, superscripts and the like
  bool any_word = false;   // a letter or a number
  bool double_quote = false;
};

Characters look_at(std::string_view text) {
  Characters seen;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    UChar32 c = 0;
    U8_NEXT(bytes, at, text.size(), c);
    const auto numeric = u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE);
    ++seen.count;
    seen.all_digits = seen.all_digits && (numeric == U_NT_DECIMAL || numeric == U_NT_DIGIT);
    seen.any_word = seen.any_word || (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
    seen.double_quote = seen.double_quote || c == '"';
  }
  return seen;
}

// "Leslie H": two words, of which the second is one letter that lost its full stop. ASCII letters only, as the recorded
// rows have it ("Vitamin É" is kept).
bool is_cut_name(std::string_view folded) {
  const std::size_t space = folded.find(' ');
  return space != std::string_view::npos && space + 2 == folded.size() && is_ascii_letter(folded.back());
}

bool is_value_or_group(Label label) {
  switch (label) {
    case Label::kDate:
    case Label::kTime:
    case Label::kCardinal:
    case Label::kOrdinal:
    case Label::kQuantity:
    case Label::kPercent:
    case Label::kMoney:
    case Label::kNorp:
      return true;
    default:
      return false;
  }
}

bool is_junk(std::string_view folded) {
  if (folded.empty()) return false;
  const Characters seen = look_at(folded);
  return seen.count == 1 || seen.all_digits || !seen.any_word || seen.double_quote || is_cut_name(folded);
}

}  // namespace

bool is_junk_entity(std::string_view surface, Label) { return is_junk(fold_space(surface)); }

bool is_lookup_target(std::string_view first_surface, Label label) {
  if (is_value_or_group(label)) return false;
  const std::string folded = fold_space(first_surface);
  return !is_junk(folded) &&
         !std::binary_search(kNationalityAdjectives.begin(), kNationalityAdjectives.end(), fold_case(folded));
}

}  // namespace harnessg
