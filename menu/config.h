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

// Defaults are those of profile `released`; numbers in brackets point to spec 1.
struct Config {
  std::string profile = "released";
  // How text is scored. Absent: dense where the index has vectors, lexical where it was built with embedder "none".
  std::optional<Scoring> scoring;
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

  // SNC frontier (spec 2, section 2)
  std::uint32_t frontier_alternatives = 4;
};

// The named configuration. kInvalidArgument names the profiles there are.
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

}  // namespace harnessg
