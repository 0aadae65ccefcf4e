// Cutting long records into several paragraphs.
#pragma once

#include <cstdint>
#include <vector>

#include "data/corpus.h"
#include "data/result.h"

namespace harnessg {

// Tokens are words by white space.
struct ChunkSettings {
  std::uint32_t tokens = 0;   // of a paragraph at most; 0: a record is one paragraph, however long
  std::uint32_t overlap = 0;  // tokens that a paragraph repeats of the one before it

  friend bool operator==(const ChunkSettings&, const ChunkSettings&) = default;
};

// kInvalidArgument when the overlap is not smaller than the chunk, or is given without one.
Status check_chunks(const ChunkSettings& settings);

// The record itself when it is short enough; else its chunks in order, with ids "<id>#0", "<id>#1", ..., the record's
// title and metadata. A given sentence that a chunk's edge divides is divided. kBadInput as locate_sentences.
Result<std::vector<CorpusRecord>> chunk_record(CorpusRecord record, const ChunkSettings& settings);

}  // namespace harnessg
