// What an episode did, step by step, with provenance: plain data, JSON both ways (docs/trace.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/result.h"
#include "menu/state.h"

namespace harnessg {

inline constexpr std::uint32_t kTraceVersion = 1;

// How an episode was played: by menu, by free text, or by free text that was mapped to lookups (free_query.h).
inline constexpr std::string_view kArmMenu = "menu";
inline constexpr std::string_view kArmFreeQuery = "free_query";
inline constexpr std::string_view kArmMatched = "free_query_matched";

enum class Event : std::uint8_t { kInit, kSelect, kAnswerWith, kLookup, kAnswer, kInvalid, kQuery };
// "INIT", "SELECT", "ANSWER_WITH", "LOOKUP", "ANSWER", "INVALID_ACTION", "QUERY"
std::string_view event_name(Event event);

// What one action surfaced, produced and consumed (spec 1, section 5).
struct TraceOutcome {
  std::vector<SentenceId> sentences;
  std::vector<SentenceId> new_sentences;
  std::vector<EntityId> entities;
  std::vector<EntityId> produced_entities;
  std::vector<SentenceId> consumed_sentences;
  std::vector<EntityId> used_entities;

  friend bool operator==(const TraceOutcome&, const TraceOutcome&) = default;
};

// Another lookup of the same menu, previewed.
struct Alternative {
  std::uint32_t position = 0;  // on the menu: action id "A<position>"
  TraceOutcome outcome;

  friend bool operator==(const Alternative&, const Alternative&) = default;
};

struct TraceStep {
  std::uint32_t turn = 0;  // from 1, the first view
  Event event = Event::kInit;
  // Of the action on the menu before; absent for INIT and blocked turns, and where free text was not mapped to one.
  std::optional<std::uint32_t> position;
  std::string text;  // what a blocked turn said, and a query
  std::string invalid_reason;
  TraceOutcome outcome;
  std::string query;                  // of a lookup or a query: what its candidates were ranked by
  Menu menu_before;                   // empty for INIT, and by free text
  Menu menu;                          // after the step
  std::vector<Alternative> frontier;  // of a lookup, when recorded
  std::uint32_t frontier_duplicates_skipped = 0;

  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

struct TraceSentence {
  std::string paragraph;  // record id
  std::string title;
  std::uint32_t position = 0;
  std::string text;

  friend bool operator==(const TraceSentence&, const TraceSentence&) = default;
};

struct TraceEntity {
  std::string name;
  std::string label;

  friend bool operator==(const TraceEntity&, const TraceEntity&) = default;
};

struct Trace {
  std::uint32_t version = kTraceVersion;
  std::string tool_version;
  std::string arm = std::string(kArmMenu);  // one of the names above
  std::string index_hash;
  std::string embedder;  // name, "none" without vectors
  std::string scoring;
  std::vector<std::pair<std::string, std::string>> settings;  // fields(config), the profile among them
  std::uint64_t seed = 0;
  std::string question_id;
  std::string question;
  std::vector<std::string> answers;
  bool with_frontier = false;  // frontiers were recorded
  std::vector<TraceStep> steps;
  std::vector<SentenceId> selected;
  std::vector<SentenceId> seen;
  std::uint32_t turns = 0;
  bool ended = false;
  bool truncated = false;
  std::optional<std::string> answer;
  // Every sentence and entity that a step names, so that a reader needs no index.
  std::map<std::uint32_t, TraceSentence> sentences;
  std::map<std::uint32_t, TraceEntity> entities;

  friend bool operator==(const Trace&, const Trace&) = default;
};

// One line of JSON, stable: same trace, same bytes.
std::string to_json(const Trace& trace);
// kBadInput with what is missing or wrong; kUnsupportedVersion for a newer trace.
Result<Trace> trace_from_json(std::string_view json);

}  // namespace harnessg
