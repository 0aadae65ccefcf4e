// Titles as entities wherever they are named: occurrences of paragraphs' titles in the sentences of others.
#pragma once

#include <cstdint>
#include <vector>

#include "data/graph.h"

namespace harnessg {

struct TitleOccurrence {
  std::uint32_t sentence = 0;
  std::uint32_t begin = 0;  // UTF-8 byte offsets in the sentence
  std::uint32_t end = 0;
  std::uint32_t paragraph = 0;  // the first one of the title that is meant

  friend bool operator==(const TitleOccurrence&, const TitleOccurrence&) = default;
};

// Where the sentences name titles, by sentence, position and paragraph. Reads titles, texts, title_entities and the
// ranges of sentences. A title is looked for by its name, that is without a bracketed qualifier, as a sequence of whole
// words after case folding; from left to right the longest name counts, and what is inside it does not.
//
// Writing. A word must have a capital where the title's has one, and be all capitals where the title's is. A comma, a
// bracket or another such mark may stand between two words only where the title has one. Next to a hyphen a name ends
// only where the other side is small ("London-based"), next to an apostrophe only before "'s".
//
// Names of one word must be written exactly as the title, and must not stand in a row of capitalised words ("Paris
// Hilton") unless an office or a role goes before ("King Oswiu"). They need two letters, a capital (in scripts that
// have them), and may be no month, weekday, nationality or function word, nor a common word of this corpus: one that is
// written small more often than a quarter of the times it has a capital inside a clause; of scripts without case, one
// that makes up more than one in a hundred sentences.
//
// Titles with a qualifier ("Creed (band)") are supported where all words of the qualifier that have three letters occur
// in the paragraph (by their first five). Of namesakes the supported ones are meant, and the one without a qualifier.
// Where none is supported, all are meant, provided that the name has two words that are no function words and is no
// part of a row of capitalised words. A supported one may be a common word, save at a sentence's head. Where the
// paragraph's own title has the name, only supported namesakes are meant; the own title never is. Four titles are the
// most that one occurrence names: the first in order, of the first 64 of that name.
//
// Runs on oneTBB's threads of the caller's arena; the result does not depend on their number. Linear in the texts.
std::vector<TitleOccurrence> find_titles(const GraphTables& tables);

}  // namespace harnessg
