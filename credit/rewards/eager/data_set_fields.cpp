#include "credit/rewards/eager/data_set_fields.h"

#include "credit/rewards/json_numbers.h"

namespace harnessg::eager {
namespace {

tl::unexpected<Error> missing(std::string_view key, std::string_view type, const Place& place) {
  return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" is missing or no {}", place.file, place.number, key, type);
}

const Json* value_of(const Json& object, std::string_view key) {
  return object.is_object() ? find_value(object, key) : nullptr;
}

}  // namespace

Result<const Json*> list_field(const Json& object, std::string_view key, const Place& place) {
  const Json* value = value_of(object, key);
  if (!value || !value->is_array()) return missing(key, "list", place);
  return value;
}

Result<const Json*> object_field(const Json& object, std::string_view key, const Place& place) {
  const Json* value = value_of(object, key);
  if (!value || !value->is_object()) return missing(key, "object", place);
  return value;
}

Result<std::string> text_field(const Json& object, std::string_view key, const Place& place) {
  const Json* value = value_of(object, key);
  if (!value || !value->is_string()) return missing(key, "string", place);
  return value->get<std::string>();
}

Result<std::size_t> count_field(const Json& object, std::string_view key, const Place& place) {
  const Json* value = value_of(object, key);
  const auto number = value ? whole_number(*value) : std::nullopt;
  if (!number) return missing(key, "whole number from 0", place);
  return *number;
}

Mention located_mention(std::string_view document, std::string text, Span span) {
  const auto there = slice(document, span);
  if (there == text) return {std::move(text), span};
  if (span.begin > 0 && span.end > 0) {
    const Span before{span.begin - 1, span.end - 1};
    if (slice(document, before) == text) return {std::move(text), before};
  }
  return {std::move(text), there ? std::optional(span) : std::nullopt};
}

}  // namespace harnessg::eager
