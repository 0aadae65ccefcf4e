// An answer's text for policies that only search: a stand-in for a reader, by rules.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/index.h"

namespace harnessg::bench {

inline constexpr std::string_view kReaderName = "rule-reader";

// The entity that the evidence speaks of most: sentences count by their BM25 against the question, selected ones twice;
// an entity of the type that the question's first words ask for ("who", "where", "when", "how many") three times; none
// that the question names itself. "yes" to a question that begins with a verb such as "is" or "did". "" where there is
// nothing to name. No model: what it scores compares policies under one reader, and says nothing of what a model would
// answer from the same evidence. A pure function.
std::string read_answer(const Index& index, std::string_view question, std::span<const SentenceId> selected,
                        std::span<const SentenceId> seen);

}  // namespace harnessg::bench
