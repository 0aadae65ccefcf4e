// Lookup: the best sentences around an entity (spec 1, section 3), and the query they are ranked by.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "menu/menu.h"

namespace harnessg {

// The question's words, then those of the selected sentences in order of selection, cut to config.query_words in all;
// the question itself is never cut. Joined by single spaces.
std::string mixed_query(const World& world, std::string_view question, std::span<const SentenceId> selected);

// What lookups are ranked by where config.compose_query is set (config.h says how it is made).
Query composed_query(const World& world, const Question& question, std::span<const SentenceId> selected);

// What a lookup shows: at most config.visible_sentences, best first, with their scores. Candidates: sentences that
// mention the entity, that mention one of its best synonyms, the neighbours of both, and where config.title_candidates
// is set the sentences of paragraphs that it is the title of; score = relevance to `query`, + mention_bonus where the
// entity is mentioned or is the title. Not empty for an entity with a mention.
RankedView lookup_view(const World& world, const Query& query, EntityId entity);
// Of several entities; a sentence that several of them bring up is scored once. views.size() == entities.size().
void lookup_views(const World& world, const Query& query, std::span<const EntityId> entities,
                  std::span<RankedView> views);

// The selected sentences that a lookup's query depends on: none where it is the question's own.
std::span<const SentenceId> query_selection(const World& world, std::span<const SentenceId> selected);

// lookup_views() through the question's memory; `query` is that of the selection.
void remembered_lookup_views(const World& world, const Question& question, std::span<const SentenceId> selected,
                             const Query& query, std::span<const EntityId> entities, std::span<RankedView> views);

// Whether an entity may be looked up at all, whatever the state (entity_facts.h).
bool may_be_looked_up(const World& world, EntityId entity);

}  // namespace harnessg
