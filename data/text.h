// Unicode text rules (ICU), one set for the whole engine. Every function takes and returns UTF-8; input must be valid
// (find_invalid_utf8 is the gate where text enters). All are pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg {

// Recorded in the manifest: the rules' own number and the ICU and Unicode versions they ran with, such as
// "1 (ICU 72.1, Unicode 15.0)". Indexes made with other rules are still readable; texts in them were folded by theirs.
std::string text_rules_version();

// Byte offset of the first byte that is no valid UTF-8, if any.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// Runs of Unicode White_Space become one space; none at either end.
std::string fold_space(std::string_view text);

// NFKC_Casefold.
std::string fold_case(std::string_view text);

// Entity's canonical form (spec 1, section 2): white space folded, surrounding punctuation and quotation marks
// stripped, case folded (a sigma that ends a word stays a final one). A surface of such marks alone stays as it is. Of
// ASCII only sentence marks, brackets and quotation marks are stripped: "C#" and "100%" keep theirs.
std::string canonical_form(std::string_view surface);

// Maximal runs of letters, marks and digits of the case-folded text, in order. The combining dot that folding makes of
// "İ" ends a run, as in the recorded keys.
std::vector<std::string> alphanumeric_tokens(std::string_view text);

// Entity's identity: its alphanumeric tokens joined by one space; its canonical form where it has none, so that titles
// such as "÷" and "×" stay apart; "" for a blank surface only.
std::string identity_key(std::string_view surface);

// Terms for lexical scoring (spec 1, section 10): ICU words, NFKC case-folded, cut at whatever is no letter, mark or
// digit ("director's" is "director" and "s": possessives are common in questions, and as one word they miss), in order,
// with repeats. No stop words, no stemming.
std::vector<std::string> lexical_terms(std::string_view text);

// White-space separated words (Unicode White_Space), as views into `text`; the first `most` of them.
std::vector<std::string_view> split_words(std::string_view text, std::size_t most = std::string_view::npos);

// Without white space at either end.
std::string_view trim_space(std::string_view text);

}  // namespace harnessg
