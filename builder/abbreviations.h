// Words that decide whether a full stop ends a sentence.
#pragma once

#include <string_view>

namespace harnessg {

// What a word that ends in a full stop (given without that stop, as written) says about the text behind it.
enum class Abbreviation {
  kNone,
  kJoins,         // never ends a sentence: "e.g.", "vs.", "Mr."
  kBeforeName,    // a name follows: "St.", "Dr."; ends a sentence only before a pronoun such as "He"
  kMayEnd,        // "Inc.", "Jr.", "Ave."; ends a sentence only before a word that commonly opens one
  kBeforeNumber,  // "No.", "Vol.", "ca.", "Sept."; joined to digits, an ordinary word otherwise
};

// The abbreviations of English and the commonest ones of German, French, Spanish, Italian, Portuguese, Russian, Hindi
// and Arabic. Dotted acronyms ("U.S") and initials ("J") are told by their shape, not by this list.
Abbreviation abbreviation_kind(std::string_view word);

// Whether the word commonly opens a sentence and is no part of names: "He", "The", "In", "However", "Он".
bool opens_sentence(std::string_view word);

// Whether the word is a pronoun that opens sentences: "He", "She", "It", "They".
bool is_opening_pronoun(std::string_view word);

// Whether a single letter behind the word is a number of its kind: "War I", "Division M", "vitamin E".
bool takes_letter(std::string_view word);

// Whether the text begins with a Thai word that carries a sentence on behind a space ("and", "which", "of").
bool continues_thai(std::string_view text);

// Whether the word names a month in a language that writes "3. Oktober".
bool is_dotted_day_month(std::string_view word);

}  // namespace harnessg
