#include "engine/snc_payload.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/text_protocol.h"

namespace harnessg {
namespace {

using Json = nlohmann::ordered_json;

Json sentence_ids(const std::vector<SentenceId>& list) {
  Json array = Json::array();
  for (const SentenceId s : list) array.push_back(fmt::format("s_{:06}", index(s)));
  return array;
}

// Sorted as strings, as the release does: past six digits that is not the order of numbers.
Json entity_ids(const std::vector<EntityId>& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const EntityId e : list) names.push_back(fmt::format("e_{:06}", index(e)));
  std::sort(names.begin(), names.end());
  return names;
}

// What had been selected and seen when a step was taken.
struct Before {
  std::vector<SentenceId> selected;
  std::vector<SentenceId> seen;
};

Before before(const Trace& trace, std::size_t step) {
  Before result;
  for (std::size_t i = 0; i < step; ++i) {
    const TraceStep& done = trace.steps[i];
    const auto& fresh = done.outcome.new_sentences;
    result.seen.insert(result.seen.end(), fresh.begin(), fresh.end());
    if (done.event == Event::kSelect) result.selected.push_back(done.outcome.sentences.front());
  }
  return result;
}

std::string prompt(const Trace& trace, const std::vector<SentenceId>& context) {
  std::vector<std::string_view> texts;
  texts.reserve(context.size());
  for (const SentenceId s : context) texts.push_back(trace.sentences.at(index(s)).text);
  return answer_prompt(trace.question, texts);
}

Json candidate(const Trace& trace, const TraceOutcome& outcome, Event event, const std::vector<SentenceId>& seen) {
  std::vector<SentenceId> context = seen;
  context.insert(context.end(), outcome.new_sentences.begin(), outcome.new_sentences.end());
  const bool information = event == Event::kLookup;
  return {{"surfaced_sids", sentence_ids(outcome.sentences)},
          {"new_sids", sentence_ids(outcome.new_sentences)},
          {"context_sids", sentence_ids(context)},
          {"surfaced_entity_ids", entity_ids(outcome.entities)},
          {"produced_sids", sentence_ids(information ? outcome.new_sentences : outcome.sentences)},
          {"produced_entity_ids", entity_ids(outcome.produced_entities)},
          {"consumed_sids", sentence_ids(outcome.consumed_sentences)},
          {"used_entity_ids", entity_ids(outcome.used_entities)},
          {"is_information_action", information},
          {"answer_prompt", prompt(trace, context)}};
}

}  // namespace

std::optional<std::string> snc_payload(const Trace& trace, std::size_t step_number) {
  const TraceStep& step = trace.steps[step_number];
  if (!step.position) return std::nullopt;
  const Before earlier = before(trace, step_number);
  const std::string id = fmt::format("A{}", *step.position);
  Json payload{{"selected_sids_before", sentence_ids(earlier.selected)},
               {"seen_sids_before", sentence_ids(earlier.seen)},
               {"baseline_prompt", prompt(trace, earlier.seen)},
               {"taken_action_id", id}};
  payload["frontier"] = Json::object();
  for (const Alternative& alternative : step.frontier) {
    payload["frontier"][fmt::format("A{}", alternative.position)] =
        candidate(trace, alternative.outcome, Event::kLookup, earlier.seen);
  }
  payload["taken"] = candidate(trace, step.outcome, step.event, earlier.seen);
  payload["taken"]["action_id"] = id;
  payload["taken"]["action_type"] = event_name(step.event);
  payload["frontier_duplicate_contexts_skipped"] = step.frontier_duplicates_skipped;
  return payload.dump();
}

}  // namespace harnessg
