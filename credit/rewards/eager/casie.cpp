#include "credit/rewards/eager/casie.h"

#include <string>
#include <string_view>

#include "credit/rewards/eager/data_set_fields.h"

namespace harnessg::eager {
namespace {

Result<Mention> mention_of(const Json& object, const std::string& text, const Place& place) {
  HARNESSG_ASSIGN(std::string mention, text_field(object, "text", place));
  Span span;
  HARNESSG_ASSIGN(span.begin, count_field(object, "startOffset", place));
  HARNESSG_ASSIGN(span.end, count_field(object, "endOffset", place));
  return located_mention(text, std::move(mention), span);
}

Result<GoldEvent> event_of(const Json& object, const std::string& text, const Place& place) {
  GoldEvent event;
  HARNESSG_ASSIGN(const std::string type, text_field(object, "type", place));
  HARNESSG_ASSIGN(const std::string subtype, text_field(object, "subtype", place));
  event.type = type + ":" + subtype;
  HARNESSG_ASSIGN(const Json* const nugget, object_field(object, "nugget", place));
  HARNESSG_ASSIGN(event.trigger, mention_of(*nugget, text, place));
  if (!find_value(object, "argument")) return event;
  HARNESSG_ASSIGN(const Json* const arguments, list_field(object, "argument", place));
  for (const Json& argument : *arguments) {
    HARNESSG_ASSIGN(const Json* const role, object_field(argument, "role", place));
    HARNESSG_ASSIGN(const std::string name, text_field(*role, "type", place));
    HARNESSG_ASSIGN(Mention mention, mention_of(argument, text, place));
    event.arguments.push_back({name, std::move(mention)});
  }
  return event;
}

}  // namespace

Result<EventRecord> casie_record(const Json& object, const Place& place) {
  EventRecord record;
  HARNESSG_ASSIGN(record.id, text_field(object, "sourcefile", place));
  if (record.id.ends_with(".txt")) record.id.resize(record.id.size() - std::string_view(".txt").size());
  HARNESSG_ASSIGN(record.text, text_field(object, "content", place));
  if (!find_value(object, "cyberevent")) return record;
  HARNESSG_ASSIGN(const Json* const annotated, object_field(object, "cyberevent", place));
  HARNESSG_ASSIGN(const Json* const hoppers, list_field(*annotated, "hopper", place));
  for (const Json& hopper : *hoppers) {
    HARNESSG_ASSIGN(const Json* const events, list_field(hopper, "events", place));
    for (const Json& event : *events) {
      HARNESSG_ASSIGN(GoldEvent gold, event_of(event, record.text, place));
      record.events.push_back(std::move(gold));
    }
  }
  return record;
}

}  // namespace harnessg::eager
