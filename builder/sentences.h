// Splitting paragraphs into sentences.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace harnessg {

// Byte ranges [begin, end) of the sentences of a white-space-folded text, in order; together they hold every character
// that is no white space. ICU sentence boundaries, mended by rules for initials, abbreviations and dotted acronyms
// (spec 1, section 2); Chinese, Japanese, Korean, Thai, Arabic and Indic text by their own punctuation; Thai and
// Lao, which have none, at a space behind a long clause. Thread-safe. Time is linear in the length of the text. Ends
// the program with a message when ICU is installed without its sentence rules.
std::vector<std::pair<std::uint32_t, std::uint32_t>> split_sentences(std::string_view text);

}  // namespace harnessg
