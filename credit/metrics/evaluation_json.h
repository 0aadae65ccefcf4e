// What stands in the data sets' own gold and prediction files, as values. Where a script dies of what it finds, these
// say what is wrong and where. Pure and thread-safe.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "credit/metrics/open_domain.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::metrics {

// One record of HotpotQA or 2Wiki: _id, answer, supporting_facts, and of 2Wiki evidences and, for kV1_1, answer_id and
// evidences_id (absent: no aliases). kBadInput: a key is missing or of another form, or evidences_id is neither empty
// nor parallel to evidences.
Result<GoldRecord> gold_record_of(const Json& record, const Place& place,
                                  TwoWikiVersion version = TwoWikiVersion::kV1_1);

// Which parts a prediction file must have.
enum class PredictionParts : unsigned char { kAnswerAndFacts, kAnswerFactsAndTriples };

// {"answer": {id: text}, "sp": {id: [[title, sentence], ...]}, "evidence": {id: [[subject, relation, object], ...]}}.
// An entry of a list that is no fact or triple is a wrong one; of an object in the place of a list every key is one.
// kBadInput: a part is missing, an answer is no string, a list is null, a number or true or false.
Result<Predictions> predictions_of(const Json& file, std::string_view name, PredictionParts parts);

// One line of MuSiQue: id, answer, answer_aliases, answerable, paragraphs with idx and is_supporting.
Result<MusiqueGold> musique_gold_of(const Json& record, const Place& place);

// One line of predictions: id, predicted_answer, predicted_support_idxs, predicted_answerable; all keys are required,
// null is read as nothing. Numbers of paragraphs may be whole numbers, true (1) or false (0), or strings of digits;
// another entry, or a string in the place of the list, is a wrong one. An answerability other than true, false, 1 or 0
// is never right.
Result<MusiquePrediction> musique_prediction_of(const Json& record, const Place& place);

// {id: text}, as SQuAD and TriviaQA take predictions.
Result<GivenAnswers> given_answers_of(const Json& file, std::string_view name);

// Lines {"Q_id", "aliases": [...], "demonyms": [...]}, added to `aliases`.
Status add_aliases(const Json& record, const Place& place, Aliases& aliases);

}  // namespace harnessg::metrics
