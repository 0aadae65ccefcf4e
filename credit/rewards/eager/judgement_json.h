// EAGER's values as JSON.
#pragma once

#include "credit/rewards/eager/events.h"
#include "credit/rewards/eager/metric_counts.h"
#include "credit/rewards/eager/output_parser.h"
#include "credit/rewards/eager/rewards.h"
#include "data/json_records.h"

namespace harnessg::eager {

// {"TI": {"predicted", "gold", "matched", "precision", "recall", "f1"}, ...}, fractions.
Json measures_json(const MeasureCounts& counts);

// {"kind", "offset", "line", "column", "message"}.
Json failure_json(const ParseFailure& failure);

// [{"type", "mention", "in_schema", "arguments": [{"role", "text"}]}].
Json extraction_json(const Extraction& events);

// {"events", "arguments", "empty_instances", "measures", "failure" where there is one}.
Json judgement_json(const Judgement& judgement);

}  // namespace harnessg::eager
