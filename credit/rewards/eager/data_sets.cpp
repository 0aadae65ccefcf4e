#include "credit/rewards/eager/data_sets.h"

#include "credit/rewards/eager/casie.h"
#include "credit/rewards/eager/data_set_fields.h"
#include "credit/rewards/eager/event_folder.h"
#include "credit/rewards/eager/phee.h"
#include "credit/rewards/eager/token_text.h"
#include "credit/rewards/eager/wikievents.h"

namespace harnessg::eager {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

Result<Mention> own_mention(const Json& object, const Place& place) {
  Mention mention;
  HARNESSG_ASSIGN(mention.text, text_field(object, "text", place));
  if (!find_value(object, "start") && !find_value(object, "end")) return mention;
  Span span;
  HARNESSG_ASSIGN(span.begin, count_field(object, "start", place));
  HARNESSG_ASSIGN(span.end, count_field(object, "end", place));
  mention.span = span;
  return mention;
}

Result<GoldEvent> own_event(const Json& object, const Place& place) {
  GoldEvent event;
  HARNESSG_ASSIGN(event.type, text_field(object, "type", place));
  HARNESSG_ASSIGN(const Json* const trigger, object_field(object, "trigger", place));
  HARNESSG_ASSIGN(event.trigger, own_mention(*trigger, place));
  if (!find_value(object, "arguments")) return event;
  HARNESSG_ASSIGN(const Json* const arguments, list_field(object, "arguments", place));
  for (const Json& argument : *arguments) {
    HARNESSG_ASSIGN(const std::string role, text_field(argument, "role", place));
    HARNESSG_ASSIGN(Mention mention, own_mention(argument, place));
    event.arguments.push_back({role, std::move(mention)});
  }
  return event;
}

Result<EventRecord> own_record(const Json& object, const Place& place) {
  EventRecord record;
  HARNESSG_ASSIGN(record.id, id_of(object, "id", place));
  HARNESSG_ASSIGN(record.text, text_field(object, "text", place));
  HARNESSG_ASSIGN(const Json* const events, list_field(object, "events", place));
  for (const Json& event : *events) {
    HARNESSG_ASSIGN(GoldEvent gold, own_event(event, place));
    record.events.push_back(std::move(gold));
  }
  return record;
}

// What a set in tokens calls its keys.
struct TokenKeys {
  const char* id;
  const char* text;
  const char* tokens;
  const char* events;
};

Result<TokenText> token_text(const Json& object, const TokenKeys& keys, const Place& place) {
  HARNESSG_ASSIGN(const Json* const list, list_field(object, keys.tokens, place));
  std::vector<std::string> tokens;
  for (const Json& token : *list) {
    if (!token.is_string()) {
      return fail(ErrorCode::kBadInput, "{}:{}: every token must be a string", place.file, place.number);
    }
    tokens.push_back(token.get<std::string>());
  }
  if (!find_value(object, keys.text)) return join_tokens(tokens);
  HARNESSG_ASSIGN(const std::string text, text_field(object, keys.text, place));
  auto found = find_tokens(text, tokens);
  return found ? std::move(*found) : join_tokens(tokens);
}

Result<Mention> token_mention(const Json& object, const TokenText& text, const Place& place) {
  HARNESSG_ASSIGN(const std::size_t begin, count_field(object, "start", place));
  HARNESSG_ASSIGN(const std::size_t end, count_field(object, "end", place));
  auto mention = text.mention(begin, end);
  if (mention) return std::move(*mention);
  return fail(ErrorCode::kBadInput, "{}:{}: there are no tokens {}..{}", place.file, place.number, begin, end);
}

Result<EventRecord> token_record(const Json& object, const TokenKeys& keys, const Place& place) {
  EventRecord record;
  HARNESSG_ASSIGN(record.id, id_of(object, keys.id, place));
  HARNESSG_ASSIGN(const TokenText text, token_text(object, keys, place));
  HARNESSG_ASSIGN(const Json* const events, list_field(object, keys.events, place));
  for (const Json& event : *events) {
    GoldEvent gold;
    HARNESSG_ASSIGN(gold.type, text_field(event, "event_type", place));
    HARNESSG_ASSIGN(const Json* const trigger, object_field(event, "trigger", place));
    HARNESSG_ASSIGN(gold.trigger, token_mention(*trigger, text, place));
    HARNESSG_ASSIGN(const Json* const arguments, list_field(event, "arguments", place));
    for (const Json& argument : *arguments) {
      HARNESSG_ASSIGN(const std::string role, text_field(argument, "role", place));
      HARNESSG_ASSIGN(Mention mention, token_mention(argument, text, place));
      gold.arguments.push_back({role, std::move(mention)});
    }
    record.events.push_back(std::move(gold));
  }
  record.text = text.text;
  return record;
}

nlohmann::ordered_json mention_json(const Mention& mention) {
  nlohmann::ordered_json object{{"text", mention.text}};
  if (mention.span) {
    object["start"] = mention.span->begin;
    object["end"] = mention.span->end;
  }
  return object;
}

}  // namespace

Result<DataSetForm> data_set_form(const Json& object, const Place& place) {
  if (find_value(object, "annotations") && find_value(object, "context")) return DataSetForm::kPhee;
  const Json* sentences = find_value(object, "sentences");
  const bool in_sentences = sentences && sentences->is_array() && !sentences->empty() && sentences->front().is_array();
  if (find_value(object, "event_mentions") && in_sentences) return DataSetForm::kWikiEvents;
  if (find_value(object, "event_mentions") && find_value(object, "tokens")) return DataSetForm::kTextEe;
  if (find_value(object, "content") && find_value(object, "sourcefile")) return DataSetForm::kCasie;
  if (find_value(object, "golden-event-mentions") && find_value(object, "words")) return DataSetForm::kM2e2;
  if (find_value(object, "text") && find_value(object, "events")) return DataSetForm::kOwn;
  return fail(ErrorCode::kBadInput,
              "{}:{}: no event record: it has neither \"text\" and \"events\" nor the keys of PHEE, WikiEvents, "
              "TextEE, CASIE or "
              "M2E2",
              place.file, place.number);
}

Result<EventRecord> event_record(const Json& object, DataSetForm form, const Place& place) {
  switch (form) {
    case DataSetForm::kPhee:
      return phee_record(object, place);
    case DataSetForm::kWikiEvents:
      return wikievents_record(object, place);
    case DataSetForm::kTextEe:
      return token_record(
          object, {find_value(object, "wnd_id") ? "wnd_id" : "doc_id", "text", "tokens", "event_mentions"}, place);
    case DataSetForm::kCasie:
      return casie_record(object, place);
    case DataSetForm::kM2e2:
      return token_record(object, {"sentence_id", "sentence", "words", "golden-event-mentions"}, place);
    case DataSetForm::kOwn:
      break;
  }
  return own_record(object, place);
}

Result<std::vector<EventRecord>> read_event_records(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_event_folder(path);
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(path, kMaxRecordBytes));
  std::vector<EventRecord> records;
  for (;;) {
    HARNESSG_ASSIGN(std::optional<JsonRecord> record, reader.next());
    if (!record) return records;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    HARNESSG_ASSIGN(const DataSetForm form, data_set_form(*record->object, record->place));
    HARNESSG_ASSIGN(EventRecord parsed, event_record(*record->object, form, record->place));
    records.push_back(std::move(parsed));
  }
}

std::string event_record_json(const EventRecord& record) {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const GoldEvent& event : record.events) {
    nlohmann::ordered_json arguments = nlohmann::ordered_json::array();
    for (const GoldArgument& argument : event.arguments) {
      nlohmann::ordered_json object{{"role", argument.role}};
      object.update(mention_json(argument.mention));
      arguments.push_back(std::move(object));
    }
    events.push_back({{"type", event.type}, {"trigger", mention_json(event.trigger)}, {"arguments", arguments}});
  }
  const nlohmann::ordered_json object{{"id", record.id}, {"text", record.text}, {"events", events}};
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace harnessg::eager
