// One question from its JSON object, for readers that need more of it than a QuestionRecord holds.
#pragma once

#include "data/json_records.h"
#include "data/questions.h"
#include "data/result.h"

namespace harnessg {

// Formats and errors of read_questions.
Result<QuestionRecord> question_from_json(const Json& object, const Place& place);

}  // namespace harnessg
