// WikiEvents records (raspberryice/gen-arg, data/wikievents).
#pragma once

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

Result<EventRecord> wikievents_record(const Json& object, const Place& place);

}  // namespace harnessg::eager
