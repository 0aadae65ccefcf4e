// CASIE records (cyber security news; Ebiquity/CASIE, data/annotation).
#pragma once

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

Result<EventRecord> casie_record(const Json& object, const Place& place);

}  // namespace harnessg::eager
