// A scorer by the word that a person names it with: `--scorer` of the command, `scorer=` in Python.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "credit/models/scorer.h"
#include "data/result.h"

namespace harnessg {

// For http:URL; all but the cache are of no effect on other scorers.
struct ScorerOptions {
  std::string model;            // empty: the one that the server lists
  std::string api_key_env;      // name of the environment variable that holds the key; empty: no key is sent
  std::string prompt_prefix;    // of a chat template: before the prompt
  std::string prompt_suffix;    // and after it
  double timeout_seconds = 60;  // of one request, with its retries
  std::size_t concurrency = 4;  // requests on their way at a time
  std::size_t retries = 3;      // of one request that failed in passing
  std::string cache_folder;     // scores are kept there (ScoreCache); empty: they are not
};

// "lexical": LexicalProxy. "http:URL", or a URL that begins with http:// or https://: CompletionsScorer, connected.
// kInvalidArgument for another word, a wrong URL or option, an environment variable that is not set; further errors are
// those of CompletionsScorer::connect and ScoreCache::open.
Result<std::unique_ptr<Scorer>> make_scorer(std::string_view spec, const ScorerOptions& options = {});

}  // namespace harnessg
