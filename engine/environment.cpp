#include "engine/environment.h"

#include <xxhash.h>

#include <algorithm>

#include "data/text.h"
#include "data/version.h"
#include "engine/environment_caches.h"
#include "engine/saved_episode.h"
#include "engine/text_protocol.h"
#include "engine/trace_recorder.h"
#include "menu/bridge.h"
#include "menu/initial_view.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

std::uint64_t hash_rules(const Config& config, Scoring scoring) {
  std::string text(scoring_name(scoring));
  for (const auto& [name, value] : fields(config)) text.append(1, '\n').append(name).append(1, '=').append(value);
  return XXH3_64bits(text.data(), text.size());
}

Status check_embedder(const Index& index, const Embedder* embedder) {
  const EmbedderInfo& built = index.manifest().embedder;
  if (embedder == nullptr) {
    return fail(ErrorCode::kUnavailable,
                "the index {} scores with vectors of \"{}\": give that embedder, or set scoring=lexical",
                index.path().string(), built.name);
  }
  const EmbedderInfo& given = embedder->info();
  if (given.name == built.name && given.version == built.version && given.dim == built.dim) return {};
  return fail(ErrorCode::kWrongIndex,
              "the index {} was built with embedder {} {} ({} dimensions), not with {} {} ({}); give the same one or "
              "build anew",
              index.path().string(), built.name, built.version, built.dim, given.name, given.version, given.dim);
}

Result<std::unique_ptr<Relevance>> make_relevance(const Index& index, const Config& config, const Embedder* embedder) {
  const Scoring with_vectors = config.prefer_hybrid != 0 ? Scoring::kHybrid : Scoring::kDense;
  const Scoring scoring = config.scoring.value_or(index.vectors() != nullptr ? with_vectors : Scoring::kLexical);
  if (scoring == Scoring::kLexical) return make_lexical_relevance(index.lexicon());
  if (index.vectors() == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                "{} scoring needs vectors and the index {} was built with embedder \"none\"; build it with an embedder "
                "or set scoring=lexical",
                scoring_name(scoring), index.path().string());
  }
  HARNESSG_RETURN_IF_ERROR(check_embedder(index, embedder));
  if (scoring == Scoring::kDense) return make_dense_relevance(*index.vectors());
  return make_hybrid_relevance(index.lexicon(), *index.vectors(), config.hybrid);
}

Status check_task(const Task& task) {
  for (const std::string* text : {&task.question, &task.id}) {
    if (const auto at = find_invalid_utf8(*text))
      return fail(ErrorCode::kBadInput, "the question is no valid UTF-8 at byte {}; decode it first", *at);
  }
  if (!split_words(task.question).empty()) return {};
  return fail(ErrorCode::kBadInput, "the question is empty; give a question in words");
}

Status check_open(const Episode& episode) {
  if (!episode.over()) return {};
  return fail(ErrorCode::kEnded, "the search is over ({}); reset for a new episode",
              episode.ended() ? "it ended with an answer action" : "the turn budget ran out");
}

std::string describe(const Action& action) {
  switch (action.kind) {
    case ActionKind::kSelect:
      return fmt::format("SELECT sentence {}", action.target);
    case ActionKind::kAnswerWith:
      return fmt::format("ANSWER_WITH sentence {}", action.target);
    case ActionKind::kLookup:
      return fmt::format("LOOKUP entity {}", action.target);
    case ActionKind::kAnswer:
      break;
  }
  return "ANSWER";
}

std::size_t position_of(const Menu& menu, const Action& action) {
  return static_cast<std::size_t>(std::find(menu.begin(), menu.end(), action) - menu.begin());
}

std::string unavailable(std::string_view what) { return fmt::format("unknown or unavailable action id: {}", what); }

}  // namespace

Environment::Environment(std::shared_ptr<const Index> index, EnvironmentOptions options,
                         std::shared_ptr<const Embedder> embedder, std::unique_ptr<Relevance> relevance)
    : index_(std::move(index)),
      options_(std::move(options)),
      embedder_(std::move(embedder)),
      relevance_(std::move(relevance)),
      facts_(index_->graph(), options_.config, options_.entity_memory_bytes),
      names_(uses_names(options_.config) ? new NameTable(index_->graph()) : nullptr),
      budget_(std::make_shared<MemoryBudget>(options_.memory_bytes)),
      name_(std::make_shared<Episode::WorldName>(
          Episode::WorldName{index_->manifest().content_hash, hash_rules(options_.config, relevance_->scoring())})),
      caches_(
          new Caches{LruCache<SharedQuery>(options_.query_cache), LruCache<SharedQuestion>(options_.question_cache)}) {}

Environment::~Environment() = default;

Result<std::unique_ptr<Environment>> Environment::create(std::shared_ptr<const Index> index, EnvironmentOptions options,
                                                         std::shared_ptr<const Embedder> embedder) {
  HARNESSG_RETURN_IF_ERROR(validate(options.config));
  HARNESSG_ASSIGN(auto relevance, make_relevance(*index, options.config, embedder.get()));
  return std::unique_ptr<Environment>(
      new Environment(std::move(index), std::move(options), std::move(embedder), std::move(relevance)));
}

Result<Episode> Environment::reset(const Task& task) const {
  HARNESSG_RETURN_IF_ERROR(check_task(task));
  HARNESSG_ASSIGN(const auto prepared, prepare(std::span(&task.question, 1)));
  return start(task, *prepared.front());
}

Episode Environment::start(const Task& task, const Question& prepared) const {
  auto question = std::make_shared<Question>(prepared);
  question->id = task.id;
  question->answers = task.answers;
  Episode episode;
  episode.world_ = name_;
  episode.seed_ = task.seed;
  Transition first = begin(world(), *question);
  episode.question_ = std::move(question);
  take(episode, std::move(first));
  return episode;
}

Result<Environment::SharedQuery> Environment::lookup_query(const Question& question,
                                                           std::span<const SentenceId> selected) const {
  const auto key = query_selection(world(), selected);
  if (auto known = question.memory->query(key)) return known;
  SharedQuery query;
  if (config().compose_query != 0) {
    query = std::make_shared<Query>(composed_query(world(), question, key));
  } else {
    const std::string text = mixed_query(world(), question.text, key);
    HARNESSG_ASSIGN(const auto queries, encode(std::span(&text, 1)));
    query = queries.front();
  }
  remember(question, key, query);
  return query;
}

void Environment::remember(const Question& question, std::span<const SentenceId> selection,
                           const SharedQuery& query) const {
  const std::size_t bytes = query->vector.size() * sizeof(float) + query->terms.size() * sizeof(TermCount);
  question.memory->remember(selection, query, bytes);
}

// What lookups of the entities would show: from memory, or computed together.
Status Environment::lookup_views(const Question& question, const State& state, std::span<const EntityId> entities,
                                 std::span<RankedView> views) const {
  const auto selected = as_span(state.selected);
  SmallVector<std::size_t, 16> unknown;
  question.memory->find(query_selection(world(), selected), entities, views, unknown);
  if (unknown.empty()) return {};
  HARNESSG_ASSIGN(const SharedQuery query, lookup_query(question, selected));
  remembered_lookup_views(world(), question, selected, *query, entities, views);
  return {};
}

// The query of lookups made after the action; null where no menu asks for it.
Result<Environment::SharedQuery> Environment::query_after(const Question& question, const State& state,
                                                          const Action& action) const {
  if (config().order_by_novelty == 0) return SharedQuery();
  auto selected = state.selected;
  if (action.kind == ActionKind::kSelect) selected.push_back(action.sentence());
  return lookup_query(question, as_span(selected));
}

Result<Transition> Environment::transition(const Question& question, const State& state, const Menu& menu,
                                           std::size_t position, const RankedView* view) const {
  HARNESSG_ASSIGN(const SharedQuery next_query, query_after(question, state, menu[position]));
  return advance(world(), question, state, menu, position, Given{view, next_query.get()});
}

Result<Transition> Environment::transition(const Question& question, const State& state, const Menu& menu,
                                           std::size_t position) const {
  RankedView view;
  if (menu[position].kind == ActionKind::kLookup) {
    const EntityId entity = menu[position].entity();
    HARNESSG_RETURN_IF_ERROR(lookup_views(question, state, std::span(&entity, 1), std::span(&view, 1)));
  }
  return transition(question, state, menu, position, &view);
}

Result<Outcome> Environment::preview(const Episode& episode, std::size_t position) const {
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  if (position >= episode.menu().size()) {
    return fail(ErrorCode::kInvalidArgument, "there is no action A{} on the menu of {}", position,
                episode.menu().size());
  }
  HARNESSG_ASSIGN(Transition step, transition(*episode.question_, episode.state_, episode.menu_, position));
  return std::move(step.outcome);
}

Result<Outcome> Environment::preview(const Episode& episode, const Action& action) const {
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  const std::size_t position = position_of(episode.menu_, action);
  if (position == episode.menu_.size())
    return fail(ErrorCode::kInvalidArgument, "{} is not on the menu", describe(action));
  return preview(episode, position);
}

Result<std::vector<Outcome>> Environment::preview_all(const Episode& episode) const {
  std::vector<Outcome> outcomes;
  HARNESSG_RETURN_IF_ERROR(preview_all(episode, outcomes));
  return outcomes;
}

Status Environment::preview_all(const Episode& episode, std::vector<Outcome>& outcomes) const {
  outcomes.clear();
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  const Menu& menu = episode.menu();
  SmallVector<EntityId, 16> entities;
  for (const Action& action : menu) {
    if (action.kind == ActionKind::kLookup) entities.push_back(action.entity());
  }
  SmallVector<RankedView, 16> views(entities.size());
  HARNESSG_RETURN_IF_ERROR(lookup_views(*episode.question_, episode.state_, as_span(entities), as_span(views)));
  outcomes.reserve(menu.size());
  std::size_t lookup = 0;
  for (std::size_t i = 0; i < menu.size(); ++i) {
    const RankedView* view = menu[i].kind == ActionKind::kLookup ? &views[lookup++] : nullptr;
    auto next = transition(*episode.question_, episode.state_, menu, i, view);
    if (!next) {
      outcomes.clear();
      return tl::unexpected<Error>(std::move(next).error());
    }
    outcomes.push_back(std::move(next->outcome));
  }
  return {};
}

Outcome Environment::take(Episode& episode, Transition transition) const {
  episode.state_ = std::move(transition.next);
  episode.menu_ = transition.outcome.menu;
  return std::move(transition.outcome);
}

Result<Outcome> Environment::step(Episode& episode, std::size_t position) const {
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  if (position >= episode.menu().size()) {
    const std::string id = fmt::format("A{}", position);
    return take(episode, block(world(), episode.state_, episode.menu_, id, unavailable(id)));
  }
  HARNESSG_ASSIGN(Transition next, transition(*episode.question_, episode.state_, episode.menu_, position));
  return take(episode, std::move(next));
}

Result<Outcome> Environment::step(Episode& episode, const Action& action) const {
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  const std::size_t position = position_of(episode.menu_, action);
  if (position < episode.menu_.size()) return step(episode, position);
  return take(episode, block(world(), episode.state_, episode.menu_, describe(action), unavailable(describe(action))));
}

Result<Outcome> Environment::step(Episode& episode, std::string_view text) const {
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  HARNESSG_ASSIGN(Transition next, turn(*episode.question_, episode.state_, episode.menu_, text));
  return take(episode, std::move(next));
}

Result<Transition> Environment::turn(const Question& question, const State& state, const Menu& menu,
                                     std::string_view text) const {
  if (const auto at = find_invalid_utf8(text)) {
    return block(world(), state, menu, std::string(text.substr(0, *at)), fmt::format("no valid UTF-8 at byte {}", *at));
  }
  ParsedAction parsed = parse_action(text, /*initialized=*/true, menu.size());
  if (!parsed.valid()) return block(world(), state, menu, std::string(text), std::move(parsed.invalid_reason));
  return transition(question, state, menu, *parsed.position);
}

Status Environment::answer(Episode& episode, std::string text) const {
  if (const auto at = find_invalid_utf8(text))
    return fail(ErrorCode::kBadInput, "the answer is no valid UTF-8 at byte {}", *at);
  if (episode.answered_)
    return fail(ErrorCode::kInvalidArgument, "the episode has its answer already: \"{}\"", episode.answer_);
  if (episode.truncated())
    return fail(ErrorCode::kEnded, "the turn budget ran out before an answer action; reset for a new episode");
  if (!episode.ended())
    return fail(ErrorCode::kInvalidArgument, "take ANSWER or ANSWER_WITH before giving the answer text");
  episode.answered_ = true;
  episode.answer_ = std::move(text);
  return {};
}

std::string Environment::observation(const Episode& episode) const {
  std::string text;
  text.reserve(4096);
  observation(episode, text);
  return text;
}

void Environment::observation(const Episode& episode, std::string& text) const {
  render_observation(world(), episode.question(), episode.state(), episode.menu(), text);
}

Status Environment::check_own(const Episode& episode) const {
  if (episode.index_hash() == name_->index_hash && episode.rules_hash() == name_->rules_hash) return {};
  return fail(ErrorCode::kWrongIndex,
              "the episode belongs to index {} with settings {:016x}, not to this environment ({}, {:016x})",
              episode.index_hash(), episode.rules_hash(), name_->index_hash, name_->rules_hash);
}

Result<std::vector<std::string>> Environment::observations(const Episode& episode) const {
  HARNESSG_RETURN_IF_ERROR(check_own(episode));
  const Question& question = episode.question();
  HARNESSG_ASSIGN(Episode walk, reset({question.text, question.answers, question.id, episode.seed()}));
  std::vector<std::string> shown{observation(walk)};
  std::size_t blocked = 0;
  for (const std::uint16_t position : episode.state_.history) {
    if (position == kBlocked) {
      const BlockedTurn& turn = episode.state_.blocked[blocked++];
      take(walk, block(world(), walk.state_, walk.menu_, turn.text, turn.reason));
    } else {
      HARNESSG_RETURN_IF_ERROR(step(walk, std::size_t{position}));
    }
    shown.push_back(observation(walk));
  }
  return shown;
}

Result<Trace> Environment::trace(const Episode& episode, bool with_frontier) const {
  HARNESSG_RETURN_IF_ERROR(check_own(episode));
  Trace trace;
  trace.tool_version = kToolVersion;
  trace.index_hash = name_->index_hash;
  trace.embedder = index_->manifest().embedder.name;
  trace.scoring = scoring_name(scoring());
  trace.settings = fields(config());
  trace.seed = episode.seed();
  trace.with_frontier = with_frontier;
  if (episode.answered()) trace.answer = episode.answer();
  const Replay replay{[&](const State& state, std::span<const EntityId> entities, std::span<RankedView> found) {
                        return lookup_views(episode.question(), state, entities, found);
                      },
                      [&](const State& state, const Menu& menu, std::size_t position, const RankedView* view) {
                        return transition(episode.question(), state, menu, position, view);
                      }};
  HARNESSG_RETURN_IF_ERROR(record_steps(world(), episode.question(), episode.state(), replay, trace));
  return trace;
}

Result<Episode> Environment::restore(std::string_view bytes) const {
  HARNESSG_ASSIGN(SavedEpisode saved, read_saved_episode(bytes));
  if (saved.index_hash != name_->index_hash) {
    return fail(ErrorCode::kWrongIndex, "the episode was saved on index {}, this is index {}; open the other one",
                saved.index_hash, name_->index_hash);
  }
  if (saved.rules_hash != name_->rules_hash) {
    return fail(
        ErrorCode::kWrongIndex,
        "the episode was saved under other settings ({:016x}) than these ({:016x}); use the same profile and settings",
        saved.rules_hash, name_->rules_hash);
  }
  HARNESSG_RETURN_IF_ERROR(check_state(saved.state, index_->graph()));
  HARNESSG_ASSIGN(Episode episode, reset({saved.question, saved.answers, saved.question_id, saved.seed}));
  episode.state_ = std::move(saved.state);
  const BridgeRows rows = rows_for_menu(world(), *episode.question_, episode.state_);
  HARNESSG_ASSIGN(const SharedQuery query, lookup_query(*episode.question_, as_span(episode.state_.selected)));
  episode.menu_ = make_menu(world(), *episode.question_, episode.state_, as_span(rows), *query);
  episode.answered_ = saved.answered;
  episode.answer_ = std::move(saved.answer);
  return episode;
}

}  // namespace harnessg
