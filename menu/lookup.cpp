#include "menu/lookup.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "data/text.h"
#include "menu/entity_facts.h"
#include "menu/question_links.h"
#include "menu/question_memory.h"

namespace harnessg {
namespace {

struct Candidate {
  std::uint32_t sentence = 0;
  Source source = kTarget;
};

struct Ranked {
  double score;
  std::size_t candidate;
};

// What lookup_views() works on, kept by each thread so that an ordinary lookup allocates nothing.
struct Scratch {
  std::vector<Candidate> candidates;  // of all entities, one entity behind the other
  std::vector<std::size_t> ends;      // one past each entity's last candidate
  std::vector<std::uint32_t> ids;
  std::vector<float> scores;
  std::vector<std::span<const std::uint32_t>> lists;
  std::vector<std::span<float>> list_scores;
};

// Appends what becomes of one entity's lookup before sentences are scored.
class Gatherer {
 public:
  Gatherer(const World& world, const Query& query, std::vector<Candidate>& candidates)
      : world_(world), graph_(world.graph), query_(query), candidates_(candidates) {}

  // Candidates by sentence, each once, with the strongest reason: target before synonym before neighbour.
  void gather(EntityId entity) {
    const std::size_t first = candidates_.size();
    add_mentions(entity, world_.config.mention_sentences, kTarget);
    const auto synonyms = graph_.synonyms(entity);
    for (const Synonym& synonym : synonyms.first(std::min<std::size_t>(synonyms.size(), world_.config.synonyms))) {
      add_mentions(synonym.entity, world_.config.synonym_sentences, kSimilar);
    }
    const std::size_t direct = candidates_.size();
    for (std::size_t i = first; i < direct; ++i) add_neighbours(SentenceId{candidates_[i].sentence});
    if (world_.config.title_candidates != 0) add_titled_paragraphs(entity);
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.sentence != b.sentence ? a.sentence < b.sentence : precedence(a.source) < precedence(b.source);
    });
    const auto same_sentence = [](const Candidate& a, const Candidate& b) { return a.sentence == b.sentence; };
    candidates_.erase(std::unique(begin, candidates_.end(), same_sentence), candidates_.end());
  }

 private:
  static int precedence(Source source) { return source == kOfTitle ? 0 : source; }

  void add_mentions(EntityId entity, std::uint32_t cap, Source source) {
    const auto sentences = graph_.sentences(entity);
    if (sentences.size() > cap && world_.config.rank_mentions != 0) return add_best_mentions(sentences, cap, source);
    for (const SentenceId s : sentences.first(std::min<std::size_t>(sentences.size(), cap)))
      candidates_.push_back({index(s), source});
  }

  void add_best_mentions(std::span<const SentenceId> sentences, std::uint32_t cap, Source source) {
    thread_local std::vector<std::uint32_t> ids;
    thread_local std::vector<float> scores;
    thread_local std::vector<Scored> ranked;
    ids.clear();
    for (const SentenceId s : sentences) ids.push_back(index(s));
    scores.resize(ids.size());
    world_.relevance.score(query_, NodeKind::kSentence, ids, scores);
    ranked.clear();
    for (std::size_t i = 0; i < ids.size(); ++i) ranked.push_back({ids[i], scores[i]});
    std::nth_element(ranked.begin(), ranked.begin() + cap, ranked.end(), ranks_before);
    for (std::uint32_t i = 0; i < cap; ++i) candidates_.push_back({ranked[i].id, source});
  }

  void add_neighbours(SentenceId s) {
    const ParagraphId p = graph_.paragraph(s);
    if (s != graph_.first_sentence(p)) candidates_.push_back({index(s) - 1, kNeighbour});
    if (index(s) + 1 != index(graph_.end_sentence(p))) candidates_.push_back({index(s) + 1, kNeighbour});
  }

  void add_titled_paragraphs(EntityId entity) {
    for (const ParagraphId p : world_.names->titled(entity)) {
      for (std::uint32_t s = index(graph_.first_sentence(p)); s < index(graph_.end_sentence(p)); ++s)
        candidates_.push_back({s, kOfTitle});
    }
  }

  const World& world_;
  const Graph& graph_;
  const Query& query_;
  std::vector<Candidate>& candidates_;
};

bool precedes(const Ranked& a, const Ranked& b) {
  return a.score != b.score ? a.score > b.score : a.candidate < b.candidate;
}

// Adds to a list of the `limit` best; returns what does not fit, if anything.
std::optional<Ranked> keep_best(std::vector<Ranked>& best, std::size_t limit, const Ranked& ranked) {
  std::optional<Ranked> out;
  if (best.size() == limit) {
    if (!precedes(ranked, best.back())) return ranked;
    out = best.back();
    best.pop_back();
  }
  auto at = best.end();
  while (at != best.begin() && precedes(ranked, *std::prev(at))) --at;
  best.insert(at, ranked);
  return out;
}

// One entity's view, of its candidates in the order of sentences.
class ViewMaker {
 public:
  ViewMaker(const World& world, EntityId entity, std::span<const Candidate> candidates, std::span<const float> scores)
      : world_(world),
        entity_(entity),
        candidates_(candidates),
        scores_(scores),
        capped_(world.graph.sentences(entity).size() > world.config.mention_sentences) {}

  RankedView make() {
    if (world_.config.sentences_a_paragraph == 0) {
      for (std::size_t i = 0; i < candidates_.size(); ++i) keep_best(best_, limit(), ranked(i));
    } else {
      by_paragraph();
    }
    RankedView made;
    for (const Ranked& ranked : best_) {
      const Candidate& candidate = candidates_[ranked.candidate];
      made.view.push_back({SentenceId{candidate.sentence}, candidate.source});
      made.scores.push_back(static_cast<float>(ranked.score));
    }
    return made;
  }

 private:
  std::size_t limit() const { return world_.config.visible_sentences; }

  Ranked ranked(std::size_t i) const {
    const Candidate& candidate = candidates_[i];
    // Beyond the cap a sentence may mention the entity and be a candidate for another reason.
    const bool bonus = candidate.source == kTarget || candidate.source == kOfTitle ||
                       (capped_ && world_.graph.mentions(SentenceId{candidate.sentence}, entity_));
    return {double{scores_[i]} + (bonus ? world_.config.mention_bonus : 0.0), i};
  }

  // No more than so many of one paragraph, but for places that nothing else can fill.
  void by_paragraph() {
    std::vector<Ranked>& own = own_;
    for (std::size_t i = 0; i < candidates_.size();) {
      const ParagraphId p = world_.graph.paragraph(SentenceId{candidates_[i].sentence});
      own.clear();
      const std::uint32_t most =
          candidates_[i].source == kOfTitle ? world_.config.sentences_of_title : world_.config.sentences_a_paragraph;
      for (; i < candidates_.size() && SentenceId{candidates_[i].sentence} < world_.graph.end_sentence(p); ++i) {
        if (const auto out = keep_best(own, most, ranked(i))) keep_best(waiting_, limit(), *out);
      }
      for (const Ranked& ranked : own) keep_best(best_, limit(), ranked);
    }
    for (const Ranked& ranked : waiting_) {
      if (best_.size() == limit()) break;
      keep_best(best_, limit(), ranked);
    }
  }

  const World& world_;
  const EntityId entity_;
  const std::span<const Candidate> candidates_;
  const std::span<const float> scores_;
  const bool capped_;
  std::vector<Ranked>& best_ = emptied(0);
  std::vector<Ranked>& own_ = emptied(1);
  std::vector<Ranked>& waiting_ = emptied(2);

  // Kept by each thread, so that an ordinary view allocates nothing.
  static std::vector<Ranked>& emptied(std::size_t which) {
    thread_local std::array<std::vector<Ranked>, 3> kept;
    kept[which].clear();
    return kept[which];
  }
};

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

Query composed_query(const World& world, const Question& question, std::span<const SentenceId> selected) {
  std::vector<std::uint32_t> ids;
  for (const SentenceId s : selected) ids.push_back(index(s));
  const std::string text =
      world.config.selected_terms != 0 ? mixed_query(world, question.text, selected) : question.text;
  return world.relevance.composed(question.query, text, NodeKind::kSentence, ids, world.config.selected_weight);
}

std::span<const SentenceId> query_selection(const World& world, std::span<const SentenceId> selected) {
  const Config& config = world.config;
  const bool by_vectors = world.relevance.scoring() != Scoring::kLexical && config.selected_weight != 0;
  const bool by_terms = world.relevance.scoring() != Scoring::kDense && config.selected_terms != 0;
  return config.compose_query == 0 || by_vectors || by_terms ? selected : std::span<const SentenceId>();
}

RankedView lookup_view(const World& world, const Query& query, EntityId entity) {
  RankedView view;
  lookup_views(world, query, std::span(&entity, 1), std::span(&view, 1));
  return view;
}

void lookup_views(const World& world, const Query& query, std::span<const EntityId> entities,
                  std::span<RankedView> views) {
  thread_local Scratch scratch;
  auto& [candidates, ends, ids, scores, lists, list_scores] = scratch;
  candidates.clear();
  ends.clear();
  Gatherer gatherer(world, query, candidates);
  for (const EntityId entity : entities) {
    gatherer.gather(entity);
    ends.push_back(candidates.size());
  }
  ids.resize(candidates.size());
  scores.resize(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) ids[i] = candidates[i].sentence;
  lists.clear();
  list_scores.clear();
  for (std::size_t e = 0, begin = 0; e < entities.size(); begin = ends[e++]) {
    lists.push_back(std::span(ids).subspan(begin, ends[e] - begin));
    list_scores.push_back(std::span(scores).subspan(begin, ends[e] - begin));
  }
  world.relevance.score_lists(query, NodeKind::kSentence, lists, list_scores);
  for (std::size_t e = 0, begin = 0; e < entities.size(); begin = ends[e++]) {
    const auto own = std::span<const Candidate>(candidates).subspan(begin, ends[e] - begin);
    views[e] = ViewMaker(world, entities[e], own, list_scores[e]).make();
  }
}

void remembered_lookup_views(const World& world, const Question& question, std::span<const SentenceId> selected,
                             const Query& query, std::span<const EntityId> entities, std::span<RankedView> views) {
  const auto key = query_selection(world, selected);
  SmallVector<std::size_t, 16> unknown;
  if (question.memory == nullptr) return lookup_views(world, query, entities, views);
  question.memory->find(key, entities, views, unknown);
  if (unknown.empty()) return;
  SmallVector<EntityId, 16> missing;
  for (const std::size_t i : unknown) missing.push_back(entities[i]);
  SmallVector<RankedView, 16> found(missing.size());
  lookup_views(world, query, as_span(missing), as_span(found));
  for (std::size_t u = 0; u < unknown.size(); ++u) {
    views[unknown[u]] = found[u];
    question.memory->remember(key, missing[u], found[u]);
  }
}

bool may_be_looked_up(const World& world, EntityId entity) {
  if (world.facts != nullptr) return world.facts->may_be_looked_up(entity);
  return is_lookup_target(world.graph, world.config, entity);
}

}  // namespace harnessg
