// The recorded graphs of the published release, built from their recorded sentences and mentions by our own builder.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/embedder.h"
#include "data/graph.h"
#include "data/index.h"
#include "data/result.h"

namespace harnessg::conformance {

struct ConformanceSet {
  std::shared_ptr<const Index> index;    // in memory, with the recorded grid vectors
  std::vector<std::string> query_texts;  // row i of query_vectors is the vector of text i
  Matrix query_vectors;
};

// `shared` is the folder that holds conformance/; `set` "2wiki", "hotpot" or "musique"; `variant` "spacy_dense" or
// "rule_dense". `synonyms`: "spec" for the edges of our builder, "reference" for the edges that the release recorded
// (recorded episodes were played on them).
Result<ConformanceSet> load_conformance_set(const std::filesystem::path& shared, const std::string& set,
                                            const std::string& variant, const std::string& synonyms);

// A JSON document of conformance/, gzipped or plain.
Result<nlohmann::json> read_recorded_json(const std::filesystem::path& file);

// What our builder makes of graph-SET.json.gz with the variant's mentions; without synonyms.
Result<GraphTables> build_recorded_graph(const std::filesystem::path& shared, const std::string& set,
                                         const nlohmann::json& recorded, const std::string& variant);

}  // namespace harnessg::conformance
