// PHEE records (pharmacovigilance; ZhaoyueSun/PHEE, data/json).
#pragma once

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

Result<EventRecord> phee_record(const Json& object, const Place& place);

}  // namespace harnessg::eager
