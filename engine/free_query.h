// The free-query arm: the same environment played by text instead of by menu (spec 1, section 9). For comparison only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"
#include "engine/environment.h"
#include "engine/episode.h"
#include "engine/trace.h"

namespace harnessg {

struct FreeQueryOptions {
  // False: a query shows the best sentences of the whole index. True: it is mapped to the nearest lookup of the menu
  // that the state would have, and shows what that lookup shows.
  bool transition_matched = false;
};

// What one query did. Plain data.
struct QueryOutcome {
  std::vector<SentenceId> sentences;      // shown, best first
  std::vector<SentenceId> new_sentences;  // of those, never seen before
  std::optional<Action> lookup;           // that the query was mapped to, where it is transition-matched
  bool truncated = false;                 // the turn budget ran out with it
  bool invalid = false;                   // no query: nothing changed but the turn
  std::string invalid_reason;

  friend bool operator==(const QueryOutcome&, const QueryOutcome&) = default;
};

// A value, as Episode is one: copies are clones, and it may outlive the arm. One thread at a time per episode.
class FreeQueryEpisode {
 public:
  // On display, best first: the first view, or what the last query showed.
  std::span<const SentenceId> visible() const { return visible_; }
  // Every sentence shown so far, in order of first sight. Position n is display id "Sn".
  std::span<const SentenceId> seen() const { return seen_; }
  std::uint32_t turn() const { return turn_; }  // the first view is 1; queries, blocked ones too, and the answer count
  bool ended() const { return answer_.has_value(); }
  bool truncated() const { return truncated_; }  // the budget ran out before the answer
  bool over() const { return ended() || truncated_; }
  const std::optional<std::string>& answer() const { return answer_; }
  const Question& question() const { return walk_.question(); }
  std::uint64_t seed() const { return walk_.seed(); }
  // The texts given so far, in order: playing them again makes an equal episode.
  std::vector<std::string> queries() const;

  friend bool operator==(const FreeQueryEpisode& a, const FreeQueryEpisode& b);

 private:
  friend class FreeQueryArm;  // the only one that makes and changes episodes

  struct Turn {
    std::string text;
    QueryOutcome outcome;
    std::uint32_t position = 0;  // of outcome.lookup on its menu

    friend bool operator==(const Turn&, const Turn&) = default;
  };

  // The walk through the graph that stands for it: at its first view, or with the lookups that were matched.
  Episode walk_;
  std::vector<Turn> turns_;
  std::vector<SentenceId> visible_;
  std::vector<SentenceId> seen_;
  std::uint32_t turn_ = 0;
  bool truncated_ = false;
  std::optional<std::string> answer_;
};

// Const and thread-safe. Starts with the first view of the environment, uses its embedder, its turn budget, its bound
// on visible sentences and its traces.
class FreeQueryArm {
 public:
  explicit FreeQueryArm(std::shared_ptr<const Environment> environment, FreeQueryOptions options = {})
      : environment_(std::move(environment)), options_(options) {}

  // As Environment::reset.
  Result<FreeQueryEpisode> reset(const Task& task) const;

  // Takes a turn. A text without a word, or that is no UTF-8, is blocked, as is one for which the state has no lookup
  // where queries are transition-matched. The nearest lookup is the one whose entity scores best against the text, of
  // several the first on the menu. kEnded when the search is over; the embedder's errors, upon which the episode is as
  // it was.
  Result<QueryOutcome> step(FreeQueryEpisode& episode, std::string_view query) const;

  // Ends the search with the answer's text and takes a turn, as ANSWER does. kEnded when the search is over; kBadInput:
  // no valid UTF-8.
  Status answer(FreeQueryEpisode& episode, std::string text) const;

  // The text block a language model reads, in the layout of the menu's (spec 1, section 6) without a menu.
  std::string observation(const FreeQueryEpisode& episode) const;

  // Of arm "free_query" or "free_query_matched". A query is an event QUERY with its text; SNC is not defined on it.
  Result<Trace> trace(const FreeQueryEpisode& episode) const;

  const Environment& environment() const { return *environment_; }
  bool transition_matched() const { return options_.transition_matched; }

 private:
  Result<QueryOutcome> show_best(FreeQueryEpisode& episode, const std::string& text) const;
  Result<QueryOutcome> take_nearest(FreeQueryEpisode& episode, const std::string& text, std::uint32_t& position) const;
  void show(FreeQueryEpisode& episode, QueryOutcome& outcome) const;
  void spend_turn(FreeQueryEpisode& episode) const;

  std::shared_ptr<const Environment> environment_;
  FreeQueryOptions options_;
};

}  // namespace harnessg
