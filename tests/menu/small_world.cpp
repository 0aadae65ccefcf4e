#include "tests/menu/small_world.h"

#include <cmath>

namespace harnessg {
namespace {

void add_paragraph(GraphTables& tables, const std::string& title, const std::vector<std::string>& sentences) {
  tables.record_ids.push_back("record-" + title);
  tables.titles.push_back(title);
  tables.metadata.push_back("");
  tables.title_entities.push_back(kNoEntity);
  tables.paragraph_entities.push_back({});
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!text.empty()) text += ' ';
    tables.text_begins.push_back(static_cast<std::uint32_t>(text.size()));
    text += sentence;
    tables.text_ends.push_back(static_cast<std::uint32_t>(text.size()));
  }
  tables.texts.push_back(text);
  tables.sentence_ends.push_back(static_cast<std::uint32_t>(tables.text_begins.size()));
}

void add_entity(GraphTables& tables, const std::string& name, Label label, std::vector<SentenceId> sentences,
                std::vector<Synonym> synonyms) {
  tables.canonical_forms.push_back(name);
  tables.labels.push_back(label);
  const auto surface = static_cast<std::uint32_t>(tables.surfaces.size());
  tables.surface_rows.push_back(std::span(&surface, 1));
  tables.surfaces.push_back(name);
  tables.entity_sentences.push_back(sentences);
  tables.entity_synonyms.push_back(synonyms);
}

std::vector<EntityId> entities(std::initializer_list<std::uint32_t> ids) {
  std::vector<EntityId> list;
  for (const std::uint32_t id : ids) list.push_back(EntityId{id});
  return list;
}

std::vector<SentenceId> sentences(std::initializer_list<std::uint32_t> ids) {
  std::vector<SentenceId> list;
  for (const std::uint32_t id : ids) list.push_back(SentenceId{id});
  return list;
}

VectorTable unit_rows(std::span<const float> scores) {
  Matrix matrix{scores.size(), 2, {}};
  for (const float score : scores) {
    matrix.values.push_back(score);
    matrix.values.push_back(std::sqrt(1 - score * score));
  }
  return VectorTable::create(std::move(matrix)).value();
}

}  // namespace

SmallWorld::SmallWorld(std::array<float, 5> sentence_scores, bool synonyms) {
  GraphTables tables;
  add_paragraph(tables, "Ada", {"Ada lived in London.", "Ada wrote about the engine."});
  add_paragraph(tables, "London", {"London lies on the Thames."});
  add_paragraph(tables, "Engine", {"The engine was French.", "It crossed the Thames."});
  for (const auto& row : {entities({0, 1}), entities({0, 2}), entities({1, 3}), entities({2, 4}), entities({3})}) {
    tables.sentence_entities.push_back(row);
  }
  const auto edge = [synonyms](std::uint32_t to) {
    return synonyms ? std::vector<Synonym>{{EntityId{to}, 0.9f}} : std::vector<Synonym>{};
  };
  add_entity(tables, "Ada", Label::kPerson, sentences({0, 1}), edge(2));
  add_entity(tables, "London", Label::kGpe, sentences({0, 2}), {});
  add_entity(tables, "engine", Label::kEntity, sentences({1, 3}), edge(0));
  add_entity(tables, "Thames", Label::kLoc, sentences({2, 4}), {});
  add_entity(tables, "French", Label::kNorp, sentences({3}), {});
  graph_ = std::make_unique<Graph>(Graph::create(std::move(tables)).value());
  const std::array<float, 3> paragraphs{0.9f, 0.5f, 0.1f};
  const std::array<float, 5> entity_scores{0.9f, 0.7f, 0.5f, 0.3f, 0.1f};
  vectors_ = std::make_unique<NodeVectors>(
      NodeVectors{unit_rows(paragraphs), unit_rows(sentence_scores), unit_rows(entity_scores)});
  relevance_ = make_dense_relevance(*vectors_);
}

}  // namespace harnessg
