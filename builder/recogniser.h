// Role: finds entity mentions in sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/label.h"

namespace harnessg {

// A surface form in a sentence. Positions are UTF-8 byte offsets in the sentence.
struct Mention {
  std::string surface;
  Label label = Label::kEntity;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Mention&, const Mention&) = default;
};

// Mentions of one paragraph: one list a sentence, in order of position. The same (surface, label) is listed once a
// sentence. Without junk (is_junk_entity), without the title (the builder adds titles itself).
using ParagraphMentions = std::vector<std::vector<Mention>>;

// The built-in rules: capitalised spans by Unicode properties, joined over particles ("of", "de la", "van der") and
// initials; numbers, dates, percentages and money typed by their cues; PERSON, ORG, GPE ... only where a cue says so,
// ENTITY otherwise. No model, no corpus statistics: a paragraph's mentions depend on that paragraph alone. Thread-safe.
ParagraphMentions recognise_by_rules(std::string_view title, std::span<const std::string_view> sentences);

}  // namespace harnessg
