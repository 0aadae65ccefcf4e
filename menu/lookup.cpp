#include "menu/lookup.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/entity_text.h"
#include "data/text.h"

namespace harnessg {
namespace {

struct Candidate {
  std::uint32_t sentence = 0;
  Source source = kTarget;
};

// Candidates by sentence, each once, with the strongest reason: target before synonym before neighbour.
std::vector<Candidate> gather(const World& world, EntityId entity) {
  const Graph& graph = world.graph;
  std::vector<Candidate> candidates;
  const auto add_mentions = [&](EntityId e, std::uint32_t cap, Source source) {
    const auto sentences = graph.sentences(e);
    for (const SentenceId s : sentences.first(std::min<std::size_t>(sentences.size(), cap)))
      candidates.push_back({index(s), source});
  };
  add_mentions(entity, world.config.mention_sentences, kTarget);
  const auto synonyms = graph.synonyms(entity);
  for (const Synonym& synonym : synonyms.first(std::min<std::size_t>(synonyms.size(), world.config.synonyms))) {
    add_mentions(synonym.entity, world.config.synonym_sentences, kSimilar);
  }
  const std::size_t direct = candidates.size();
  for (std::size_t i = 0; i < direct; ++i) {
    const SentenceId s{candidates[i].sentence};
    const ParagraphId p = graph.paragraph(s);
    if (s != graph.first_sentence(p)) candidates.push_back({index(s) - 1, kNeighbour});
    if (index(s) + 1 != index(graph.end_sentence(p))) candidates.push_back({index(s) + 1, kNeighbour});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.sentence != b.sentence ? a.sentence < b.sentence : a.source < b.source;
  });
  const auto same_sentence = [](const Candidate& a, const Candidate& b) { return a.sentence == b.sentence; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same_sentence), candidates.end());
  return candidates;
}

}  // namespace

std::string mixed_query(const World& world, std::string_view question, std::span<const SentenceId> selected) {
  std::vector<std::string_view> words = split_words(question);
  for (const SentenceId s : selected) {
    if (words.size() >= world.config.query_words) break;
    for (const std::string_view word : split_words(world.graph.text(s))) {
      if (words.size() >= world.config.query_words) break;
      words.push_back(word);
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

View lookup_view(const World& world, const Query& query, EntityId entity) {
  const std::vector<Candidate> candidates = gather(world, entity);
  std::vector<std::uint32_t> ids(candidates.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = candidates[i].sentence;
  std::vector<float> scores(ids.size());
  world.relevance.score(query, NodeKind::kSentence, ids, scores);

  struct Ranked {
    double score;
    std::size_t candidate;
  };
  std::vector<Ranked> ranked(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool mentioned = world.graph.mentions(SentenceId{ids[i]}, entity);
    ranked[i] = {double{scores[i]} + (mentioned ? world.config.mention_bonus : 0.0), i};
  }
  const std::size_t keep = std::min<std::size_t>(ranked.size(), world.config.visible_sentences);
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(keep), ranked.end(),
                    [](const Ranked& a, const Ranked& b) {
                      return a.score != b.score ? a.score > b.score : a.candidate < b.candidate;
                    });
  View view;
  for (std::size_t i = 0; i < keep; ++i) {
    const Candidate& candidate = candidates[ranked[i].candidate];
    view.push_back({SentenceId{candidate.sentence}, candidate.source});
  }
  return view;
}

bool may_be_looked_up(const World& world, EntityId entity) {
  const std::string_view surface = world.graph.surface(entity);
  if (world.config.lookup_europe == 0 && canonical_form(surface) == "europe") return false;
  return is_lookup_target(surface, world.graph.label(entity));
}

}  // namespace harnessg
