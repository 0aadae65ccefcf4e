#include "engine/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace harnessg {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> kEvents = {"INIT",   "SELECT",         "ANSWER_WITH", "LOOKUP",
                                                     "ANSWER", "INVALID_ACTION", "QUERY"};
constexpr std::array<std::string_view, 4> kKinds = {"select", "answer_with", "lookup", "answer"};

template <class List>
Json ids(const List& list) {
  Json array = Json::array();
  for (const auto& id : list) array.push_back(index(id));
  return array;
}

Json outcome_json(const TraceOutcome& outcome) {
  return {{"sentences", ids(outcome.sentences)},
          {"new_sentences", ids(outcome.new_sentences)},
          {"entities", ids(outcome.entities)},
          {"produced_entities", ids(outcome.produced_entities)},
          {"consumed_sentences", ids(outcome.consumed_sentences)},
          {"used_entities", ids(outcome.used_entities)}};
}

Json menu_json(const Menu& menu) {
  Json array = Json::array();
  for (const Action& action : menu) {
    Json entry{{"kind", kKinds[static_cast<std::size_t>(action.kind)]}};
    if (action.kind == ActionKind::kLookup) {
      entry["entity"] = action.target;
      if (action.via != kNoSentence) entry["via"] = index(action.via);
      if (action.anchor != kNoEntity) entry["anchor"] = index(action.anchor);
      if (action.opens_title) entry["opens_title"] = true;
    } else if (action.kind != ActionKind::kAnswer) {
      entry["sentence"] = action.target;
    }
    array.push_back(std::move(entry));
  }
  return array;
}

Json step_json(const TraceStep& step, bool with_frontier) {
  Json json{{"turn", step.turn}, {"event", event_name(step.event)}};
  json["action"] = step.position ? Json(fmt::format("A{}", *step.position)) : Json(nullptr);
  if (step.event == Event::kInvalid) {
    json["text"] = step.text;
    json["invalid_reason"] = step.invalid_reason;
  }
  if (step.event == Event::kQuery) json["text"] = step.text;
  if (step.event == Event::kLookup || step.event == Event::kQuery) json["query"] = step.query;
  json["outcome"] = outcome_json(step.outcome);
  json["menu"] = menu_json(step.menu);
  if (with_frontier && step.event == Event::kLookup) {
    json["frontier"] = Json::array();
    for (const Alternative& alternative : step.frontier) {
      json["frontier"].push_back(
          {{"action", fmt::format("A{}", alternative.position)}, {"outcome", outcome_json(alternative.outcome)}});
    }
    json["frontier_duplicates_skipped"] = step.frontier_duplicates_skipped;
  }
  return json;
}

// Reads fields of one object and remembers the first thing that is wrong; after that every read gives a default.
class Reader {
 public:
  Reader(const Json& json, std::string place, std::string& error)
      : json_(json), place_(std::move(place)), error_(error) {
    if (!json_.is_object()) complain(place_, "is no object");
  }

  template <class Value>
  Value get(const char* name) const {
    const Json* value = find(name);
    if (value == nullptr) return Value{};
    return convert<Value>(*value, place_ + "." + name);
  }

  template <class Id>
  std::vector<Id> ids(const char* name) const {
    std::vector<Id> list;
    const Json* array = find(name);
    if (array == nullptr) return list;
    if (!array->is_array()) complain(place_ + "." + name, "is no list");
    for (const Json& item : *array) list.push_back(Id{convert<std::uint32_t>(item, place_ + "." + name)});
    return list;
  }

  std::uint32_t action_position(const char* name) const {
    const auto id = get<std::string>(name);
    std::uint32_t position = 0;
    const char* const end = id.data() + id.size();
    if (id.size() < 2 || id[0] != 'A' || std::from_chars(id.data() + 1, end, position).ptr != end) {
      complain(place_ + "." + name, "is no action id such as A0");
    }
    return position;
  }

  const Json* find(const char* name, bool required = true) const {
    static const Json nothing;
    if (!json_.is_object()) return nullptr;
    const auto at = json_.find(name);
    if (at != json_.end()) return &*at;
    if (required) complain(place_ + "." + name, "is missing");
    return nullptr;
  }

  template <class Visit>
  void each(const char* name, Visit visit) const {
    const Json* array = find(name);
    if (array == nullptr) return;
    if (!array->is_array()) return complain(place_ + "." + name, "is no list");
    for (std::size_t i = 0; i < array->size(); ++i)
      visit(Reader((*array)[i], fmt::format("{}.{}[{}]", place_, name, i), error_));
  }

  void complain(const std::string& place, std::string_view what) const {
    if (error_.empty()) error_ = fmt::format("{} {}", place, what);
  }

  const std::string& place() const { return place_; }
  std::string& error() const { return error_; }

 private:
  template <class Value>
  Value convert(const Json& value, const std::string& place) const {
    if constexpr (std::is_same_v<Value, bool>) {
      if (value.is_boolean()) return value.get<bool>();
      complain(place, "is neither true nor false");
    } else if constexpr (std::is_arithmetic_v<Value>) {
      if (value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<Value>::max())
        return value.get<Value>();
      complain(place, "is no whole number in range");
    } else {
      if (value.is_string()) return value.get<std::string>();
      complain(place, "is no text");
    }
    return Value{};
  }

  const Json& json_;
  std::string place_;
  std::string& error_;
};

TraceOutcome read_outcome(const Reader& parent) {
  const Json* json = parent.find("outcome");
  if (json == nullptr) return {};
  const Reader in(*json, parent.place() + ".outcome", parent.error());
  return {in.ids<SentenceId>("sentences"),
          in.ids<SentenceId>("new_sentences"),
          in.ids<EntityId>("entities"),
          in.ids<EntityId>("produced_entities"),
          in.ids<SentenceId>("consumed_sentences"),
          in.ids<EntityId>("used_entities")};
}

Action read_action(const Reader& in) {
  const auto kind = in.get<std::string>("kind");
  const auto at = std::find(kKinds.begin(), kKinds.end(), kind);
  if (at == kKinds.end()) {
    in.complain(in.place() + ".kind", "is no kind of action");
    return {};
  }
  Action action{static_cast<ActionKind>(at - kKinds.begin())};
  if (action.kind == ActionKind::kLookup) {
    action.target = in.get<std::uint32_t>("entity");
    if (in.find("via", false) != nullptr) action.via = SentenceId{in.get<std::uint32_t>("via")};
    if (in.find("anchor", false) != nullptr) action.anchor = EntityId{in.get<std::uint32_t>("anchor")};
    if (in.find("opens_title", false) != nullptr) action.opens_title = in.get<bool>("opens_title");
  } else if (action.kind != ActionKind::kAnswer) {
    action.target = in.get<std::uint32_t>("sentence");
  }
  return action;
}

// By free text neither a query nor an answer need be on a menu.
bool needs_position(Event event, const Reader& in, bool by_menu) {
  if (event == Event::kInit || event == Event::kInvalid) return false;
  if (by_menu) return true;
  const Json* const action = in.find("action");
  return action != nullptr && !action->is_null();
}

TraceStep read_step(const Reader& in, const Menu& menu_before, bool by_menu) {
  TraceStep step;
  step.turn = in.get<std::uint32_t>("turn");
  const auto event = in.get<std::string>("event");
  const auto at = std::find(kEvents.begin(), kEvents.end(), event);
  if (at == kEvents.end())
    in.complain(in.place() + ".event", "is no event");
  else
    step.event = static_cast<Event>(at - kEvents.begin());
  if (by_menu && step.event == Event::kQuery)
    in.complain(in.place() + ".event", "is QUERY in a trace that was played by menu");
  if (step.event == Event::kInvalid) {
    step.text = in.get<std::string>("text");
    step.invalid_reason = in.get<std::string>("invalid_reason");
  } else if (needs_position(step.event, in, by_menu)) {
    step.position = in.action_position("action");
    if (*step.position >= menu_before.size()) in.complain(in.place() + ".action", "is not on the menu before it");
  }
  if (step.event == Event::kQuery) step.text = in.get<std::string>("text");
  if (step.event == Event::kLookup || step.event == Event::kQuery) step.query = in.get<std::string>("query");
  step.outcome = read_outcome(in);
  in.each("menu", [&](const Reader& entry) { step.menu.push_back(read_action(entry)); });
  if (in.find("frontier", false) != nullptr) {
    in.each("frontier", [&](const Reader& entry) {
      step.frontier.push_back({entry.action_position("action"), read_outcome(entry)});
    });
    step.frontier_duplicates_skipped = in.get<std::uint32_t>("frontier_duplicates_skipped");
  }
  if (step.event != Event::kInit) step.menu_before = menu_before;
  return step;
}

// {"12": {...}, ...}: visits each entry with its number.
template <class Visit>
void each_node(const Reader& in, const char* name, Visit visit) {
  const Json* table = in.find(name);
  if (table == nullptr) return;
  if (!table->is_object()) return in.complain(std::string(name), "is no object");
  for (const auto& [key, value] : table->items()) {
    std::uint32_t id = 0;
    if (std::from_chars(key.data(), key.data() + key.size(), id).ptr != key.data() + key.size()) {
      in.complain(fmt::format("{}.{}", name, key), "is no node id");
    }
    visit(id, Reader(value, fmt::format("{}.{}", name, key), in.error()));
  }
}

}  // namespace

std::string_view event_name(Event event) { return kEvents[static_cast<std::size_t>(event)]; }

std::string to_json(const Trace& trace) {
  Json json{{"version", trace.version}, {"tool_version", trace.tool_version}};
  if (trace.arm != kArmMenu) json["arm"] = trace.arm;
  json["index"] = trace.index_hash;
  json["embedder"] = trace.embedder;
  json["scoring"] = trace.scoring;
  json["settings"] = Json::object();
  for (const auto& [name, value] : trace.settings) json["settings"][name] = value;
  json["seed"] = trace.seed;
  json["question"] = {{"id", trace.question_id}, {"text", trace.question}, {"answers", trace.answers}};
  json["with_frontier"] = trace.with_frontier;
  json["steps"] = Json::array();
  for (const TraceStep& step : trace.steps) json["steps"].push_back(step_json(step, trace.with_frontier));
  json["selected"] = ids(trace.selected);
  json["seen"] = ids(trace.seen);
  json["turns"] = trace.turns;
  json["ended"] = trace.ended;
  json["truncated"] = trace.truncated;
  json["answer"] = trace.answer ? Json(*trace.answer) : Json(nullptr);
  json["sentences"] = Json::object();
  for (const auto& [id, s] : trace.sentences) {
    json["sentences"][std::to_string(id)] = {
        {"paragraph", s.paragraph}, {"title", s.title}, {"position", s.position}, {"text", s.text}};
  }
  json["entities"] = Json::object();
  for (const auto& [id, e] : trace.entities)
    json["entities"][std::to_string(id)] = {{"name", e.name}, {"label", e.label}};
  return json.dump();
}

Result<Trace> trace_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return fail(ErrorCode::kBadInput, "the trace is no JSON; give one object as `play --json` prints it");
  std::string error;
  const Reader in(json, "trace", error);
  Trace trace;
  trace.version = in.get<std::uint32_t>("version");
  if (error.empty() && trace.version > kTraceVersion) {
    return fail(ErrorCode::kUnsupportedVersion, "the trace has format {}, this engine reads up to {}", trace.version,
                kTraceVersion);
  }
  trace.tool_version = in.get<std::string>("tool_version");
  if (in.find("arm", false) != nullptr) trace.arm = in.get<std::string>("arm");
  const bool by_menu = trace.arm == kArmMenu;
  if (!by_menu && trace.arm != kArmFreeQuery && trace.arm != kArmMatched) in.complain("trace.arm", "is no arm");
  trace.index_hash = in.get<std::string>("index");
  trace.embedder = in.get<std::string>("embedder");
  trace.scoring = in.get<std::string>("scoring");
  if (const Json* settings = in.find("settings"); settings != nullptr && settings->is_object()) {
    const Reader values(*settings, "trace.settings", error);
    for (const auto& [name, value] : settings->items())
      trace.settings.emplace_back(name, values.get<std::string>(name.c_str()));
  }
  trace.seed = in.get<std::uint64_t>("seed");
  if (const Json* question = in.find("question")) {
    const Reader q(*question, "trace.question", error);
    trace.question_id = q.get<std::string>("id");
    trace.question = q.get<std::string>("text");
    if (const Json* answers = q.find("answers"); answers != nullptr && answers->is_array()) {
      for (const Json& answer : *answers) {
        if (!answer.is_string())
          q.complain("trace.question.answers", "holds something that is no text");
        else
          trace.answers.push_back(answer.get<std::string>());
      }
    }
  }
  trace.with_frontier = in.get<bool>("with_frontier");
  in.each("steps", [&](const Reader& step) {
    trace.steps.push_back(read_step(step, trace.steps.empty() ? Menu{} : trace.steps.back().menu, by_menu));
  });
  trace.selected = in.ids<SentenceId>("selected");
  trace.seen = in.ids<SentenceId>("seen");
  trace.turns = in.get<std::uint32_t>("turns");
  trace.ended = in.get<bool>("ended");
  trace.truncated = in.get<bool>("truncated");
  if (const Json* answer = in.find("answer"); answer != nullptr && !answer->is_null())
    trace.answer = in.get<std::string>("answer");
  each_node(in, "sentences", [&](std::uint32_t id, const Reader& s) {
    trace.sentences[id] = {s.get<std::string>("paragraph"), s.get<std::string>("title"),
                           s.get<std::uint32_t>("position"), s.get<std::string>("text")};
  });
  each_node(in, "entities", [&](std::uint32_t id, const Reader& e) {
    trace.entities[id] = {e.get<std::string>("name"), e.get<std::string>("label")};
  });
  if (!error.empty()) return fail(ErrorCode::kBadInput, "{}; give a trace as `play --json` prints it", error);
  return trace;
}

}  // namespace harnessg
