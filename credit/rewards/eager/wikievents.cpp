#include "credit/rewards/eager/wikievents.h"

#include <string>
#include <unordered_map>

#include "credit/rewards/eager/code_points.h"
#include "credit/rewards/eager/data_set_fields.h"
#include "credit/rewards/eager/token_text.h"
#include "credit/rewards/json_numbers.h"

namespace harnessg::eager {
namespace {

constexpr std::size_t kMostSpaces = 1000;  // between two tokens

// A token is [text, start, end] in code points of the document.
Status append_token(const Json& token, const Place& place, TokenText& text, std::size_t& at) {
  const bool whole =
      token.is_array() && token.size() == 3 && token[0].is_string() && whole_number(token[1]) && whole_number(token[2]);
  if (!whole) {
    return fail(ErrorCode::kBadInput, "{}:{}: a token is a string, its start and its end", place.file, place.number);
  }
  const auto& word = token[0].get_ref<const std::string&>();
  const Span span{*whole_number(token[1]), *whole_number(token[2])};
  if (span.begin < at || span.begin - at > kMostSpaces || span.end - span.begin != count_code_points(word)) {
    return fail(ErrorCode::kBadInput, "{}:{}: the token \"{}\" at {}..{} does not follow the one before", place.file,
                place.number, word, span.begin, span.end);
  }
  text.text.append(span.begin - at, ' ');
  text.text += word;
  text.spans.push_back(span);
  at = span.end;
  return {};
}

Result<TokenText> text_of(const Json& object, const Place& place) {
  HARNESSG_ASSIGN(const Json* const sentences, list_field(object, "sentences", place));
  TokenText text;
  std::size_t at = 0;
  for (const Json& sentence : *sentences) {
    if (!sentence.is_array() || sentence.empty() || !sentence[0].is_array()) {
      return fail(ErrorCode::kBadInput, "{}:{}: a sentence is a list of tokens and its text", place.file, place.number);
    }
    for (const Json& token : sentence[0]) HARNESSG_RETURN_IF_ERROR(append_token(token, place, text, at));
  }
  return text;
}

Result<Mention> mention_of(const Json& object, const TokenText& text, const Place& place) {
  HARNESSG_ASSIGN(const std::size_t begin, count_field(object, "start", place));
  HARNESSG_ASSIGN(const std::size_t end, count_field(object, "end", place));
  const auto mention = text.mention(begin, end);
  if (!mention) {
    return fail(ErrorCode::kBadInput, "{}:{}: there are no tokens {}..{}", place.file, place.number, begin, end);
  }
  return *mention;
}

using Entities = std::unordered_map<std::string, Mention>;

Result<Entities> entities_of(const Json& object, const TokenText& text, const Place& place) {
  HARNESSG_ASSIGN(const Json* const mentions, list_field(object, "entity_mentions", place));
  Entities entities;
  for (const Json& mention : *mentions) {
    HARNESSG_ASSIGN(const std::string id, text_field(mention, "id", place));
    HARNESSG_ASSIGN(entities[id], mention_of(mention, text, place));
  }
  return entities;
}

Result<GoldEvent> event_of(const Json& object, const TokenText& text, const Entities& entities, const Place& place) {
  GoldEvent event;
  HARNESSG_ASSIGN(event.type, text_field(object, "event_type", place));
  HARNESSG_ASSIGN(const Json* const trigger, object_field(object, "trigger", place));
  HARNESSG_ASSIGN(event.trigger, mention_of(*trigger, text, place));
  HARNESSG_ASSIGN(const Json* const arguments, list_field(object, "arguments", place));
  for (const Json& argument : *arguments) {
    HARNESSG_ASSIGN(const std::string id, text_field(argument, "entity_id", place));
    HARNESSG_ASSIGN(const std::string role, text_field(argument, "role", place));
    const auto entity = entities.find(id);
    if (entity == entities.end()) {
      return fail(ErrorCode::kBadInput, "{}:{}: there is no entity \"{}\"", place.file, place.number, id);
    }
    event.arguments.push_back({role, entity->second});
  }
  return event;
}

}  // namespace

Result<EventRecord> wikievents_record(const Json& object, const Place& place) {
  EventRecord record;
  HARNESSG_ASSIGN(record.id, text_field(object, "doc_id", place));
  HARNESSG_ASSIGN(const TokenText text, text_of(object, place));
  HARNESSG_ASSIGN(const Entities entities, entities_of(object, text, place));
  HARNESSG_ASSIGN(const Json* const events, list_field(object, "event_mentions", place));
  for (const Json& event : *events) {
    HARNESSG_ASSIGN(GoldEvent gold, event_of(event, text, entities, place));
    record.events.push_back(std::move(gold));
  }
  record.text = text.text;
  return record;
}

}  // namespace harnessg::eager
