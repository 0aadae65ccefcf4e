// The whole build: corpus to index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "builder/chunks.h"
#include "builder/mentions_file.h"
#include "builder/progress.h"
#include "builder/synonyms.h"
#include "data/corpus.h"
#include "data/embedder.h"
#include "data/index.h"
#include "data/result.h"

namespace harnessg {

struct BuildSettings {
  std::vector<std::filesystem::path> corpus;  // files and folders, in order
  std::filesystem::path output;
  bool replace = false;  // an index that is there
  CorpusOptions corpus_options;
  std::filesystem::path mentions_file;  // "": the built-in rules
  MentionReader* mentions = nullptr;    // in the place of a file; outlives the build
  std::string recogniser = "file";      // what found the given mentions, for the manifest
  // Titles are mentions wherever they are named (builder/title_gazetteer.h); unset: with the built-in rules, not with
  // given mentions.
  std::optional<bool> title_gazetteer;
  const Embedder* embedder = nullptr;  // null: no encoder; outlives the build
  std::filesystem::path vectors;       // as read_precomputed_vectors; "": none. Not together with an embedder
  SynonymSettings synonyms;
  ChunkSettings chunks;
  unsigned threads = 0;  // of the build itself; 0: one a core. An embedder has its own
};

struct BuildReport {
  // paragraphs, sentences, entities, mentions, synonym_edges (undirected), duplicates_merged, records_read,
  // records_skipped
  std::map<std::string, std::uint64_t> counts;
  std::string content_hash;
  std::vector<std::pair<std::string, double>> stage_seconds;  // in order of the stages
  double seconds = 0;
  std::uint64_t peak_rss_bytes = 0;  // of the process
  std::string first_skipped;         // why the first skipped record was, "" when none was
};

struct BuiltContent {
  IndexContent content;
  Manifest manifest;
  BuildReport report;
};

// In memory; settings.corpus, output, replace, mentions_file and mentions are not looked at. `mentions` null: the
// built-in rules. `sink` may be null. The content depends on the records, mentions, vectors and settings alone, not on
// the threads. kBadInput for an empty corpus and as the readers and Intake say; kInvalidArgument for settings that
// contradict each other; as the embedder and read_precomputed_vectors; kUnavailable when memory runs out.
Result<BuiltContent> build_content(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings,
                                   ProgressSink* sink);

// Reads settings.corpus (and mentions_file or mentions), builds and writes the index: all of it or nothing. The output
// folder is looked at first (kAlreadyExists), everything else before much time is spent where that is possible.
Result<BuildReport> build_index(const BuildSettings& settings, ProgressSink* sink);

// The same from readers of the caller's own; the manifest then knows no input hashes.
Result<BuildReport> build_index(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings,
                                ProgressSink* sink);

}  // namespace harnessg
