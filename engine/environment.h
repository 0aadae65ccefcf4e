// A graph, rules and an embedder: where episodes are played.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/embedder.h"
#include "data/index.h"
#include "data/result.h"
#include "engine/episode.h"
#include "engine/trace.h"
#include "menu/entity_facts.h"
#include "menu/question_links.h"
#include "menu/question_memory.h"
#include "menu/transition.h"

namespace harnessg {

struct EnvironmentOptions {
  Config config;                      // profile("released") by default
  std::size_t query_cache = 4096;     // encoded query texts kept; a bound on memory, never seen in results
  std::size_t question_cache = 1024;  // prepared questions (query, first view) kept
  // What lookups show and which entities bridge is remembered for the question's other episodes, in all at most this
  // many bytes; freed with the question, which lives as long as it is kept or an episode of it does.
  std::size_t memory_bytes = std::size_t{256} << 20;
  // The same for what is known of entities that many sentences mention, whatever the question.
  std::size_t entity_memory_bytes = std::size_t{64} << 20;
};

struct Task {
  std::string question;
  std::vector<std::string> answers;  // may be empty; only credit and rewards read them
  std::string id;
  std::uint64_t seed = 0;  // recorded in the trace; the environment itself draws nothing
};

// A call that is going to be made: the step by the action at a position of the episode's menu, or a preview of its
// whole menu. Refers to the episode.
struct PlannedCall {
  const Episode* episode = nullptr;
  std::optional<std::size_t> position;
};

// Const and thread-safe throughout; its caches change time, never results. Episodes are made by it and refer to it by
// name only.
class Environment {
 public:
  // `embedder` encodes queries; null where scoring is lexical. kInvalidArgument: settings that make no sense, dense or
  // hybrid scoring on an index without vectors; kWrongIndex: an embedder other than the index was built with;
  // kUnavailable: dense or hybrid scoring without an embedder.
  static Result<std::unique_ptr<Environment>> create(std::shared_ptr<const Index> index, EnvironmentOptions options,
                                                     std::shared_ptr<const Embedder> embedder);
  ~Environment();

  // A new episode with its first view shown (turn 1). kBadInput: no question text, broken UTF-8; and the embedder's
  // errors.
  Result<Episode> reset(const Task& task) const;

  // Makes questions ready together, so that reset finds their first views: faster than one by one, as texts are
  // embedded in one batch and the vectors read once. Texts that reset would refuse are passed over. The embedder's
  // errors.
  Status make_ready(std::span<const std::string> questions) const;

  // reset() of each, in order. All texts are embedded in one call, and first views made in groups, by the threads of
  // the oneTBB arena that the caller is in. What stops one task leaves the others alone.
  std::vector<Result<Episode>> reset_all(std::span<const Task> tasks) const;

  // Embeds in one call what these calls would embed one by one: faster where an embedder likes batches, and never seen
  // in results. Calls no embedder where nothing has to be embedded after reset (lexical scoring, composed queries). The
  // embedder's errors, which the calls concerned meet again.
  Status encode_ahead(std::span<const PlannedCall> calls) const;

  // A text made ready for scoring, kept like those of lookups. Precondition: valid UTF-8. The embedder's errors.
  Result<std::shared_ptr<const Query>> query(const std::string& text) const;

  // What the action would surface; changes nothing. kInvalidArgument: not on the menu; kEnded: the search is over.
  Result<Outcome> preview(const Episode& episode, std::size_t position) const;
  Result<Outcome> preview(const Episode& episode, const Action& action) const;
  // Of the whole menu, in its order. The second form uses the room that `outcomes` has; upon an error it is left empty.
  Result<std::vector<Outcome>> preview_all(const Episode& episode) const;
  Status preview_all(const Episode& episode, std::vector<Outcome>& outcomes) const;

  // Takes a turn. An action that is not on the menu is blocked: outcome.invalid, the state unchanged but for the turn.
  // kEnded when the search is over; and the embedder's errors, upon which the episode is as it was.
  Result<Outcome> step(Episode& episode, std::size_t position) const;
  Result<Outcome> step(Episode& episode, const Action& action) const;
  // The same from a policy's text: "A3", or anything else, which is blocked with its reason (text_protocol.h).
  Result<Outcome> step(Episode& episode, std::string_view text) const;

  // The answer text, once, after a terminal action. kInvalidArgument before it or a second time; kEnded: truncated.
  Status answer(Episode& episode, std::string text) const;

  // The text block a language model reads: a function of the episode alone (spec 1, sections 6 and 11).
  std::string observation(const Episode& episode) const;
  // The same in place of `text`, whose room is used.
  void observation(const Episode& episode, std::string& text) const;

  // Every block that the episode has shown, the first view's first, by playing it again. kWrongIndex: an episode of
  // another index or other rules; and the embedder's errors.
  Result<std::vector<std::string>> observations(const Episode& episode) const;

  // What the episode did, by playing it again; with the SNC frontier of every lookup when asked (spec 2, section 2).
  Result<Trace> trace(const Episode& episode, bool with_frontier = false) const;

  // kCorrupt: not saved bytes, or damaged; kUnsupportedVersion; kWrongIndex with both hashes named.
  Result<Episode> restore(std::string_view bytes) const;

  const Index& index() const { return *index_; }
  const Config& config() const { return options_.config; }
  Scoring scoring() const { return relevance_->scoring(); }
  World world() const { return {index_->graph(), *relevance_, options_.config, &facts_, names_.get()}; }
  // Bytes that are remembered of questions now; at most options.memory_bytes but for what threads take at one moment.
  std::size_t remembered_bytes() const { return budget_->used(); }

 private:
  struct Caches;
  Environment(std::shared_ptr<const Index> index, EnvironmentOptions options, std::shared_ptr<const Embedder> embedder,
              std::unique_ptr<Relevance> relevance);

  using SharedQuery = std::shared_ptr<const Query>;
  using SharedQuestion = std::shared_ptr<const Question>;

  Result<std::vector<SharedQuery>> encode(std::span<const std::string> texts) const;
  std::vector<SharedQuestion> make_questions(std::span<const std::string> texts,
                                             std::span<const SharedQuery> queries) const;
  std::vector<SharedQuestion> known_questions(std::span<const std::string> texts,
                                              std::vector<std::size_t>& unknown) const;
  Result<std::vector<SharedQuestion>> prepare(std::span<const std::string> texts) const;
  std::vector<SharedQuestion> prepare_in_groups(std::span<const std::string> texts) const;
  Episode start(const Task& task, const Question& prepared) const;
  template <class Visit>
  void each_selection(const PlannedCall& call, Visit visit) const;
  void remember(const Question& question, std::span<const SentenceId> selection, const SharedQuery& query) const;
  Result<SharedQuery> lookup_query(const Question& question, std::span<const SentenceId> selected) const;
  Result<SharedQuery> query_after(const Question& question, const State& state, const Action& action) const;
  Status lookup_views(const Question& question, const State& state, std::span<const EntityId> entities,
                      std::span<RankedView> views) const;
  Result<Transition> transition(const Question& question, const State& state, const Menu& menu, std::size_t position,
                                const RankedView* view) const;
  Result<Transition> transition(const Question& question, const State& state, const Menu& menu,
                                std::size_t position) const;
  Result<Transition> turn(const Question& question, const State& state, const Menu& menu, std::string_view text) const;
  Outcome take(Episode& episode, Transition transition) const;
  Status check_own(const Episode& episode) const;

  std::shared_ptr<const Index> index_;
  EnvironmentOptions options_;
  std::shared_ptr<const Embedder> embedder_;
  std::unique_ptr<Relevance> relevance_;
  EntityFacts facts_;
  std::unique_ptr<const NameTable> names_;  // where the rules use names
  std::shared_ptr<MemoryBudget> budget_;
  std::shared_ptr<const Episode::WorldName> name_;
  std::unique_ptr<Caches> caches_;
};

}  // namespace harnessg
