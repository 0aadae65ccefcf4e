// What a judge writes about a step, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "credit/models/not_judged.h"
#include "credit/rewards/stepgap/routing.h"
#include "data/json_records.h"

namespace harnessg::stepgap {

// {"step_minus1_alignment": {"is_off_target": bool, "drift_type": text},
//  "step_0_abstention_check": {"is_abstention_step": bool, "abstention_is_accurate": bool},
//  "step_1_quote_search": {"entity_match": bool, "found_quote": bool, "evidence_quote": text}}, other keys ignored.
// Returns what is wrong, one sentence; "" when it can be read.
std::string judge_json_error(const Json& answer);

// Of text with a fence, a thought or prose around the object too. kUnreadable names what is missing or of another type.
Judged<JudgeAnswer> read_judge_answer(std::string_view text);

}  // namespace harnessg::stepgap
