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

// At most config.visible_sentences, best first. Candidates: sentences that mention the entity, that mention one of its
// best synonyms, and the neighbours of both; score = relevance to `query`, + mention_bonus where the entity is
// mentioned. Not empty for an entity with a mention.
View lookup_view(const World& world, const Query& query, EntityId entity);

// Whether an entity may be looked up at all, whatever the state (labels, junk, nationality adjectives).
bool may_be_looked_up(const World& world, EntityId entity);

}  // namespace harnessg
