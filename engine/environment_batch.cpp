// The part of Environment that works on many texts or episodes at once.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>

#include "data/text.h"
#include "engine/caught.h"
#include "engine/environment.h"
#include "engine/environment_caches.h"
#include "menu/initial_view.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

// Questions whose first views are made together: so many that the vectors are read seldom, and few enough that threads
// share a batch.
constexpr std::size_t kGroup = 32;

// What remembering a query takes beside its vector, about.
constexpr std::size_t kQueryBytes = 512;

// The questions that reset would take, each once.
template <class Texts>
std::vector<std::string> sound_questions(const Texts& texts) {
  std::vector<std::string> sound;
  for (const std::string& text : texts) {
    if (!find_invalid_utf8(text) && !split_words(text).empty()) sound.push_back(text);
  }
  std::sort(sound.begin(), sound.end());
  sound.erase(std::unique(sound.begin(), sound.end()), sound.end());
  return sound;
}

}  // namespace

Result<std::vector<Environment::SharedQuery>> Environment::encode(std::span<const std::string> texts) const {
  std::vector<SharedQuery> queries(texts.size());
  std::vector<std::string> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (auto known = caches_->queries.find(texts[i])) {
      queries[i] = *std::move(known);
    } else {
      unknown.push_back(texts[i]);
      places.push_back(i);
    }
  }
  if (unknown.empty()) return queries;
  Matrix vectors;
  if (scoring() != Scoring::kLexical) {
    HARNESSG_ASSIGN(vectors, embedder_->embed_queries(unknown));
  }
  for (std::size_t u = 0; u < unknown.size(); ++u) {
    auto query = std::make_shared<Query>();
    if (scoring() != Scoring::kDense) query->terms = index_->lexicon().query(unknown[u]);
    if (scoring() != Scoring::kLexical) query->vector.assign(vectors.row(u).begin(), vectors.row(u).end());
    caches_->queries.insert(std::move(unknown[u]), query);
    queries[places[u]] = std::move(query);
  }
  return queries;
}

Result<std::shared_ptr<const Query>> Environment::query(const std::string& text) const {
  HARNESSG_ASSIGN(const auto queries, encode(std::span(&text, 1)));
  return queries.front();
}

// The questions of the texts, which are kept, from the queries of the texts.
std::vector<Environment::SharedQuestion> Environment::make_questions(std::span<const std::string> texts,
                                                                     std::span<const SharedQuery> queries) const {
  std::vector<const Query*> pointers;
  for (const SharedQuery& query : queries) pointers.push_back(query.get());
  const std::vector<FirstViewLists> lists = first_view_lists(world(), pointers);
  std::vector<SharedQuestion> questions;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto question = std::make_shared<Question>();
    question->text = texts[i];
    question->query = *queries[i];
    question->first_view = fuse(config(), lists[i]);
    if (config().linked_sentences != 0) {
      const std::vector<NamedInQuestion> named = names_->find(question->text);
      for (const NamedInQuestion& name : named)
        question->linked.insert(question->linked.end(), name.entities.begin(), name.entities.end());
      question->first_view = led_by(config(), linked_view(world(), question->query, named), question->first_view);
    }
    const std::size_t nearest = std::min<std::size_t>(lists[i].entities.size(), config().nearest_entities);
    for (std::size_t n = 0; n < nearest; ++n) question->nearest_entities.push_back(EntityId{lists[i].entities[n].id});
    question->memory = std::make_shared<QuestionMemory>(budget_);
    questions.push_back(question);
    caches_->questions.insert(texts[i], std::move(question));
  }
  return questions;
}

// Those that are kept already; `unknown` gets the places of the others.
std::vector<Environment::SharedQuestion> Environment::known_questions(std::span<const std::string> texts,
                                                                      std::vector<std::size_t>& unknown) const {
  std::vector<SharedQuestion> questions(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (auto known = caches_->questions.find(texts[i])) {
      questions[i] = *std::move(known);
    } else {
      unknown.push_back(i);
    }
  }
  return questions;
}

Result<std::vector<Environment::SharedQuestion>> Environment::prepare(std::span<const std::string> texts) const {
  std::vector<std::size_t> places;
  std::vector<SharedQuestion> questions = known_questions(texts, places);
  if (places.empty()) return questions;
  std::vector<std::string> unknown;
  for (const std::size_t place : places) unknown.push_back(texts[place]);
  HARNESSG_ASSIGN(const auto queries, encode(unknown));
  std::vector<SharedQuestion> made = make_questions(unknown, queries);
  for (std::size_t u = 0; u < made.size(); ++u) questions[places[u]] = std::move(made[u]);
  return questions;
}

Status Environment::make_ready(std::span<const std::string> questions) const {
  HARNESSG_RETURN_IF_ERROR(prepare(sound_questions(questions)));
  return {};
}

// As prepare(), with groups of questions on several threads; all null where their texts cannot be encoded together.
std::vector<Environment::SharedQuestion> Environment::prepare_in_groups(std::span<const std::string> texts) const {
  std::vector<std::size_t> places;
  std::vector<SharedQuestion> questions = known_questions(texts, places);
  std::vector<std::string> unknown;
  for (const std::size_t place : places) unknown.push_back(texts[place]);
  const auto queries = encode(unknown);
  if (!queries) return std::vector<SharedQuestion>(texts.size());
  tbb::parallel_for(std::size_t{0}, (unknown.size() + kGroup - 1) / kGroup, [&](std::size_t group) {
    const std::size_t begin = group * kGroup;
    const std::size_t count = std::min(kGroup, unknown.size() - begin);
    auto made = caught([&] {
      return make_questions(std::span(unknown).subspan(begin, count), std::span(*queries).subspan(begin, count));
    });
    for (std::size_t i = 0; made && i < count; ++i) questions[places[begin + i]] = std::move((*made)[i]);
  });
  return questions;
}

std::vector<Result<Episode>> Environment::reset_all(std::span<const Task> tasks) const {
  std::vector<std::string> asked;
  for (const Task& task : tasks) asked.push_back(task.question);
  const std::vector<std::string> texts = sound_questions(asked);
  const std::vector<SharedQuestion> questions = prepare_in_groups(texts);
  const auto begin_one = [&](const Task& task) -> Result<Episode> {
    const auto at = std::lower_bound(texts.begin(), texts.end(), task.question);
    const bool ready = at != texts.end() && *at == task.question && !find_invalid_utf8(task.id);
    const SharedQuestion* const question = ready ? &questions[static_cast<std::size_t>(at - texts.begin())] : nullptr;
    // Alone: what stops one must not stop the others, and its error is that of reset.
    if (question == nullptr || *question == nullptr) return reset(task);
    return start(task, **question);
  };
  std::vector<Result<Episode>> episodes(tasks.size());
  tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t i) {
    auto episode = caught([&] { return begin_one(tasks[i]); });
    episodes[i] = episode ? *std::move(episode) : tl::unexpected<Error>(std::move(episode).error());
  });
  return episodes;
}

// Visits each selection whose query the call asks for.
template <class Visit>
void Environment::each_selection(const PlannedCall& call, Visit visit) const {
  const Episode& episode = *call.episode;
  const Menu& menu = episode.menu();
  const auto visit_action = [&](const Action& action) {
    const auto selected = episode.selected();
    if (action.kind == ActionKind::kLookup) visit(query_selection(world(), selected));
    if (config().order_by_novelty == 0) return;
    auto after = episode.state().selected;
    if (action.kind == ActionKind::kSelect) after.push_back(action.sentence());
    visit(query_selection(world(), as_span(after)));
  };
  if (!call.position) {
    for (const Action& action : menu) visit_action(action);
  } else if (*call.position < menu.size()) {
    visit_action(menu[*call.position]);
  }
}

Status Environment::encode_ahead(std::span<const PlannedCall> calls) const {
  if (scoring() == Scoring::kLexical || config().compose_query != 0) return {};
  struct Target {
    const Question* question;
    std::vector<SentenceId> selection;
  };
  std::vector<std::string> texts;
  std::vector<Target> targets;  // of each text, the first that asks for it
  std::unordered_map<std::string, std::size_t> places;
  for (const PlannedCall& call : calls) {
    const Question& question = call.episode->question();
    each_selection(call, [&](std::span<const SentenceId> selection) {
      if (question.memory->query(selection)) return;
      std::string text = mixed_query(world(), question.text, selection);
      if (!places.try_emplace(text, texts.size()).second) return;
      texts.push_back(std::move(text));
      targets.push_back({&question, {selection.begin(), selection.end()}});
    });
  }
  const std::size_t bytes = kQueryBytes + sizeof(float) * index_->manifest().embedder.dim;
  const std::size_t room = options_.query_cache + (budget_->limit() - budget_->used()) / bytes;
  texts.resize(std::min(texts.size(), room));  // the others would be forgotten before they are used
  HARNESSG_ASSIGN(const auto queries, encode(texts));
  for (std::size_t i = 0; i < texts.size(); ++i) remember(*targets[i].question, targets[i].selection, queries[i]);
  return {};
}

}  // namespace harnessg
