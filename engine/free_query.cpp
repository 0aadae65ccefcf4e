#include "engine/free_query.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "data/text.h"
#include "engine/trace_recorder.h"

namespace harnessg {
namespace {

QueryOutcome blocked(std::string reason) {
  QueryOutcome outcome;
  outcome.invalid = true;
  outcome.invalid_reason = std::move(reason);
  return outcome;
}

// Why a text is no query; "" when it is one.
std::string why_no_query(std::string_view text) {
  if (const auto at = find_invalid_utf8(text)) return fmt::format("no valid UTF-8 at byte {}", *at);
  return split_words(text).empty() ? "expected a search query in words" : "";
}

// What is ranked by: the words, joined by single spaces.
std::string as_query(std::string_view text) { return fmt::format("{}", fmt::join(split_words(text), " ")); }

// Entities of some sentences, ascending, each once.
std::vector<EntityId> entities_of(const Graph& graph, std::span<const SentenceId> sentences) {
  std::vector<EntityId> entities;
  for (const SentenceId s : sentences) {
    const auto row = graph.entities(s);
    entities.insert(entities.end(), row.begin(), row.end());
  }
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  return entities;
}

TraceStep blocked_step(const std::string& text, const QueryOutcome& outcome) {
  TraceStep step;
  step.event = Event::kInvalid;
  step.text = text;
  step.invalid_reason = outcome.invalid_reason;
  return step;
}

// A query builds on nothing that was selected or looked up: it has no provenance but what it shows.
TraceStep query_step(const Graph& graph, const std::string& text, const QueryOutcome& outcome) {
  TraceStep step;
  step.event = Event::kQuery;
  step.text = text;
  step.query = as_query(text);
  step.outcome.sentences = outcome.sentences;
  step.outcome.new_sentences = outcome.new_sentences;
  step.outcome.entities = entities_of(graph, outcome.sentences);
  step.outcome.produced_entities = entities_of(graph, outcome.new_sentences);
  return step;
}

}  // namespace

std::vector<std::string> FreeQueryEpisode::queries() const {
  std::vector<std::string> texts;
  for (const Turn& turn : turns_) texts.push_back(turn.text);
  return texts;
}

bool operator==(const FreeQueryEpisode& a, const FreeQueryEpisode& b) {
  return a.walk_ == b.walk_ && a.turns_ == b.turns_ && a.answer_ == b.answer_;
}

Result<FreeQueryEpisode> FreeQueryArm::reset(const Task& task) const {
  FreeQueryEpisode episode;
  HARNESSG_ASSIGN(episode.walk_, environment_->reset(task));
  for (const VisibleSentence& shown : episode.walk_.visible()) episode.visible_.push_back(shown.sentence);
  episode.seen_.assign(episode.walk_.seen().begin(), episode.walk_.seen().end());
  episode.turn_ = episode.walk_.turn();
  return episode;
}

Result<QueryOutcome> FreeQueryArm::step(FreeQueryEpisode& episode, std::string_view query) const {
  if (episode.over()) {
    return fail(ErrorCode::kEnded, "the search is over ({}); reset for a new episode",
                episode.ended() ? "its answer was given" : "the turn budget ran out");
  }
  FreeQueryEpisode::Turn turn;
  turn.text = query.substr(0, find_invalid_utf8(query).value_or(query.size()));
  if (std::string reason = why_no_query(query); !reason.empty()) {
    turn.outcome = blocked(std::move(reason));
  } else if (options_.transition_matched) {
    HARNESSG_ASSIGN(turn.outcome, take_nearest(episode, turn.text, turn.position));
  } else {
    HARNESSG_ASSIGN(turn.outcome, show_best(episode, turn.text));
  }
  spend_turn(episode);
  turn.outcome.truncated = episode.truncated_;
  episode.turns_.push_back(turn);
  return std::move(turn.outcome);
}

Result<QueryOutcome> FreeQueryArm::show_best(FreeQueryEpisode& episode, const std::string& text) const {
  HARNESSG_ASSIGN(const auto query, environment_->query(as_query(text)));
  const World world = environment_->world();
  QueryOutcome outcome;
  for (const Scored& best : world.relevance.best(*query, NodeKind::kSentence, world.config.visible_sentences))
    outcome.sentences.push_back(SentenceId{best.id});
  show(episode, outcome);
  return outcome;
}

Result<QueryOutcome> FreeQueryArm::take_nearest(FreeQueryEpisode& episode, const std::string& text,
                                                std::uint32_t& position) const {
  std::vector<std::uint32_t> positions, entities;
  const Menu& menu = episode.walk_.menu();
  for (std::uint32_t i = 0; i < menu.size(); ++i) {
    if (menu[i].kind != ActionKind::kLookup) continue;
    positions.push_back(i);
    entities.push_back(menu[i].target);
  }
  if (positions.empty()) return blocked("there is no lookup here that a query could be mapped to");
  HARNESSG_ASSIGN(const auto query, environment_->query(as_query(text)));
  std::vector<float> scores(entities.size());
  environment_->world().relevance.score(*query, NodeKind::kEntity, entities, scores);
  position = positions[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin())];
  QueryOutcome outcome;
  outcome.lookup = menu[position];
  HARNESSG_ASSIGN(const Outcome taken, environment_->step(episode.walk_, std::size_t{position}));
  outcome.sentences.assign(taken.sentences.begin(), taken.sentences.end());
  show(episode, outcome);
  return outcome;
}

void FreeQueryArm::show(FreeQueryEpisode& episode, QueryOutcome& outcome) const {
  episode.visible_ = outcome.sentences;
  for (const SentenceId s : outcome.sentences) {
    if (std::find(episode.seen_.begin(), episode.seen_.end(), s) != episode.seen_.end()) continue;
    episode.seen_.push_back(s);
    outcome.new_sentences.push_back(s);
  }
}

void FreeQueryArm::spend_turn(FreeQueryEpisode& episode) const {
  ++episode.turn_;
  episode.truncated_ = !episode.ended() && episode.turn_ >= environment_->config().turn_budget;
}

Status FreeQueryArm::answer(FreeQueryEpisode& episode, std::string text) const {
  if (const auto at = find_invalid_utf8(text))
    return fail(ErrorCode::kBadInput, "the answer is no valid UTF-8 at byte {}", *at);
  if (episode.over()) {
    return fail(ErrorCode::kEnded, "the search is over ({}); reset for a new episode",
                episode.ended() ? "its answer was given" : "the turn budget ran out");
  }
  episode.answer_ = std::move(text);
  spend_turn(episode);
  return {};
}

Result<Trace> FreeQueryArm::trace(const FreeQueryEpisode& episode) const {
  HARNESSG_ASSIGN(Trace trace, environment_->trace(episode.walk_));
  trace.arm = options_.transition_matched ? kArmMatched : kArmFreeQuery;
  std::vector<TraceStep> walked = std::exchange(trace.steps, {});
  if (!options_.transition_matched) walked.front().menu.clear();
  trace.steps.push_back(std::move(walked.front()));
  std::size_t next = 1;
  const auto add = [&](TraceStep step) {
    step.turn = trace.steps.back().turn + 1;
    step.menu_before = trace.steps.back().menu;
    trace.steps.push_back(std::move(step));
  };
  for (const auto& [text, outcome, position] : episode.turns_) {
    TraceStep step =
        outcome.invalid ? blocked_step(text, outcome) : query_step(environment_->world().graph, text, outcome);
    if (outcome.lookup) {
      step.position = position;
      step.outcome = walked[next].outcome;
      step.menu = walked[next].menu;
      step.query = walked[next++].query;
    } else if (outcome.invalid && !outcome.truncated) {
      step.menu = trace.steps.back().menu;
    }
    add(std::move(step));
  }
  if (episode.ended()) {
    TraceStep step;
    step.event = Event::kAnswer;
    add(std::move(step));
  }
  trace.seen = episode.seen_;
  trace.turns = episode.turn_;
  trace.ended = episode.ended();
  trace.truncated = episode.truncated_;
  trace.answer = episode.answer_;
  name_nodes(environment_->world().graph, trace);
  return trace;
}

}  // namespace harnessg
