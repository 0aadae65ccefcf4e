#include "menu/initial_view.h"

#include <algorithm>
#include <numeric>

#include "menu/reciprocal_sum.h"

namespace harnessg {
namespace {

// Scores `ids` as sentences and keeps the best, ordered.
std::vector<Scored> rank_sentences(const World& world, const Query& question, std::vector<std::uint32_t> ids,
                                   std::span<const double> bonus) {
  std::vector<float> scores(ids.size());
  world.relevance.score(question, NodeKind::kSentence, ids, scores);
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> totals(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) totals[i] = double{scores[i]} + (bonus.empty() ? 0.0 : bonus[i]);
  const std::size_t keep = std::min<std::size_t>(ids.size(), world.config.list_length);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(keep), order.end(),
      [&](std::size_t a, std::size_t b) { return totals[a] != totals[b] ? totals[a] > totals[b] : ids[a] < ids[b]; });
  std::vector<Scored> best(keep);
  for (std::size_t i = 0; i < keep; ++i) best[i] = {ids[order[i]], static_cast<float>(totals[order[i]])};
  return best;
}

std::vector<Scored> sentences_of_paragraphs(const World& world, const Query& question,
                                            std::span<const Scored> paragraphs) {
  std::vector<std::uint32_t> ids;
  for (const Scored& paragraph :
       paragraphs.first(std::min<std::size_t>(paragraphs.size(), world.config.paragraphs_used))) {
    const ParagraphId p{paragraph.id};
    for (std::uint32_t s = index(world.graph.first_sentence(p)); s < index(world.graph.end_sentence(p)); ++s)
      ids.push_back(s);
  }
  return rank_sentences(world, question, std::move(ids), {});
}

std::vector<Scored> sentences_of_entities(const World& world, const Query& question, std::span<const Scored> entities) {
  // Entities come best first, so the first one that brings a sentence up carries its best bonus.
  std::vector<std::pair<std::uint32_t, std::size_t>> found;  // sentence, rank of the entity
  const std::size_t used = std::min<std::size_t>(entities.size(), world.config.first_view_entities);
  for (std::size_t rank = 0; rank < used; ++rank) {
    for (const SentenceId s : world.graph.sentences(EntityId{entities[rank].id})) found.emplace_back(index(s), rank);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::uint32_t> ids;
  std::vector<double> bonus;
  for (const auto& [sentence, rank] : found) {
    if (!ids.empty() && ids.back() == sentence) continue;
    ids.push_back(sentence);
    bonus.push_back(world.config.entity_weight * double{entities[rank].score});
  }
  return rank_sentences(world, question, std::move(ids), bonus);
}

struct Fused {
  std::uint32_t sentence = 0;
  ReciprocalSum score;
  std::uint8_t sources = 0;
};

}  // namespace

FirstViewLists first_view_lists(const World& world, const Query& question) {
  const Query* const one = &question;
  return std::move(first_view_lists(world, std::span(&one, 1)).front());
}

std::vector<FirstViewLists> first_view_lists(const World& world, std::span<const Query* const> questions) {
  const Config& config = world.config;
  auto paragraphs = world.relevance.best(questions, NodeKind::kParagraph, config.paragraphs_ranked);
  auto entities =
      world.relevance.best(questions, NodeKind::kEntity, std::max(config.first_view_entities, config.nearest_entities));
  auto sentences = world.relevance.best(questions, NodeKind::kSentence, config.list_length);
  std::vector<FirstViewLists> all(questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    FirstViewLists& lists = all[q];
    lists.paragraphs = std::move(paragraphs[q]);
    lists.entities = std::move(entities[q]);
    lists.paragraph_sentences = sentences_of_paragraphs(world, *questions[q], lists.paragraphs);
    lists.global_sentences = std::move(sentences[q]);
    lists.entity_sentences = sentences_of_entities(world, *questions[q], lists.entities);
  }
  return all;
}

View fuse(const Config& config, const FirstViewLists& lists) {
  std::vector<Fused> fused;
  const auto add = [&](std::span<const Scored> list, Source source) {
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      auto at = std::find_if(fused.begin(), fused.end(), [&](const Fused& f) { return f.sentence == list[rank].id; });
      if (at == fused.end()) at = fused.insert(fused.end(), Fused{list[rank].id, {}, 0});
      at->score.add(std::uint64_t{config.fusion_constant} + rank + 1);
      at->sources |= source;
    }
  };
  add(lists.paragraph_sentences, kFromParagraphs);
  add(lists.global_sentences, kFromSentences);
  add(lists.entity_sentences, kFromEntities);
  std::sort(fused.begin(), fused.end(), [](const Fused& a, const Fused& b) {
    if (a.score > b.score) return true;
    return !(b.score > a.score) && a.sentence < b.sentence;
  });
  View view;
  for (const Fused& f : fused) {
    if (view.size() == config.visible_sentences) break;
    view.push_back({SentenceId{f.sentence}, f.sources});
  }
  return view;
}

View led_by(const Config& config, View leads, const View& fused) {
  if (leads.size() > config.visible_sentences) leads.resize(config.visible_sentences);
  for (const VisibleSentence& visible : fused) {
    const auto at = std::find_if(leads.begin(), leads.end(),
                                 [&](const VisibleSentence& lead) { return lead.sentence == visible.sentence; });
    if (at != leads.end()) {
      at->sources |= visible.sources;
    } else if (leads.size() < config.visible_sentences) {
      leads.push_back(visible);
    }
  }
  return leads;
}

}  // namespace harnessg
