// What a question names: titles of paragraphs and known entities (spec 1, section 12, lever 1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/graph.h"
#include "menu/menu.h"

namespace harnessg {

// One name in a question: the paragraphs whose title it is, a bracketed qualifier left out, and the entities it names:
// those paragraphs' title entities first, then the entity of that very name. No repeats.
struct NamedInQuestion {
  std::vector<ParagraphId> paragraphs;  // ascending
  std::vector<EntityId> entities;
};

// Names of a graph's titles and entities. Refers to the graph; const and thread-safe once made.
class NameTable {
 public:
  explicit NameTable(const Graph& graph);

  // Names are runs of whole alphanumeric tokens, compared case-folded; the longest first, none overlapping; in the
  // question's order. A name of one token must be written with a capital and not open the question; one of several
  // needs a capital somewhere but in the question's first word, unless the question has none at all.
  std::vector<NamedInQuestion> find(std::string_view question) const;

  // The paragraphs that an entity is the title of, a bracketed qualifier left out, ascending.
  std::span<const ParagraphId> titled(EntityId entity) const { return titled_[index(entity)]; }

  std::size_t memory_bytes() const;

 private:
  struct Named {
    std::uint32_t first = 0;  // of titles_: paragraphs of this name
    std::uint32_t count = 0;
    EntityId entity = kNoEntity;
  };

  const Graph& graph_;
  std::unordered_map<std::string, Named> names_;  // by identity key
  std::vector<ParagraphId> titles_;
  Rows<ParagraphId> titled_;  // a row an entity
  std::size_t longest_ = 0;   // tokens of a name
};

// The title without a bracketed qualifier behind it: "Jaws" of "Jaws (film)"; the title where nothing else is left.
std::string_view without_qualifier(std::string_view title);

// The sentences that lead the first view: of each name the best sentence of each of its config.linked_paragraphs best
// paragraphs, config.linked_sentences in all, in the order of the names.
View linked_view(const World& world, const Query& question, std::span<const NamedInQuestion> names);

}  // namespace harnessg
