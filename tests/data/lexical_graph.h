// Small graphs for tests of scoring: paragraphs of given sentences, entities that nothing mentions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/graph.h"

struct ParagraphText {
  std::string title;
  std::vector<std::string> sentences;
  std::string separator = " ";
};

struct EntityForms {
  std::string canonical;
  std::vector<std::string> surfaces;
};

inline harnessg::Graph lexical_graph(const std::vector<ParagraphText>& paragraphs,
                                     const std::vector<EntityForms>& entities = {}) {
  harnessg::GraphTables t;
  for (const ParagraphText& paragraph : paragraphs) {
    std::string text;
    for (const std::string& sentence : paragraph.sentences) {
      if (!text.empty()) text += paragraph.separator;
      t.text_begins.push_back(static_cast<std::uint32_t>(text.size()));
      text += sentence;
      t.text_ends.push_back(static_cast<std::uint32_t>(text.size()));
      t.sentence_entities.push_back({});
    }
    t.record_ids.push_back(std::to_string(t.titles.size()));
    t.titles.push_back(paragraph.title);
    t.texts.push_back(text);
    t.metadata.push_back("");
    t.sentence_ends.push_back(static_cast<std::uint32_t>(t.text_begins.size()));
    t.title_entities.push_back(harnessg::kNoEntity);
    t.paragraph_entities.push_back({});
  }
  for (const EntityForms& entity : entities) {
    std::vector<std::uint32_t> rows;
    for (const std::string& surface : entity.surfaces) {
      rows.push_back(static_cast<std::uint32_t>(t.surfaces.size()));
      t.surfaces.push_back(surface);
    }
    t.canonical_forms.push_back(entity.canonical);
    t.labels.push_back(harnessg::Label::kEntity);
    t.surface_rows.push_back(rows);
    t.entity_sentences.push_back({});
    t.entity_synonyms.push_back({});
  }
  return harnessg::Graph::create(std::move(t)).value();
}
