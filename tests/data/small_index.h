// A small index for tests of the store.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "data/index.h"
#include "tests/data/planned_graph.h"
#include "tests/data/random_rows.h"
#include "tests/data/temporary_folder.h"

inline harnessg::IndexContent content_of(harnessg::GraphTables tables, std::size_t dim) {
  using namespace harnessg;
  Graph graph = Graph::create(std::move(tables)).value();
  Lexicon lexicon = Lexicon::create(word_tables(graph), graph).value();
  IndexContent content{std::move(graph), std::move(lexicon), std::nullopt};
  if (dim > 0) {
    const auto table = [&](NodeKind kind) {
      return VectorTable::create(random_unit_rows(content.graph.count(kind), dim, 7)).value();
    };
    content.vectors = NodeVectors{table(NodeKind::kParagraph), table(NodeKind::kSentence), table(NodeKind::kEntity)};
  }
  return content;
}

inline harnessg::IndexContent small_content(std::size_t dim = 16) { return content_of(small_tables(), dim); }

inline harnessg::Manifest small_manifest(std::uint32_t dim = 16) {
  harnessg::Manifest manifest;
  manifest.tool_version = "0.0.0-test";
  manifest.text_rules = "1 (ICU 72.1, Unicode 15.0)";
  manifest.embedder = dim > 0 ? harnessg::EmbedderInfo{"precomputed:test", "v1", dim, "query: "}
                              : harnessg::EmbedderInfo{"none", "", 0, ""};
  manifest.recogniser = "rules";
  manifest.settings = {{"synonym_threshold", "0.80"}, {"quote", "\"Ça\""}};
  manifest.input_hashes = {{"corpus.jsonl", "0123456789abcdef"}};
  manifest.counts = {{"duplicates_merged", 3}, {"records_skipped", 0}};
  return manifest;
}

inline void write_small_index(const std::filesystem::path& folder, bool replace = false) {
  const auto written = harnessg::write_index(folder, small_content(), small_manifest(), replace);
  if (!written) throw std::runtime_error(written.error().message);
}

// Bytes of every regular file below a folder, by relative path.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).generic_string()] = read_bytes(entry.path());
  return files;
}
