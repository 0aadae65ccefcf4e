#include "builder/graph_builder.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "builder/title_gazetteer.h"
#include "data/text.h"

namespace harnessg {
namespace {

// `metadata` with the ids added to its list "duplicate_ids".
std::string with_duplicates(const std::string& metadata, std::vector<std::string> ids) {
  using Json = nlohmann::ordered_json;
  Json object = metadata.empty() ? Json::object() : Json::parse(metadata, nullptr, false);
  if (!object.is_object()) object = Json{{"metadata", metadata}};
  Json& list = object["duplicate_ids"];
  if (list.is_null()) list = Json::array();
  if (!list.is_array()) list = Json::array({list});
  for (std::string& id : ids) list.push_back(std::move(id));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::uint64_t> running_sums(std::vector<std::uint64_t> counts) {
  std::uint64_t sum = 0;
  for (std::uint64_t& count : counts) count = sum += count;
  return counts;
}

}  // namespace

std::uint32_t GraphBuilder::form_of(EntityState& entity, std::string surface) {
  std::uint32_t form = entity.forms == 0 ? kNone : entity.first_form;
  while (form != kNone) {
    if (forms_[form].text == surface) return form;
    form = forms_[form].next;
  }
  const auto added = static_cast<std::uint32_t>(forms_.size());
  forms_.push_back({std::move(surface), kNone});
  if (entity.forms == 0)
    entity.first_form = added;
  else
    forms_[entity.last_form].next = added;
  entity.last_form = added;
  ++entity.forms;
  return added;
}

GraphBuilder::Occurrence GraphBuilder::enter(std::string key, Label label, std::string surface) {
  const auto known = entities_.find(key);
  std::uint32_t entity = 0;
  if (known == entities_.end()) {
    entity = static_cast<std::uint32_t>(states_.size());
    keys_.push_back(std::move(key));
    entities_.emplace(keys_.back(), entity);
    states_.push_back({.label = label});
  } else {
    entity = known->second;
    states_[entity].label = preferred(states_[entity].label, label);
  }
  return {entity, form_of(states_[entity], std::move(surface))};
}

void GraphBuilder::add(Paragraph paragraph) {
  auto mention = paragraph.mentions.begin();
  for (std::uint32_t s = 0; s < paragraph.sentences.size(); ++s) {
    const std::size_t begin = occurrences_.size();
    for (; mention != paragraph.mentions.end() && mention->sentence == s; ++mention) {
      const Occurrence occurrence = enter(std::move(mention->key), mention->label, std::move(mention->surface));
      const bool repeated = std::any_of(occurrences_.begin() + static_cast<std::ptrdiff_t>(begin), occurrences_.end(),
                                        [&](const Occurrence& o) { return o.surface == occurrence.surface; });
      if (!repeated) occurrences_.push_back(occurrence);
    }
    occurrence_ends_.push_back(occurrences_.size());
    tables_.text_begins.push_back(paragraph.sentences[s].first);
    tables_.text_ends.push_back(paragraph.sentences[s].second);
  }
  tables_.record_ids.push_back(paragraph.id);
  tables_.titles.push_back(paragraph.title);
  tables_.texts.push_back(paragraph.text);
  tables_.sentence_ends.push_back(sentence_count());
  title_keys_.push_back(std::move(paragraph.title_key));
  metadata_.push_back(std::move(paragraph.metadata));
}

void GraphBuilder::add_duplicate(std::uint32_t p, std::string id) {
  if (id != tables_.record_ids[p]) duplicates_.emplace_back(p, std::move(id));
}

void GraphBuilder::add_titles() {
  for (std::uint32_t p = 0; p < paragraph_count(); ++p) {
    if (title_keys_[p].empty()) {
      title_occurrences_.push_back({kNone, kNone});
    } else {
      title_occurrences_.push_back(enter(std::move(title_keys_[p]), Label::kEntity, std::string(tables_.titles[p])));
    }
    tables_.title_entities.push_back(EntityId{title_occurrences_.back().entity});
  }
}

// Behind what was found in a sentence before, by position. A name that is the title itself is a surface form as it
// stands; for one without the title's qualifier the title stands, which has the entity's key.
void GraphBuilder::add_title_mentions() {
  const std::vector<TitleOccurrence> found = find_titles(tables_);
  std::vector<Occurrence> merged;
  merged.reserve(occurrences_.size() + found.size());
  auto next = found.begin();
  std::uint64_t o = 0;
  for (std::uint32_t p = 0, s = 0; s < sentence_count(); ++s) {
    if (s == tables_.sentence_ends[p]) ++p;
    const std::size_t begin = merged.size();
    for (; o < occurrence_ends_[s]; ++o) merged.push_back(occurrences_[o]);
    for (; next != found.end() && next->sentence == s; ++next) {
      const std::uint32_t entity = title_occurrences_[next->paragraph].entity;
      const std::string_view title = tables_.titles[next->paragraph];
      std::string surface(tables_.texts[p].substr(tables_.text_begins[s] + next->begin, next->end - next->begin));
      if (identity_key(surface) != keys_[entity]) surface = title;
      const Occurrence occurrence = {entity, form_of(states_[entity], std::move(surface))};
      const bool repeated = std::any_of(merged.begin() + static_cast<std::ptrdiff_t>(begin), merged.end(),
                                        [&](const Occurrence& other) { return other.surface == occurrence.surface; });
      if (!repeated) merged.push_back(occurrence);
    }
    occurrence_ends_[s] = merged.size();
  }
  occurrences_ = std::move(merged);
}

void GraphBuilder::fill_sentence_entities() {
  std::vector<std::uint32_t> last_sentence(states_.size(), kNone);
  std::vector<EntityId> row;
  for (std::uint32_t p = 0, s = 0; p < paragraph_count(); ++p) {
    for (const std::uint32_t first = s; s < tables_.sentence_ends[p]; ++s) {
      row.clear();
      const auto append = [&](std::uint32_t entity) {
        if (entity == kNone || last_sentence[entity] == s) return;
        last_sentence[entity] = s;
        row.push_back(EntityId{entity});
      };
      for (std::uint64_t o = s == 0 ? 0 : occurrence_ends_[s - 1]; o < occurrence_ends_[s]; ++o)
        append(occurrences_[o].entity);
      if (s == first) append(title_occurrences_[p].entity);
      tables_.sentence_entities.push_back(row);
    }
  }
}

void GraphBuilder::fill_paragraph_entities() {
  tables_.mention_count = occurrences_.size();
  std::vector<std::uint32_t> found;
  std::vector<EntityCount> row;
  for (std::uint32_t p = 0, s = 0; p < paragraph_count(); ++p) {
    const std::uint64_t begin = s == 0 ? 0 : occurrence_ends_[s - 1];
    const Occurrence title = title_occurrences_[p];
    bool title_counted = title.entity == kNone;
    for (std::uint64_t o = begin; o < occurrence_ends_[s]; ++o)
      title_counted |= occurrences_[o].surface == title.surface;
    s = tables_.sentence_ends[p];
    found.clear();
    for (std::uint64_t o = begin; o < occurrence_ends_[s - 1]; ++o) found.push_back(occurrences_[o].entity);
    if (!title_counted) {
      found.push_back(title.entity);
      ++tables_.mention_count;
    }
    std::sort(found.begin(), found.end());
    row.clear();
    for (const std::uint32_t entity : found) {
      if (row.empty() || row.back().entity != EntityId{entity}) row.push_back({EntityId{entity}, 0});
      ++row.back().mentions;
    }
    tables_.paragraph_entities.push_back(row);
  }
}

// Body mentions in corpus order, then the sentences an entity is the title of and has no body mention in.
void GraphBuilder::fill_entity_sentences() {
  std::vector<std::uint64_t> counts(states_.size(), 0);
  for (const EntityId e : tables_.sentence_entities.values()) ++counts[index(e)];
  std::vector<std::uint64_t> ends = running_sums(std::move(counts));
  std::vector<SentenceId> values(tables_.sentence_entities.values().size());
  std::vector<std::uint64_t> next(states_.size(), 0);
  for (std::size_t e = 1; e < next.size(); ++e) next[e] = ends[e - 1];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_titles;  // entity, sentence
  for (std::uint32_t p = 0, s = 0; p < paragraph_count(); ++p) {
    for (const std::uint32_t first = s; s < tables_.sentence_ends[p]; ++s) {
      const auto occurrences = std::span(occurrences_).first(occurrence_ends_[s]);
      const auto body = occurrences.subspan(s == 0 ? 0 : occurrence_ends_[s - 1]);
      for (const EntityId e : tables_.sentence_entities[s]) {
        const bool in_body = s != first || title_occurrences_[p].entity != index(e) ||
                             std::any_of(body.begin(), body.end(), [&](auto& o) { return o.entity == index(e); });
        if (in_body)
          values[next[index(e)]++] = SentenceId{s};
        else
          of_titles.emplace_back(index(e), s);
      }
    }
  }
  for (const auto& [entity, sentence] : of_titles) values[next[entity]++] = SentenceId{sentence};
  tables_.entity_sentences = Rows<SentenceId>(std::move(ends), std::move(values));
}

void GraphBuilder::fill_entity_names() {
  std::vector<std::string> canonical(states_.size());
  tbb::parallel_for(std::size_t{0}, states_.size(),
                    [&](std::size_t e) { canonical[e] = canonical_form(forms_[states_[e].first_form].text); });
  std::vector<std::uint32_t> row;
  for (std::size_t e = 0; e < states_.size(); ++e) {
    tables_.canonical_forms.push_back(canonical[e]);
    tables_.labels.push_back(states_[e].label);
    row.clear();
    for (std::uint32_t form = states_[e].first_form; form != kNone; form = forms_[form].next) {
      row.push_back(static_cast<std::uint32_t>(tables_.surfaces.size()));
      tables_.surfaces.push_back(forms_[form].text);
    }
    tables_.surface_rows.push_back(row);
    tables_.entity_synonyms.push_back({});
  }
}

void GraphBuilder::fill_metadata() {
  std::stable_sort(duplicates_.begin(), duplicates_.end(), [](auto& a, auto& b) { return a.first < b.first; });
  auto duplicate = duplicates_.begin();
  for (std::uint32_t p = 0; p < paragraph_count(); ++p) {
    std::vector<std::string> ids;
    for (; duplicate != duplicates_.end() && duplicate->first == p; ++duplicate) ids.push_back(duplicate->second);
    tables_.metadata.push_back(ids.empty() ? metadata_[p] : with_duplicates(metadata_[p], std::move(ids)));
  }
}

GraphTables GraphBuilder::finish() {
  add_titles();
  if (title_gazetteer_) add_title_mentions();
  fill_sentence_entities();
  fill_paragraph_entities();
  fill_entity_sentences();
  fill_entity_names();
  fill_metadata();
  return std::move(tables_);
}

}  // namespace harnessg
