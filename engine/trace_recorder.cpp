#include "engine/trace_recorder.h"

#include <algorithm>

#include "data/label.h"
#include "menu/lookup.h"
#include "menu/transition.h"

namespace harnessg {
namespace {

TraceOutcome to_trace(const Outcome& outcome) {
  return {{outcome.sentences.begin(), outcome.sentences.end()},
          {outcome.new_sentences.begin(), outcome.new_sentences.end()},
          {outcome.entities.begin(), outcome.entities.end()},
          {outcome.produced_entities.begin(), outcome.produced_entities.end()},
          {outcome.consumed_sentences.begin(), outcome.consumed_sentences.end()},
          {outcome.used_entities.begin(), outcome.used_entities.end()}};
}

Event event_of(ActionKind kind) {
  switch (kind) {
    case ActionKind::kSelect:
      return Event::kSelect;
    case ActionKind::kAnswerWith:
      return Event::kAnswerWith;
    case ActionKind::kLookup:
      return Event::kLookup;
    case ActionKind::kAnswer:
      break;
  }
  return Event::kAnswer;
}

// Fills the trace's tables with every node that its steps name.
class NodeTables {
 public:
  NodeTables(const Graph& graph, Trace& trace) : graph_(graph), trace_(trace) {}

  void add(const TraceOutcome& outcome) {
    for (const auto* list : {&outcome.sentences, &outcome.new_sentences, &outcome.consumed_sentences}) {
      for (const SentenceId s : *list) add(s);
    }
    for (const auto* list : {&outcome.entities, &outcome.produced_entities, &outcome.used_entities}) {
      for (const EntityId e : *list) add(e);
    }
  }
  void add(const Menu& menu) {
    for (const Action& action : menu) {
      if (action.kind == ActionKind::kAnswer) continue;
      if (action.kind == ActionKind::kLookup) {
        add(action.entity());
        if (action.anchor != kNoEntity) add(action.anchor);
        if (action.via != kNoSentence) add(action.via);
      } else {
        add(action.sentence());
      }
    }
  }

 private:
  void add(SentenceId s) {
    const auto [at, is_new] = trace_.sentences.try_emplace(index(s));
    if (!is_new) return;
    const ParagraphId p = graph_.paragraph(s);
    at->second = {std::string(graph_.record_id(p)), std::string(graph_.title(p)), graph_.position(s),
                  std::string(graph_.text(s))};
  }
  void add(EntityId e) {
    const auto [at, is_new] = trace_.entities.try_emplace(index(e));
    if (is_new) at->second = {std::string(graph_.surface(e)), std::string(label_name(graph_.label(e)))};
  }

  const Graph& graph_;
  Trace& trace_;
};

// The frontier of a lookup (spec 2, section 2): the other lookups of the menu in order, without those whose resulting
// context repeats an earlier alternative's, at most config.frontier_alternatives. An alternative that leads to the
// taken action's own context stays.
Status record_frontier(const World& world, const State& state, const Menu& menu, std::size_t taken,
                       const Replay& replay, TraceStep& step) {
  SmallVector<std::size_t, 16> others;
  SmallVector<EntityId, 16> entities;
  for (std::size_t i = 0; i < menu.size(); ++i) {
    if (menu[i].kind != ActionKind::kLookup || i == taken) continue;
    others.push_back(i);
    entities.push_back(menu[i].entity());
  }
  SmallVector<RankedView, 16> found(others.size());
  HARNESSG_RETURN_IF_ERROR(replay.lookup_views(state, as_span(entities), as_span(found)));
  for (std::size_t o = 0; o < others.size(); ++o) {
    if (step.frontier.size() == world.config.frontier_alternatives) break;
    HARNESSG_ASSIGN(const Transition next, replay.advance(state, menu, others[o], &found[o]));
    TraceOutcome outcome = to_trace(next.outcome);
    const bool repeats = std::any_of(step.frontier.begin(), step.frontier.end(), [&](const Alternative& other) {
      return other.outcome.new_sentences == outcome.new_sentences;
    });
    if (repeats) {
      ++step.frontier_duplicates_skipped;
    } else {
      step.frontier.push_back({static_cast<std::uint32_t>(others[o]), std::move(outcome)});
    }
  }
  return {};
}

TraceStep first_step(const Transition& first) {
  TraceStep step;
  step.turn = first.next.turn;
  step.outcome = to_trace(first.outcome);
  step.menu = first.outcome.menu;
  return step;
}

void summarise(const Question& question, const State& state, Trace& trace) {
  trace.question_id = question.id;
  trace.question = question.text;
  trace.answers = question.answers;
  trace.selected.assign(state.selected.begin(), state.selected.end());
  trace.seen.assign(state.seen.begin(), state.seen.end());
  trace.turns = state.turn;
  trace.ended = state.ended;
  trace.truncated = state.truncated;
}

}  // namespace

Status record_steps(const World& world, const Question& question, const State& state, const Replay& replay,
                    Trace& trace) {
  Transition now = begin(world, question);
  trace.steps.push_back(first_step(now));
  std::size_t blocked = 0;
  for (const std::uint16_t position : state.history) {
    TraceStep step;
    step.menu_before = now.outcome.menu;
    Transition next;
    if (position == kBlocked) {
      const BlockedTurn& turn = state.blocked[blocked++];
      next = block(world, now.next, step.menu_before, turn.text, turn.reason);
      step.event = Event::kInvalid;
      step.text = turn.text;
      step.invalid_reason = turn.reason;
    } else {
      if (position >= step.menu_before.size()) {
        return fail(ErrorCode::kCorrupt,
                    "the episode's turn {} took A{} from a menu of {}: its history does not fit this index",
                    now.next.turn + 1, position, step.menu_before.size());
      }
      const Action& action = step.menu_before[position];
      step.event = event_of(action.kind);
      step.position = position;
      RankedView view;
      if (action.kind == ActionKind::kLookup) {
        step.query = mixed_query(world, question.text, as_span(now.next.selected));
        const EntityId entity = action.entity();
        HARNESSG_RETURN_IF_ERROR(replay.lookup_views(now.next, std::span(&entity, 1), std::span(&view, 1)));
        if (trace.with_frontier) {
          HARNESSG_RETURN_IF_ERROR(record_frontier(world, now.next, step.menu_before, position, replay, step));
        }
      }
      HARNESSG_ASSIGN(next, replay.advance(now.next, step.menu_before, position, &view));
    }
    step.turn = next.next.turn;
    step.outcome = to_trace(next.outcome);
    step.menu = next.outcome.menu;
    trace.steps.push_back(std::move(step));
    now = std::move(next);
  }
  name_nodes(world.graph, trace);
  summarise(question, now.next, trace);
  return {};
}

void name_nodes(const Graph& graph, Trace& trace) {
  trace.sentences.clear();
  trace.entities.clear();
  NodeTables nodes(graph, trace);
  for (const TraceStep& step : trace.steps) {
    nodes.add(step.outcome);
    nodes.add(step.menu);
    for (const Alternative& alternative : step.frontier) nodes.add(alternative.outcome);
  }
}

}  // namespace harnessg
