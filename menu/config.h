// Everything that can be set about the rules of an episode, and the named, complete settings ("profiles").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/relevance.h"
#include "data/result.h"

namespace harnessg {

// Defaults are those of profile `released`; numbers in brackets point to spec 1. docs/profiles.md has what profile
// `default` sets otherwise, and what each setting gains.
struct Config {
  std::string profile = "released";
  // How text is scored. Absent: lexical where the index was built with embedder "none", else dense, or hybrid where
  // prefer_hybrid is 1.
  std::optional<Scoring> scoring;
  std::uint32_t prefer_hybrid = 0;
  HybridWeights hybrid;

  // First view [3]
  std::uint32_t paragraphs_ranked = 20;
  std::uint32_t paragraphs_used = 5;
  std::uint32_t list_length = 8;
  std::uint32_t first_view_entities = 8;
  double entity_weight = 0.25;
  std::uint32_t fusion_constant = 60;
  std::uint32_t visible_sentences = 6;

  // Lookup [3]
  std::uint32_t query_words = 64;
  std::uint32_t mention_sentences = 80;
  std::uint32_t synonyms = 5;
  std::uint32_t synonym_sentences = 40;
  double mention_bonus = 0.10;

  // Bridge candidates [3]
  std::uint32_t bridge_rows = 5;
  std::uint32_t nearest_entities = 20;

  // Menu and episode [4]
  std::uint32_t lookups_after_select = 8;
  std::uint32_t lookups_otherwise = 4;
  std::uint32_t turn_budget = 6;
  // 0: "Europe" is no lookup target. The release's list of nationality adjectives holds it, and its episodes were
  // played that way.
  std::uint32_t lookup_europe = 0;

  // Levers of profile `default` [12]; 0 switches one off.
  // Titles and entities named in the question are linked: the best sentences of those titles' paragraphs, so many in
  // all and of so many paragraphs a title, lead the first view, and the linked entities are offered as lookups.
  std::uint32_t linked_sentences = 0;
  std::uint32_t linked_paragraphs = 2;
  // 1: the entities of all visible sentences are offered as lookups directly after a Select, too.
  std::uint32_t lookups_of_visible = 0;
  // 1: and those of sentences seen before.
  std::uint32_t lookups_of_seen = 0;
  // 1: a lookup of a title's entity offers all sentences of the title's paragraph, with the mention bonus.
  std::uint32_t title_candidates = 0;
  // 1: mentions are ranked before they are cut at mention_sentences and synonym_sentences.
  std::uint32_t rank_mentions = 0;
  // 1: lookups that would show nothing unseen leave the menu; first those that bring an unseen paragraph of their
  // title, then by the best score among the new sentences.
  std::uint32_t order_by_novelty = 0;
  // 1: among those, first the ones brought up by a sentence on a page that the question names or that was looked up.
  std::uint32_t follow_pages = 0;
  // At most so many sentences of one paragraph in a lookup's view as long as others wait; 0: no limit.
  std::uint32_t sentences_a_paragraph = 0;
  // The same for a paragraph whose title is looked up, where that limit is not 0.
  std::uint32_t sentences_of_title = 3;
  // 1: a lookup's query is composed without an encoder [10]: the question's vector and, with selected_weight, the
  // stored vectors of the selected sentences, normalised; and the terms of mixed_query() where selected_terms is 1,
  // else the question's. 0: the text of mixed_query() is encoded.
  std::uint32_t compose_query = 0;
  double selected_weight = 0;
  std::uint32_t selected_terms = 1;

  // SNC frontier (spec 2, section 2)
  std::uint32_t frontier_alternatives = 4;
};

// The named configuration: "default" or "released". kInvalidArgument names the profiles there are.
Result<Config> profile(std::string_view name);
std::vector<std::string> profile_names();

// Sets one field from text: set_field(config, "turn_budget", "8"). kInvalidArgument for an unknown name (with the known
// ones) or a value that is no number of the right kind.
Status set_field(Config& config, std::string_view name, std::string_view value);

// Field names and values in declaration order, for manifests, traces and reports.
std::vector<std::pair<std::string, std::string>> fields(const Config& config);

// kInvalidArgument with the first setting that makes no sense (nothing visible, a budget without room to answer, ...).
Status validate(const Config& config);

// The most actions a menu can hold: Select and AnswerWith for each visible sentence, lookups, Answer (21 by default).
std::uint32_t menu_bound(const Config& config);

// Whether the rules ask for a NameTable (question_links.h).
bool uses_names(const Config& config);

}  // namespace harnessg
