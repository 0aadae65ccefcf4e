#include "tests/conformance/recorded_traces.h"

#include <stdexcept>

namespace harnessg::conformance {
namespace {

// "s_000012" or "e_000012" -> 12; "A12" -> 12.
std::uint32_t number(const std::string& id, std::size_t prefix) {
  return static_cast<std::uint32_t>(std::stoul(id.substr(prefix)));
}

template <class Id>
std::vector<Id> ids(const Json& list) {
  std::vector<Id> result;
  for (const Json& id : list)
    result.push_back(id.is_string() ? Id{number(id.get<std::string>(), 2)} : Id{id.get<std::uint32_t>()});
  return result;
}

TraceOutcome outcome(const Json& candidate) {
  return {ids<SentenceId>(candidate["surfaced_sids"]),     ids<SentenceId>(candidate["new_sids"]),
          ids<EntityId>(candidate["surfaced_entity_ids"]), ids<EntityId>(candidate["produced_entity_ids"]),
          ids<SentenceId>(candidate["consumed_sids"]),     ids<EntityId>(candidate["used_entity_ids"])};
}

Event event(const std::string& name) {
  for (const Event candidate : {Event::kSelect, Event::kAnswerWith, Event::kLookup, Event::kAnswer}) {
    if (event_name(candidate) == name) return candidate;
  }
  throw std::runtime_error("no such action type: " + name);
}

TraceStep read_step(const Json& recorded, bool first_view) {
  TraceStep step;
  step.turn = recorded["t"].get<std::uint32_t>() + 1;
  const Json& payload = recorded["snc"];
  if (payload.is_null()) {
    step.event = first_view ? Event::kInit : Event::kInvalid;
    if (first_view) step.outcome.sentences = step.outcome.new_sentences = ids<SentenceId>(recorded["seen"]);
    return step;
  }
  step.event = event(payload["taken"]["action_type"].get<std::string>());
  step.position = number(payload["taken_action_id"].get<std::string>(), 1);
  step.outcome = outcome(payload["taken"]);
  for (const auto& [id, candidate] : payload["frontier"].items()) {
    step.frontier.push_back({number(id, 1), outcome(candidate)});
  }
  step.frontier_duplicates_skipped = payload["frontier_duplicate_contexts_skipped"].get<std::uint32_t>();
  return step;
}

void add_texts(const Json& sentences, Trace& trace) {
  const auto add = [&](const std::vector<SentenceId>& list) {
    for (const SentenceId s : list) trace.sentences[index(s)].text = sentences[index(s)][3].get<std::string>();
  };
  for (const TraceStep& step : trace.steps) {
    add(step.outcome.sentences);
    add(step.outcome.new_sentences);
    for (const Alternative& alternative : step.frontier) add(alternative.outcome.new_sentences);
  }
}

RecordedTrace read_trace(const Json& episode, const Json& sentences) {
  RecordedTrace result;
  Trace& trace = result.trace;
  trace.question_id = episode["qid"].get<std::string>();
  trace.question = episode["question"].get<std::string>();
  trace.answers = episode["answers"].get<std::vector<std::string>>();
  trace.with_frontier = true;
  bool first_view = true;
  for (const Json& recorded : episode["steps"]) {
    const bool opens = first_view && recorded["event"] == "INIT";
    trace.steps.push_back(read_step(recorded, opens));
    first_view = first_view && !opens;
    result.actions.push_back(recorded["action"].get<std::string>());
  }
  const Json& last = episode["steps"].back();
  trace.selected = ids<SentenceId>(last["selected"]);
  trace.seen = ids<SentenceId>(last["seen"]);
  add_texts(sentences, trace);
  return result;
}

}  // namespace

RecordedTraces read_recorded_traces(const std::filesystem::path& shared, const std::string& set,
                                    const std::string& suffix) {
  const std::filesystem::path folder = shared / "conformance";
  const Json graph = read_json_lines(folder / ("graph-" + set + ".json.gz")).at(0);
  RecordedTraces result;
  for (const Json& episode : read_json_lines(folder / ("episodes-" + set + suffix + ".jsonl.gz"))) {
    result.emplace(std::pair{episode["qid"].get<std::string>(), episode["seq"].get<std::string>()},
                   read_trace(episode, graph["sentences"]));
  }
  return result;
}

}  // namespace harnessg::conformance
