#include "menu/config.h"

#include <charconv>
#include <cmath>
#include <variant>

#include "data/relevance.h"

namespace harnessg {
namespace {

using Member = std::variant<std::uint32_t Config::*, double Config::*>;

struct Field {
  std::string_view name;
  Member member;
};

constexpr Field kFields[] = {
    {"paragraphs_ranked", &Config::paragraphs_ranked},
    {"paragraphs_used", &Config::paragraphs_used},
    {"list_length", &Config::list_length},
    {"first_view_entities", &Config::first_view_entities},
    {"entity_weight", &Config::entity_weight},
    {"fusion_constant", &Config::fusion_constant},
    {"visible_sentences", &Config::visible_sentences},
    {"query_words", &Config::query_words},
    {"mention_sentences", &Config::mention_sentences},
    {"synonyms", &Config::synonyms},
    {"synonym_sentences", &Config::synonym_sentences},
    {"mention_bonus", &Config::mention_bonus},
    {"bridge_rows", &Config::bridge_rows},
    {"nearest_entities", &Config::nearest_entities},
    {"lookups_after_select", &Config::lookups_after_select},
    {"lookups_otherwise", &Config::lookups_otherwise},
    {"turn_budget", &Config::turn_budget},
    {"lookup_europe", &Config::lookup_europe},
    {"prefer_hybrid", &Config::prefer_hybrid},
    {"linked_sentences", &Config::linked_sentences},
    {"linked_paragraphs", &Config::linked_paragraphs},
    {"lookups_of_visible", &Config::lookups_of_visible},
    {"lookups_of_seen", &Config::lookups_of_seen},
    {"title_candidates", &Config::title_candidates},
    {"rank_mentions", &Config::rank_mentions},
    {"order_by_novelty", &Config::order_by_novelty},
    {"follow_pages", &Config::follow_pages},
    {"sentences_a_paragraph", &Config::sentences_a_paragraph},
    {"sentences_of_title", &Config::sentences_of_title},
    {"compose_query", &Config::compose_query},
    {"selected_weight", &Config::selected_weight},
    {"selected_terms", &Config::selected_terms},
    {"frontier_alternatives", &Config::frontier_alternatives},
};

template <class Number>
Status parse_into(std::string_view name, std::string_view text, Number& out) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kInvalidArgument, "setting {} = \"{}\" is not a {}", name, text,
                std::is_floating_point_v<Number> ? "number" : "whole number from 0 on");
  }
  out = value;
  return {};
}

Status set_scoring(Config& config, std::string_view value) {
  if (value == "auto") {
    config.scoring.reset();
    return {};
  }
  for (const Scoring scoring : {Scoring::kLexical, Scoring::kDense, Scoring::kHybrid}) {
    if (value == scoring_name(scoring)) {
      config.scoring = scoring;
      return {};
    }
  }
  return fail(ErrorCode::kInvalidArgument, "setting scoring = \"{}\"; it takes auto, lexical, dense or hybrid", value);
}

std::string known_fields() {
  std::string names = "scoring, hybrid_lexical, hybrid_dense";
  for (const Field& field : kFields) names.append(", ").append(field.name);
  return names;
}

}  // namespace

Result<Config> profile(std::string_view name) {
  Config config;
  if (name == "released") return config;
  if (name != "default")
    return fail(ErrorCode::kInvalidArgument, "there is no profile \"{}\"; there are: default, released", name);
  config.profile = name;
  config.prefer_hybrid = 1;
  config.lookups_otherwise = 8;
  config.lookup_europe = 1;
  config.linked_sentences = 4;
  config.lookups_of_visible = 1;
  config.lookups_of_seen = 1;
  config.title_candidates = 1;
  config.rank_mentions = 1;
  config.order_by_novelty = 1;
  config.follow_pages = 1;
  config.sentences_a_paragraph = 1;
  config.sentences_of_title = 2;
  config.compose_query = 1;
  return config;
}

std::vector<std::string> profile_names() { return {"default", "released"}; }

Status set_field(Config& config, std::string_view name, std::string_view value) {
  if (name == "scoring") return set_scoring(config, value);
  if (name == "hybrid_lexical") return parse_into(name, value, config.hybrid.lexical);
  if (name == "hybrid_dense") return parse_into(name, value, config.hybrid.dense);
  for (const Field& field : kFields) {
    if (field.name != name) continue;
    return std::visit([&](auto member) { return parse_into(name, value, config.*member); }, field.member);
  }
  return fail(ErrorCode::kInvalidArgument, "there is no setting \"{}\"; there are: {}", name, known_fields());
}

std::vector<std::pair<std::string, std::string>> fields(const Config& config) {
  std::vector<std::pair<std::string, std::string>> all{
      {"profile", config.profile},
      {"scoring", config.scoring ? std::string(scoring_name(*config.scoring)) : "auto"},
      {"hybrid_lexical", fmt::format("{}", config.hybrid.lexical)},
      {"hybrid_dense", fmt::format("{}", config.hybrid.dense)}};
  for (const Field& field : kFields) {
    std::visit([&](auto member) { all.emplace_back(field.name, fmt::format("{}", config.*member)); }, field.member);
  }
  return all;
}

Status validate(const Config& config) {
  const auto wrong = [](std::string_view name, std::string_view mend) {
    return fail(ErrorCode::kInvalidArgument, "setting {} makes no sense: {}", name, mend);
  };
  if (config.visible_sentences == 0) return wrong("visible_sentences", "at least 1 sentence must be shown");
  if (config.list_length == 0) return wrong("list_length", "at least 1");
  if (config.list_length > 10000) return wrong("list_length", "at most 10000");
  if (config.fusion_constant == 0 || config.fusion_constant > 1000000) return wrong("fusion_constant", "1 to 1000000");
  if (config.nearest_entities > 1000000) return wrong("nearest_entities", "at most 1000000");
  if (config.turn_budget < 2) return wrong("turn_budget", "the first view and one action need at least 2 turns");
  if (config.turn_budget > 60000) return wrong("turn_budget", "at most 60000");
  if (menu_bound(config) > 10000) return wrong("visible_sentences or lookups", "a menu may hold at most 10000 actions");
  for (const double number : {config.entity_weight, config.mention_bonus, config.hybrid.lexical, config.hybrid.dense,
                              config.selected_weight}) {
    if (!std::isfinite(number))
      return wrong("entity_weight, mention_bonus, hybrid or selected_weight", "a finite number is needed");
  }
  return {};
}

std::uint32_t menu_bound(const Config& config) {
  return 2 * config.visible_sentences + std::max(config.lookups_after_select, config.lookups_otherwise) + 1;
}

bool uses_names(const Config& config) { return config.linked_sentences != 0 || config.title_candidates != 0; }

}  // namespace harnessg
