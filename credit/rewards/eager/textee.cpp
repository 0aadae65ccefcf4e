#include "credit/rewards/eager/textee.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "credit/rewards/eager/data_set_fields.h"
#include "credit/rewards/json_numbers.h"

namespace harnessg::eager {
namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

// Window, trigger, argument, and the numbers of type and role: what a measure leaves out is 0.
using Key = std::tuple<std::size_t, TokenSpan, TokenSpan, std::size_t, std::size_t>;

class Names {
 public:
  std::size_t id(const std::string& name) { return ids_.try_emplace(name, ids_.size() + 1).first->second; }

 private:
  std::unordered_map<std::string, std::size_t> ids_;
};

// All keys of one side, a set a measure.
class KeySets {
 public:
  explicit KeySets(Names& names) : names_(names) {}

  void add(std::size_t window, const TexteeEvent& event) {
    const std::size_t type = names_.id(event.type);
    const TokenSpan none;
    push(Measure::kTriggerIdentification, {window, event.trigger, none, 0, 0});
    push(Measure::kTriggerClassification, {window, event.trigger, none, type, 0});
    for (const TexteeArgument& argument : event.arguments) {
      const std::size_t role = argument.role ? names_.id(*argument.role) : 0;
      push(Measure::kArgumentIdentification, {window, none, argument.span, type, 0});
      push(Measure::kArgumentClassification, {window, none, argument.span, type, role});
      push(Measure::kAttachedIdentification, {window, event.trigger, argument.span, type, 0});
      push(Measure::kAttachedClassification, {window, event.trigger, argument.span, type, role});
    }
  }

  void settle() {
    for (std::vector<Key>& keys : keys_) {
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    }
  }

  const std::vector<Key>& operator[](std::size_t measure) const { return keys_[measure]; }

 private:
  void push(Measure measure, Key key) { keys_[static_cast<std::size_t>(measure)].push_back(key); }

  Names& names_;
  std::array<std::vector<Key>, kMeasures> keys_;
};

Status check_pairs(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted) {
  if (gold.size() != predicted.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} gold windows need as many predicted ones, not {}", gold.size(),
                predicted.size());
  }
  for (std::size_t i = 0; i < gold.size(); ++i) {
    if (gold[i].doc_id == predicted[i].doc_id && gold[i].wnd_id == predicted[i].wnd_id) continue;
    return fail(ErrorCode::kInvalidArgument,
                "window {} is {} {} in gold and {} {} in the prediction; put them in one order", i, gold[i].doc_id,
                gold[i].wnd_id, predicted[i].doc_id, predicted[i].wnd_id);
  }
  return {};
}

// The number of each window, the same for repeats, which must be repeats in full.
Result<std::vector<std::size_t>> number_windows(std::span<const TexteeWindow> gold,
                                                std::span<const TexteeWindow> predicted) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> first;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const std::size_t number = first.try_emplace({gold[i].doc_id, gold[i].wnd_id}, i).first->second;
    if (gold[number].events != gold[i].events || predicted[number].events != predicted[i].events) {
      return fail(ErrorCode::kInvalidArgument, "window {} {} is there twice with different events; give it once",
                  gold[i].doc_id, gold[i].wnd_id);
    }
    numbers.push_back(number);
  }
  return numbers;
}

MeasureCounts compare(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted,
                      std::span<const std::size_t> numbers) {
  Names names;
  KeySets gold_keys(names);
  KeySets predicted_keys(names);
  for (std::size_t i = 0; i < gold.size(); ++i) {
    for (const TexteeEvent& event : gold[i].events) gold_keys.add(numbers[i], event);
    for (const TexteeEvent& event : predicted[i].events) predicted_keys.add(numbers[i], event);
  }
  gold_keys.settle();
  predicted_keys.settle();
  MeasureCounts counts;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    std::vector<Key> common;
    std::set_intersection(gold_keys[i].begin(), gold_keys[i].end(), predicted_keys[i].begin(), predicted_keys[i].end(),
                          std::back_inserter(common));
    counts[i] = {predicted_keys[i].size(), gold_keys[i].size(), common.size()};
  }
  return counts;
}

Result<TokenSpan> span_of(const Json& object, TokenOffsets& offsets, const Place& place) {
  const Json* start = object.is_object() ? find_value(object, "start") : nullptr;
  const Json* end = object.is_object() ? find_value(object, "end") : nullptr;
  if (start && end) return TokenSpan{offsets.of(*start), offsets.of(*end)};
  return fail(ErrorCode::kBadInput, "{}:{}: a span needs a \"start\" and an \"end\"", place.file, place.number);
}

Result<TexteeEvent> event_of(const Json& object, TokenOffsets& offsets, const Place& place) {
  TexteeEvent event;
  HARNESSG_ASSIGN(event.type, text_field(object, "event_type", place));
  HARNESSG_ASSIGN(const Json* const trigger, object_field(object, "trigger", place));
  HARNESSG_ASSIGN(event.trigger, span_of(*trigger, offsets, place));
  HARNESSG_ASSIGN(const Json* const arguments, list_field(object, "arguments", place));
  for (const Json& argument : *arguments) {
    TexteeArgument& added = event.arguments.emplace_back();
    HARNESSG_ASSIGN(added.span, span_of(argument, offsets, place));
    if (!find_value(argument, "role")) continue;
    HARNESSG_ASSIGN(added.role, text_field(argument, "role", place));
  }
  return event;
}

}  // namespace

Result<MeasureCounts> score_events(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted) {
  HARNESSG_RETURN_IF_ERROR(check_pairs(gold, predicted));
  HARNESSG_ASSIGN(const std::vector<std::size_t> numbers, number_windows(gold, predicted));
  return compare(gold, predicted, numbers);
}

Result<MeasureCounts> score_arguments(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted) {
  HARNESSG_RETURN_IF_ERROR(check_pairs(gold, predicted));
  const auto same = [](const TexteeEvent& a, const TexteeEvent& b) {
    return a.trigger == b.trigger && a.type == b.type;
  };
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const auto& [g, p] = std::tie(gold[i].events, predicted[i].events);
    if (std::equal(g.begin(), g.end(), p.begin(), p.end(), same)) continue;
    return fail(ErrorCode::kInvalidArgument, "window {} {} does not have gold's triggers, which are given in this task",
                gold[i].doc_id, gold[i].wnd_id);
  }
  HARNESSG_ASSIGN(const std::vector<std::size_t> numbers, number_windows(gold, predicted));
  MeasureCounts counts = compare(gold, predicted, numbers);
  counts[static_cast<std::size_t>(Measure::kTriggerIdentification)] = {};
  counts[static_cast<std::size_t>(Measure::kTriggerClassification)] = {};
  return counts;
}

std::int64_t TokenOffsets::of(const Json& value) {
  if (const auto whole = whole_number(value)) {
    if (*whole < static_cast<std::size_t>(kLargestWhole)) return static_cast<std::int64_t>(*whole);
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number >= 0 && number < kLargestWhole && std::trunc(number) == number) return static_cast<std::int64_t>(number);
  }
  const auto next = -1 - static_cast<std::int64_t>(odd_.size());
  return odd_.try_emplace(value.dump(), next).first->second;
}

Result<TexteeWindow> textee_window(const Json& object, TokenOffsets& offsets, const Place& place) {
  TexteeWindow window;
  HARNESSG_ASSIGN(window.doc_id, id_of(object, "doc_id", place));
  HARNESSG_ASSIGN(window.wnd_id, id_of(object, "wnd_id", place));
  HARNESSG_ASSIGN(const Json* const events, list_field(object, "event_mentions", place));
  for (const Json& event : *events) {
    HARNESSG_ASSIGN(TexteeEvent parsed, event_of(event, offsets, place));
    window.events.push_back(std::move(parsed));
  }
  return window;
}

}  // namespace harnessg::eager
