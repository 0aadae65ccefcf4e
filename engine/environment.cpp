#include "engine/environment.h"

#include <xxhash.h>

#include <algorithm>

#include "data/text.h"
#include "data/version.h"
#include "engine/lru_cache.h"
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
  const Scoring scoring = config.scoring.value_or(index.vectors() != nullptr ? Scoring::kDense : Scoring::kLexical);
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

struct Environment::Caches {
  LruCache<Query> queries;
  LruCache<std::shared_ptr<const Question>> questions;
};

Environment::Environment(std::shared_ptr<const Index> index, EnvironmentOptions options,
                         std::shared_ptr<const Embedder> embedder, std::unique_ptr<Relevance> relevance)
    : index_(std::move(index)),
      options_(std::move(options)),
      embedder_(std::move(embedder)),
      relevance_(std::move(relevance)),
      name_(std::make_shared<Episode::WorldName>(
          Episode::WorldName{index_->manifest().content_hash, hash_rules(options_.config, relevance_->scoring())})),
      caches_(new Caches{LruCache<Query>(options_.query_cache),
                         LruCache<std::shared_ptr<const Question>>(options_.question_cache)}) {}

Environment::~Environment() = default;

Result<std::unique_ptr<Environment>> Environment::create(std::shared_ptr<const Index> index, EnvironmentOptions options,
                                                         std::shared_ptr<const Embedder> embedder) {
  HARNESSG_RETURN_IF_ERROR(validate(options.config));
  HARNESSG_ASSIGN(auto relevance, make_relevance(*index, options.config, embedder.get()));
  return std::unique_ptr<Environment>(
      new Environment(std::move(index), std::move(options), std::move(embedder), std::move(relevance)));
}

Result<Query> Environment::encode(const std::string& text) const {
  if (auto known = caches_->queries.find(text)) return *std::move(known);
  Query query;
  if (scoring() != Scoring::kDense) query.terms = index_->lexicon().query(text);
  if (scoring() != Scoring::kLexical) {
    HARNESSG_ASSIGN(Matrix vectors, embedder_->embed_queries(std::span(&text, 1)));
    query.vector = std::move(vectors.values);
  }
  caches_->queries.insert(text, query);
  return query;
}

Result<std::shared_ptr<const Question>> Environment::prepare(const std::string& text) const {
  if (auto known = caches_->questions.find(text)) return *std::move(known);
  auto question = std::make_shared<Question>();
  question->text = text;
  HARNESSG_ASSIGN(question->query, encode(text));
  const FirstViewLists lists = first_view_lists(world(), question->query);
  question->first_view = fuse(config(), lists);
  const std::size_t nearest = std::min<std::size_t>(lists.entities.size(), config().nearest_entities);
  for (std::size_t i = 0; i < nearest; ++i) question->nearest_entities.push_back(EntityId{lists.entities[i].id});
  caches_->questions.insert(text, question);
  return question;
}

Result<Episode> Environment::reset(const Task& task) const {
  for (const std::string* text : {&task.question, &task.id}) {
    if (const auto at = find_invalid_utf8(*text))
      return fail(ErrorCode::kBadInput, "the question is no valid UTF-8 at byte {}; decode it first", *at);
  }
  if (split_words(task.question).empty())
    return fail(ErrorCode::kBadInput, "the question is empty; give a question in words");
  HARNESSG_ASSIGN(auto prepared, prepare(task.question));
  auto question = std::make_shared<Question>(*prepared);
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

Result<Query> Environment::lookup_query(const Question& question, const State& state) const {
  return encode(mixed_query(world(), question.text, {state.selected.data(), state.selected.size()}));
}

Result<Transition> Environment::transition(const Question& question, const State& state, const Menu& menu,
                                           std::size_t position) const {
  Query query;
  if (menu[position].kind == ActionKind::kLookup) {
    HARNESSG_ASSIGN(query, lookup_query(question, state));
  }
  return advance(world(), question, state, menu, position, query);
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
  HARNESSG_RETURN_IF_ERROR(check_open(episode));
  const Menu& menu = episode.menu();
  Query query;  // one for all lookups of the menu
  if (std::any_of(menu.begin(), menu.end(), [](const Action& action) { return action.kind == ActionKind::kLookup; })) {
    HARNESSG_ASSIGN(query, lookup_query(*episode.question_, episode.state_));
  }
  std::vector<Outcome> outcomes;
  outcomes.reserve(menu.size());
  for (std::size_t i = 0; i < menu.size(); ++i) {
    outcomes.push_back(advance(world(), *episode.question_, episode.state_, menu, i, query).outcome);
  }
  return outcomes;
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
  return render_observation(world(), episode.question(), episode.state(), episode.menu());
}

Result<Trace> Environment::trace(const Episode& episode, bool with_frontier) const {
  if (episode.index_hash() != name_->index_hash || episode.rules_hash() != name_->rules_hash) {
    return fail(ErrorCode::kWrongIndex,
                "the episode belongs to index {} with settings {:016x}, not to this environment ({}, {:016x})",
                episode.index_hash(), episode.rules_hash(), name_->index_hash, name_->rules_hash);
  }
  Trace trace;
  trace.tool_version = kToolVersion;
  trace.index_hash = name_->index_hash;
  trace.embedder = index_->manifest().embedder.name;
  trace.scoring = scoring_name(scoring());
  trace.settings = fields(config());
  trace.seed = episode.seed();
  trace.with_frontier = with_frontier;
  if (episode.answered()) trace.answer = episode.answer();
  HARNESSG_RETURN_IF_ERROR(record_steps(
      world(), episode.question(), episode.state(), [this](const std::string& text) { return encode(text); }, trace));
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
  episode.menu_ = make_menu(world(), episode.state_, rows_for_menu(world(), *episode.question_, episode.state_));
  episode.answered_ = saved.answered;
  episode.answer_ = std::move(saved.answer);
  return episode;
}

}  // namespace harnessg
