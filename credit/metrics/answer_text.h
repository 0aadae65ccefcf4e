// Answers as the official evaluation scripts compare them (docs/metrics.md). All functions take and return UTF-8, are
// pure and thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harnessg::metrics {

// Whose normalisation: they differ in what is punctuation and what is a word.
enum class AnswerRules : unsigned char {
  kSquad,     // SQuAD, HotpotQA, 2Wiki, MuSiQue: ASCII punctuation is deleted ("x-y" is "xy")
  kTriviaQa,  // ASCII punctuation and four quotation marks become blanks ("x-y" is "x y")
  kDpr,       // as kSquad, but combining marks are of a word and superscripts are not ("a²" loses its article)
};

// Full Unicode lower-casing without locale: "İ" becomes two code points, a sigma that ends a word a final one.
std::string lower_case(std::string_view text);

// Lower case, no punctuation, no articles (a, an, the as whole words), words joined by one blank; in this order.
std::string normalise_answer(std::string_view text, AnswerRules rules = AnswerRules::kSquad);

// Of evidence triples and their aliases (2Wiki): as normalise_answer, but articles stay.
std::string normalise_triple_part(std::string_view text);

// The words of a normalised text, as views into it.
std::vector<std::string_view> answer_words(std::string_view normalised);

}  // namespace harnessg::metrics
