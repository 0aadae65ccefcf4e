#include "credit/rewards/eager/phee.h"

#include <array>
#include <string_view>

#include "credit/rewards/eager/code_points.h"
#include "credit/rewards/eager/data_set_fields.h"
#include "credit/rewards/json_numbers.h"

namespace harnessg::eager {
namespace {

constexpr std::string_view kTrigger = "Trigger";
constexpr int kDeepest = 4;  // roles in roles: an event's, an argument's, a combination's

// Keys of an event or argument that are no role.
bool is_role(std::string_view key) {
  static constexpr std::array<std::string_view, 6> kOthers = {"event_id", "event_type", "text",
                                                              "start",    "entity_id",  "value"};
  for (const std::string_view other : kOthers) {
    if (key == other) return false;
  }
  return true;
}

// `texts` and `starts`: the pieces of one mention.
Result<Mention> mention_of(const Json& texts, const Json& starts, const Place& place) {
  if (!texts.is_array() || !starts.is_array() || texts.empty() || texts.size() != starts.size()) {
    return fail(ErrorCode::kBadInput, "{}:{}: a mention needs as many starts as texts", place.file, place.number);
  }
  Mention mention;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i].is_string() || !whole_number(starts[i])) {
      return fail(ErrorCode::kBadInput, "{}:{}: a mention's pieces are strings, their starts whole numbers", place.file,
                  place.number);
    }
    if (i > 0) mention.text += ' ';
    mention.text += texts[i].get_ref<const std::string&>();
  }
  if (texts.size() == 1) {
    const auto start = *whole_number(starts[0]);
    mention.span = Span{start, start + count_code_points(mention.text)};
  }
  return mention;
}

// Calls `take(mention)` for every mention of an argument.
template <class Take>
Status for_each_mention(const Json& argument, const Place& place, const Take& take) {
  HARNESSG_ASSIGN(const Json* const texts, list_field(argument, "text", place));
  HARNESSG_ASSIGN(const Json* const starts, list_field(argument, "start", place));
  if (texts->size() != starts->size()) {
    return fail(ErrorCode::kBadInput, "{}:{}: an argument needs as many starts as texts", place.file, place.number);
  }
  for (std::size_t i = 0; i < texts->size(); ++i) {
    HARNESSG_ASSIGN(Mention mention, mention_of((*texts)[i], (*starts)[i], place));
    take(std::move(mention));
  }
  return {};
}

// The roles under `object`, and theirs, with `prefix` before their names.
Status read_roles(const Json& object, const std::string& prefix, int depth, const Place& place, GoldEvent& event) {
  if (depth > kDeepest) return fail(ErrorCode::kBadInput, "{}:{}: roles lie too deep", place.file, place.number);
  for (const auto& [key, value] : object.items()) {
    if (!is_role(key) || (prefix.empty() && key == kTrigger)) continue;
    const std::string role = prefix + key;
    if (value.is_array()) {
      for (const Json& element : value) {
        HARNESSG_RETURN_IF_ERROR(read_roles(element, role + '.', depth + 1, place, event));
      }
      continue;
    }
    HARNESSG_RETURN_IF_ERROR(for_each_mention(value, place, [&](Mention&& mention) {
      event.arguments.push_back({role, std::move(mention)});
    }));
    HARNESSG_RETURN_IF_ERROR(read_roles(value, role + '.', depth + 1, place, event));
  }
  return {};
}

Result<GoldEvent> event_of(const Json& object, const Place& place) {
  GoldEvent event;
  HARNESSG_ASSIGN(event.type, text_field(object, "event_type", place));
  HARNESSG_ASSIGN(const Json* const trigger, object_field(object, kTrigger, place));
  std::size_t triggers = 0;
  HARNESSG_RETURN_IF_ERROR(for_each_mention(*trigger, place, [&](Mention&& mention) {
    event.trigger = std::move(mention);
    ++triggers;
  }));
  if (triggers != 1) {
    return fail(ErrorCode::kBadInput, "{}:{}: an event has {} triggers, not one", place.file, place.number, triggers);
  }
  HARNESSG_RETURN_IF_ERROR(read_roles(object, "", 1, place, event));
  return event;
}

}  // namespace

Result<EventRecord> phee_record(const Json& object, const Place& place) {
  EventRecord record;
  HARNESSG_ASSIGN(record.id, text_field(object, "id", place));
  HARNESSG_ASSIGN(record.text, text_field(object, "context", place));
  HARNESSG_ASSIGN(const Json* const annotations, list_field(object, "annotations", place));
  for (const Json& annotation : *annotations) {
    HARNESSG_ASSIGN(const Json* const events, list_field(annotation, "events", place));
    for (const Json& event : *events) {
      HARNESSG_ASSIGN(GoldEvent gold, event_of(event, place));
      record.events.push_back(std::move(gold));
    }
  }
  return record;
}

}  // namespace harnessg::eager
