// Graphs from a short description, with every table filled as a builder would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "data/graph.h"
#include "data/lexicon.h"

struct PlannedSentence {
  std::string text;
  std::vector<std::uint32_t> entities;  // body mentions, no repeats
};

struct PlannedParagraph {
  std::string title;
  std::uint32_t title_entity = harnessg::index(harnessg::kNoEntity);
  std::vector<PlannedSentence> sentences;
};

struct GraphPlan {
  std::vector<PlannedParagraph> paragraphs;
  std::uint32_t entities = 0;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> synonyms;
};

inline void plan_paragraph(harnessg::GraphTables& t, const PlannedParagraph& plan,
                           std::vector<std::vector<harnessg::SentenceId>>& body,
                           std::vector<std::vector<harnessg::SentenceId>>& title) {
  using namespace harnessg;
  const std::size_t p = t.titles.size();
  t.record_ids.push_back("record " + std::to_string(p));
  t.titles.push_back(plan.title);
  t.metadata.push_back(p % 2 == 0 ? "" : "{\"year\":" + std::to_string(1900 + p) + "}");
  t.title_entities.push_back(EntityId{plan.title_entity});
  std::string text;
  std::map<EntityId, std::uint32_t> counts;
  for (const PlannedSentence& sentence : plan.sentences) {
    const SentenceId s{static_cast<std::uint32_t>(t.text_begins.size())};
    if (!text.empty()) text += ' ';
    t.text_begins.push_back(static_cast<std::uint32_t>(text.size()));
    text += sentence.text;
    t.text_ends.push_back(static_cast<std::uint32_t>(text.size()));
    std::vector<EntityId> row;
    for (const std::uint32_t e : sentence.entities) {
      row.push_back(EntityId{e});
      body[e].push_back(s);
    }
    const EntityId named{plan.title_entity};
    if (&sentence == plan.sentences.data() && named != kNoEntity &&
        std::find(row.begin(), row.end(), named) == row.end()) {
      row.push_back(named);
      title[plan.title_entity].push_back(s);
    }
    for (const EntityId e : row) ++counts[e];
    t.mention_count += row.size();
    t.sentence_entities.push_back(row);
  }
  t.texts.push_back(text);
  t.sentence_ends.push_back(static_cast<std::uint32_t>(t.text_begins.size()));
  std::vector<EntityCount> row;
  for (const auto& [e, mentions] : counts) row.push_back({e, mentions});
  t.paragraph_entities.push_back(row);
}

inline harnessg::GraphTables planned_tables(const GraphPlan& plan) {
  using namespace harnessg;
  GraphTables t;
  std::vector<std::vector<SentenceId>> body(plan.entities), title(plan.entities);
  for (const PlannedParagraph& paragraph : plan.paragraphs) plan_paragraph(t, paragraph, body, title);
  std::vector<std::vector<Synonym>> synonyms(plan.entities);
  for (const auto& [a, b, score] : plan.synonyms) {
    synonyms[a].push_back({EntityId{b}, score});
    synonyms[b].push_back({EntityId{a}, score});
  }
  for (std::uint32_t e = 0; e < plan.entities; ++e) {
    t.canonical_forms.push_back("entity " + std::to_string(e));
    t.labels.push_back(e % 3 == 0 ? Label::kPerson : Label::kEntity);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t form = 0; form <= e % 6; ++form) {
      rows.push_back(static_cast<std::uint32_t>(t.surfaces.size()));
      t.surfaces.push_back("Entity " + std::to_string(e) + " form " + std::to_string(form));
    }
    t.surface_rows.push_back(rows);
    body[e].insert(body[e].end(), title[e].begin(), title[e].end());
    t.entity_sentences.push_back(body[e]);
    std::sort(synonyms[e].begin(), synonyms[e].end(), [](const Synonym& a, const Synonym& b) {
      return a.score != b.score ? a.score > b.score : a.entity < b.entity;
    });
    t.entity_synonyms.push_back(synonyms[e]);
  }
  return t;
}

// Four paragraphs, nine sentences, six entities, three synonym edges; a title in the body of another paragraph.
inline harnessg::GraphTables small_tables() {
  constexpr std::uint32_t kNone = harnessg::index(harnessg::kNoEntity);
  GraphPlan plan;
  plan.entities = 6;
  plan.paragraphs = {
      {"Difference engine",
       4,
       {{"The difference engine was designed by Charles Babbage.", {0, 1}},
        {"It was never finished.", {}},
        {"Joseph Clement built parts of it in London.", {2, 3}}}},
      {"Ada Lovelace", 5, {{"Lovelace wrote notes on it.", {5}}, {"She met Babbage in London.", {1, 3}}}},
      {"東京", kNone, {{"東京は日本の首都です。", {}}, {"Ça va – naïve façade.", {}}}},
      {"", kNone, {{"London is a city.", {3}}, {"Clement died there.", {2}}}},
  };
  plan.synonyms = {{0, 4, 0.95f}, {1, 5, 0.8125f}, {1, 2, 0.8125f}};
  return planned_tables(plan);
}

// One term per white-space separated word of a node's text: enough of a lexicon for the store.
inline harnessg::LexiconTables word_tables(const harnessg::Graph& graph) {
  using namespace harnessg;
  std::array<std::vector<std::map<std::string, std::uint32_t>>, 3> words;
  const auto add = [](std::map<std::string, std::uint32_t>& row, std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
      if (end > begin) ++row[std::string(text.substr(begin, end - begin))];
      begin = end + 1;
    }
  };
  for (std::uint32_t i = 0; i < graph.paragraph_count(); ++i)
    add(words[0].emplace_back(), embedding_text(graph, ParagraphId{i}));
  for (std::uint32_t i = 0; i < graph.sentence_count(); ++i)
    add(words[1].emplace_back(), embedding_text(graph, SentenceId{i}));
  for (std::uint32_t i = 0; i < graph.entity_count(); ++i)
    add(words[2].emplace_back(), embedding_text(graph, EntityId{i}));
  std::map<std::string, std::uint32_t> ids;
  for (const auto& kind : words)
    for (const auto& row : kind)
      for (const auto& [word, count] : row) ids[word] = 0;
  LexiconTables tables;
  for (auto& [word, id] : ids) {
    id = static_cast<std::uint32_t>(tables.terms.size());
    tables.terms.push_back(word);
  }
  for (std::size_t kind = 0; kind < 3; ++kind)
    for (const auto& row : words[kind]) {
      std::vector<TermCount> terms;
      for (const auto& [word, count] : row) terms.push_back({ids[word], count});
      tables.node_terms[kind].push_back(terms);
    }
  return tables;
}
