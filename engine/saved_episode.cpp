#include "engine/saved_episode.h"

#include <xxhash.h>

#include <algorithm>

#include "engine/bytes.h"

namespace harnessg {
namespace {

constexpr std::string_view kMagic = "HGEP";

void write_action(ByteWriter& out, const Action& action) {
  out.number(action.kind);
  out.number(action.target);
  out.number(action.via);
  out.number(action.anchor);
  out.number(static_cast<std::uint8_t>(action.opens_title));
}

Action read_action(ByteReader& in, std::uint32_t version) {
  Action action;
  action.kind = in.number<ActionKind>();
  action.target = in.number<std::uint32_t>();
  action.via = in.number<SentenceId>();
  action.anchor = in.number<EntityId>();
  if (version >= 2) action.opens_title = in.number<std::uint8_t>() != 0;
  return action;
}

void write_state(ByteWriter& out, const State& state) {
  out.numbers(state.selected);
  out.number(static_cast<std::uint32_t>(state.visible.size()));
  for (const VisibleSentence& v : state.visible) {
    out.number(v.sentence);
    out.number(v.sources);
  }
  out.numbers(state.seen);
  out.numbers(state.looked_up);
  out.numbers(state.shown_entities);
  out.numbers(state.history);
  out.number(static_cast<std::uint32_t>(state.blocked.size()));
  for (const BlockedTurn& turn : state.blocked) {
    out.text(turn.text);
    out.text(turn.reason);
  }
  write_action(out, state.last);
  out.number(state.turn);
  for (const bool flag : {state.acted, state.ended, state.truncated}) out.number(static_cast<std::uint8_t>(flag));
}

State read_state(ByteReader& in, std::uint32_t version) {
  State state;
  in.numbers(state.selected);
  for (std::uint32_t n = in.count(sizeof(SentenceId) + 1); n > 0; --n) {
    const auto sentence = in.number<SentenceId>();
    state.visible.push_back({sentence, in.number<std::uint8_t>()});
  }
  in.numbers(state.seen);
  in.numbers(state.looked_up);
  in.numbers(state.shown_entities);
  in.numbers(state.history);
  for (std::uint32_t n = in.count(2 * sizeof(std::uint32_t)); n > 0; --n) {
    std::string text = in.text();
    state.blocked.push_back({std::move(text), in.text()});
  }
  state.last = read_action(in, version);
  state.turn = in.number<std::uint32_t>();
  state.acted = in.number<std::uint8_t>() != 0;
  state.ended = in.number<std::uint8_t>() != 0;
  state.truncated = in.number<std::uint8_t>() != 0;
  return state;
}

template <class List>
bool below(const List& ids, std::uint32_t count) {
  return std::all_of(ids.begin(), ids.end(), [count](const auto& id) { return index(id) < count; });
}

bool action_fits(const Action& action, const Graph& graph) {
  switch (action.kind) {
    case ActionKind::kSelect:
    case ActionKind::kAnswerWith:
      return action.target < graph.sentence_count();
    case ActionKind::kLookup:
      return action.target < graph.entity_count() &&
             (action.via == kNoSentence || index(action.via) < graph.sentence_count()) &&
             (action.anchor == kNoEntity || index(action.anchor) < graph.entity_count());
    case ActionKind::kAnswer:
      return true;
  }
  return false;
}

bool is_subset_of_seen(const State& state) {
  const auto seen = [&](SentenceId s) {
    return std::find(state.seen.begin(), state.seen.end(), s) != state.seen.end();
  };
  return std::all_of(state.selected.begin(), state.selected.end(), seen) &&
         std::all_of(state.visible.begin(), state.visible.end(), [&](const auto& v) { return seen(v.sentence); });
}

}  // namespace

std::string write_saved_episode(const SavedEpisode& saved) {
  ByteWriter out;
  out.text(kMagic);
  out.number(kSavedEpisodeVersion);
  out.text(saved.index_hash);
  out.number(saved.rules_hash);
  out.text(saved.question_id);
  out.text(saved.question);
  out.number(static_cast<std::uint32_t>(saved.answers.size()));
  for (const std::string& answer : saved.answers) out.text(answer);
  out.number(saved.seed);
  out.number(static_cast<std::uint8_t>(saved.answered));
  out.text(saved.answer);
  write_state(out, saved.state);
  out.number(XXH3_64bits(out.bytes().data(), out.bytes().size()));
  return out.take();
}

Result<SavedEpisode> read_saved_episode(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.text() != kMagic)
    return fail(ErrorCode::kCorrupt, "these {} bytes are no saved episode; give what Episode::save returned",
                bytes.size());
  const auto version = in.number<std::uint32_t>();
  if (version > kSavedEpisodeVersion) {
    return fail(ErrorCode::kUnsupportedVersion,
                "the saved episode has format {}, this engine reads up to {}; use the newer engine", version,
                kSavedEpisodeVersion);
  }
  constexpr std::size_t kChecksum = sizeof(std::uint64_t);
  const std::size_t body = bytes.size() < kChecksum ? 0 : bytes.size() - kChecksum;
  if (ByteReader(bytes.substr(body)).number<std::uint64_t>() != XXH3_64bits(bytes.data(), body)) {
    return fail(ErrorCode::kCorrupt, "the saved episode is damaged or cut short: its checksum does not hold");
  }
  SavedEpisode saved;
  saved.index_hash = in.text();
  saved.rules_hash = in.number<std::uint64_t>();
  saved.question_id = in.text();
  saved.question = in.text();
  for (std::uint32_t n = in.count(sizeof(std::uint32_t)); n > 0; --n) saved.answers.push_back(in.text());
  saved.seed = in.number<std::uint64_t>();
  saved.answered = in.number<std::uint8_t>() != 0;
  saved.answer = in.text();
  saved.state = read_state(in, version);
  in.number<std::uint64_t>();
  if (!in.ok() || !in.at_end())
    return fail(ErrorCode::kCorrupt, "the saved episode does not have the layout of format {}", version);
  return saved;
}

Status check_state(const State& state, const Graph& graph) {
  const bool nodes_exist = below(state.selected, graph.sentence_count()) && below(state.seen, graph.sentence_count()) &&
                           below(state.looked_up, graph.entity_count()) &&
                           below(state.shown_entities, graph.entity_count());
  const bool consistent = is_subset_of_seen(state) && (!state.acted || action_fits(state.last, graph)) &&
                          !(state.acted && state.last.kind == ActionKind::kSelect && state.selected.empty()) &&
                          !(state.ended && state.truncated) && state.history.size() + 1 == state.turn;
  if (nodes_exist && consistent) return {};
  return fail(ErrorCode::kCorrupt, "the saved episode does not fit the graph it names");
}

}  // namespace harnessg
