// Paragraphs made ready for the graph: sentences as byte ranges, mentions with their identity keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "builder/recogniser.h"
#include "data/corpus.h"
#include "data/label.h"
#include "data/result.h"

namespace harnessg {

// Byte ranges [begin, end) in a paragraph's folded text.
using SentenceRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct KeyedMention {
  std::uint32_t sentence = 0;  // position in the paragraph
  Label label = Label::kEntity;
  std::string surface;
  std::string key;  // identity_key(surface), never empty
};

struct Paragraph {
  std::string id;
  std::string title;
  std::string title_key;  // identity_key(title); "" where there is no title: it names no entity
  std::string text;
  std::string metadata;
  SentenceRanges sentences;            // at least one
  std::vector<KeyedMention> mentions;  // of the body, in order of registration; no junk
};

// Where the record's sentences lie in its text: the given ones where it has some, else those of split_sentences.
// kBadInput with file:line when given sentences and text differ in more than white space.
Result<SentenceRanges> locate_sentences(const CorpusRecord& record);

std::vector<std::string_view> sentence_views(std::string_view text, const SentenceRanges& sentences);

// Drops junk mentions and computes identity keys. Pure and thread-safe. `mentions` has one list a sentence.
Paragraph make_paragraph(CorpusRecord record, SentenceRanges sentences, const ParagraphMentions& mentions);

}  // namespace harnessg
