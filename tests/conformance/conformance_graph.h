// The recorded graphs of the published release, built from their recorded sentences and mentions by our own builder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/embedder.h"
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

}  // namespace harnessg::conformance
