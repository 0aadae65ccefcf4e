// A graph, rules and an embedder: where episodes are played.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/embedder.h"
#include "data/index.h"
#include "data/result.h"
#include "engine/episode.h"
#include "engine/trace.h"
#include "menu/transition.h"

namespace harnessg {

struct EnvironmentOptions {
  Config config;                      // profile("released") by default
  std::size_t query_cache = 4096;     // encoded query texts kept; a bound on memory, never seen in results
  std::size_t question_cache = 1024;  // prepared questions (query, first view) kept
};

struct Task {
  std::string question;
  std::vector<std::string> answers;  // may be empty; only credit and rewards read them
  std::string id;
  std::uint64_t seed = 0;  // recorded in the trace; the environment itself draws nothing
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

  // What the action would surface; changes nothing. kInvalidArgument: not on the menu; kEnded: the search is over.
  Result<Outcome> preview(const Episode& episode, std::size_t position) const;
  Result<Outcome> preview(const Episode& episode, const Action& action) const;
  // Of the whole menu, in its order.
  Result<std::vector<Outcome>> preview_all(const Episode& episode) const;

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

  // What the episode did, by playing it again; with the SNC frontier of every lookup when asked (spec 2, section 2).
  Result<Trace> trace(const Episode& episode, bool with_frontier = false) const;

  // kCorrupt: not saved bytes, or damaged; kUnsupportedVersion; kWrongIndex with both hashes named.
  Result<Episode> restore(std::string_view bytes) const;

  const Index& index() const { return *index_; }
  const Config& config() const { return options_.config; }
  Scoring scoring() const { return relevance_->scoring(); }
  World world() const { return {index_->graph(), *relevance_, options_.config}; }

 private:
  struct Caches;
  Environment(std::shared_ptr<const Index> index, EnvironmentOptions options, std::shared_ptr<const Embedder> embedder,
              std::unique_ptr<Relevance> relevance);

  Result<Query> encode(const std::string& text) const;
  Result<std::shared_ptr<const Question>> prepare(const std::string& text) const;
  Result<Query> lookup_query(const Question& question, const State& state) const;
  Result<Transition> transition(const Question& question, const State& state, const Menu& menu,
                                std::size_t position) const;
  Result<Transition> turn(const Question& question, const State& state, const Menu& menu, std::string_view text) const;
  Outcome take(Episode& episode, Transition transition) const;

  std::shared_ptr<const Index> index_;
  EnvironmentOptions options_;
  std::shared_ptr<const Embedder> embedder_;
  std::unique_ptr<Relevance> relevance_;
  std::shared_ptr<const Episode::WorldName> name_;
  std::unique_ptr<Caches> caches_;
};

}  // namespace harnessg
