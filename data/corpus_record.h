// From one JSON object to its paragraphs. Private to the corpus reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/corpus.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg {

// The paragraphs of an object of any format that CorpusReader names, in its order; a paragraph that is not usable is an
// error (kBadInput, with the place). `number`, the first record's number in the stream, stands in for a missing id.
std::vector<Result<CorpusRecord>> paragraphs_of(Json object, const Place& place, std::uint64_t number);

// The record of one text file.
Result<CorpusRecord> text_file_record(std::string_view text, std::string id, std::string title, const Place& place);

}  // namespace harnessg
