// Folders of text files as corpora. Private to the corpus reader.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/corpus.h"
#include "data/result.h"

namespace harnessg {

struct TextFile {
  std::filesystem::path file;
  std::string id;     // path in the folder without .txt
  std::string title;  // name without .txt
};

// The *.txt files of a folder and its sub-folders by the bytes of their paths (links to folders are not followed).
// kBadInput when there are none or a name is no UTF-8, kIo.
Result<std::vector<TextFile>> text_files(const std::filesystem::path& folder);

// kBadInput when the text is longer than `max_bytes`, empty or no UTF-8; errors of LookAhead::open and fill.
Result<CorpusRecord> read_text_file(const TextFile& file, std::size_t max_bytes);

}  // namespace harnessg
