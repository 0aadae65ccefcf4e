// From paragraphs with their mentions to the tables of the graph.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "builder/paragraph.h"
#include "data/graph.h"
#include "data/tables.h"

namespace harnessg {

// Numbers entities by first registration: all body mentions in the order of add(), then all titles in paragraph order
// (spec 1, section 11.1). Mentions with one identity key are one entity; its label is the preferred one of those seen,
// a title counting as ENTITY; its surface forms stand in order of first appearance. A title is a mention on its
// paragraph's first sentence; no title is junk. With the title gazetteer titles are also mentions wherever sentences
// name them: entered last, so that they change no number and no first surface form; in a sentence's row they stand
// behind what was found in its body before, by position, and before its paragraph's title. One thread at a time.
class GraphBuilder {
 public:
  // `title_gazetteer`: titles become mentions wherever they occur (builder/title_gazetteer.h).
  explicit GraphBuilder(bool title_gazetteer = false) : title_gazetteer_(title_gazetteer) {}

  void add(Paragraph paragraph);

  // Later found ids of paragraphs that are equal to paragraph `p`: they go into its metadata as "duplicate_ids". A list
  // of that name in the record's own metadata is continued, another value becomes the list's first.
  void add_duplicate(std::uint32_t p, std::string id);

  std::uint32_t paragraph_count() const { return static_cast<std::uint32_t>(tables_.titles.size()); }
  std::uint32_t sentence_count() const { return static_cast<std::uint32_t>(tables_.text_begins.size()); }

  // Registers the titles and returns all tables but the synonyms, of which every row is empty. Runs on oneTBB's threads
  // of the caller's arena; the result does not depend on their number. The builder is spent afterwards.
  GraphTables finish();

 private:
  struct Occurrence {
    std::uint32_t entity = 0;
    std::uint32_t surface = 0;
  };
  struct Form {
    std::string text;
    std::uint32_t next = 0;  // of the same entity, kNone at the end
  };
  struct EntityState {
    Label label = Label::kEntity;
    std::uint32_t first_form = 0;
    std::uint32_t last_form = 0;
    std::uint32_t forms = 0;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  Occurrence enter(std::string key, Label label, std::string surface);
  std::uint32_t form_of(EntityState& entity, std::string surface);
  void add_titles();
  void add_title_mentions();
  void fill_sentence_entities();
  void fill_paragraph_entities();
  void fill_entity_sentences();
  void fill_entity_names();
  void fill_metadata();

  const bool title_gazetteer_;
  GraphTables tables_;
  std::deque<std::string> keys_;  // by entity; the map's keys are views of them
  std::unordered_map<std::string_view, std::uint32_t> entities_;
  std::vector<EntityState> states_;
  std::deque<Form> forms_;
  std::vector<Occurrence> occurrences_;         // distinct (sentence, entity, surface) of the body, by sentence
  std::vector<std::uint64_t> occurrence_ends_;  // one past the sentence's last
  std::vector<std::string> title_keys_;         // by paragraph
  std::vector<Occurrence> title_occurrences_;   // by paragraph; entity kNone where the title names none
  std::vector<std::string> metadata_;           // by paragraph
  std::vector<std::pair<std::uint32_t, std::string>> duplicates_;
};

}  // namespace harnessg
