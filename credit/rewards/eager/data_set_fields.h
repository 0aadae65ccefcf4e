// Reading the fields of a data set's record.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

// The value of a key of an object, of the type asked for; kBadInput otherwise, with the place and the key.
Result<const Json*> list_field(const Json& object, std::string_view key, const Place& place);
Result<const Json*> object_field(const Json& object, std::string_view key, const Place& place);
Result<std::string> text_field(const Json& object, std::string_view key, const Place& place);
Result<std::size_t> count_field(const Json& object, std::string_view key, const Place& place);

// A mention that a data set places at `span` of the document. Some sets count one too many: where the text is not the
// mention's there and is one character before, the span is that one. Outside of the document there is none.
Mention located_mention(std::string_view document, std::string text, Span span);

}  // namespace harnessg::eager
