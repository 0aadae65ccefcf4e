// Annotations beside a text, in brat's standoff form: GENIA2011 and GENIA2013 (.a1 and .a2), MLEE (.ann).
#pragma once

#include <string>
#include <string_view>

#include "credit/rewards/eager/events.h"
#include "data/result.h"

namespace harnessg::eager {

// One document. Read are text-bound annotations (T), events (E) and equivalences (*); other lines are passed over.
// Roles keep their numbers ("Theme2"). As in TextEE's conversions, an argument that is an event is left out, and one
// that has equivalents stands for each of them. A mention in several pieces is the pieces joined by a space, without a
// span. kBadInput with `name`, the line and what is wrong with it.
Result<EventRecord> standoff_record(std::string id, std::string text, std::string_view annotations,
                                    const std::string& name);

}  // namespace harnessg::eager
