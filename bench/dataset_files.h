// Files of data sets that are no JSON records, and parts of records that a QuestionRecord does not hold.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/datasets.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::bench {

// 2Wiki's evidences, evidences_id and answer_id. kBadInput: a triple is no list of three strings, or the ids are not
// parallel to the triples.
Status add_triples(const Json& object, const Place& place, DatasetQuestion& question);

// popQA.tsv: a header line, columns in any order, cells with quotation marks as spreadsheets write them. The subject's
// page is the supporting title, the property the type. kBadInput with file:line.
Result<std::vector<DatasetQuestion>> read_popqa_table(const std::filesystem::path& file);

// Whether a file begins like TriviaQA's published ones, {"Data": ...
Result<bool> is_published_triviaqa(const std::filesystem::path& file);
// One record at a time is held as JSON. kBadInput with the record's number.
Result<std::vector<DatasetQuestion>> read_published_triviaqa(const std::filesystem::path& file);

}  // namespace harnessg::bench
