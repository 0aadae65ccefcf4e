// Events as the output that claims them.
#pragma once

#include <string>

#include "credit/rewards/eager/events.h"
#include "credit/rewards/eager/schemas.h"

namespace harnessg::eager {

// `[Class(mention="...", field=["...", "..."]), ...]`, an instance a line; the values of one role are one list, in
// order. Names are the schemas'; a type or role that they lack is written as class_name_of and field_name_of make it.
// With the same schemas parse_output reads back the same events, arguments of one event grouped by role.
std::string format_output(const Extraction& events, const SchemaSet& schemas);

}  // namespace harnessg::eager
