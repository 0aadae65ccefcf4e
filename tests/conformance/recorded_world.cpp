#include "tests/conformance/recorded_world.h"

#include <stdexcept>

#include "menu/initial_view.h"

namespace harnessg::conformance {

RecordedWorld::RecordedWorld(const std::filesystem::path& shared, const std::string& set, const std::string& suffix) {
  auto loaded = load_conformance_set(shared, set, suffix == "-rule" ? "rule_dense" : "spacy_dense",
                                     suffix == "-specsyn" ? "spec" : "reference");
  if (!loaded) throw std::runtime_error(loaded.error().message);
  set_ = std::move(*loaded);
  relevance_ = make_dense_relevance(*set_.index->vectors());
  facts_ = std::make_unique<EntityFacts>(set_.index->graph(), config_, std::size_t{64} << 20);
  for (std::size_t i = 0; i < set_.query_texts.size(); ++i) rows_.emplace(set_.query_texts[i], i);
}

Query RecordedWorld::query(const std::string& text) const {
  const auto at = rows_.find(text);
  if (at == rows_.end()) throw std::runtime_error("no vector was recorded for: " + text);
  const auto row = set_.query_vectors.row(at->second);
  return {{row.begin(), row.end()}, {}};
}

Question RecordedWorld::question(const std::string& text) const {
  Question question;
  question.text = text;
  question.query = query(text);
  const FirstViewLists lists = first_view_lists(world(), question.query);
  question.first_view = fuse(config_, lists);
  for (const Scored& entity : lists.entities) {
    if (question.nearest_entities.size() < config_.nearest_entities)
      question.nearest_entities.push_back(EntityId{entity.id});
  }
  return question;
}

}  // namespace harnessg::conformance
