// What `--embedder` means, for building and for playing.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/embedder.h"
#include "data/index.h"
#include "data/relevance.h"
#include "data/result.h"

namespace harnessg {

struct EmbedderChoice {
  enum class Kind : std::uint8_t { kNone, kMiniLm, kFiles };

  Kind kind = Kind::kNone;
  std::filesystem::path files;  // of kFiles: a .npy file or a folder
};

// "none", "minilm", or a file or folder. kInvalidArgument for a word that is none of them, with what there is.
Result<EmbedderChoice> parse_embedder(const std::string& text);

// The sentence encoder; an empty `folder` means the one that was compiled in. kUnavailable where it cannot run.
// `threads` as for the build, 0: as many as the machine has.
Result<std::shared_ptr<const Embedder>> load_minilm(const std::filesystem::path& folder, unsigned threads);

// What encodes the queries of episodes on `index`, null for lexical scoring. Without a choice an index that was built
// with minilm loads minilm; one with precomputed vectors asks for a folder. kInvalidArgument when choice, scoring and
// index contradict each other.
Result<std::shared_ptr<const Embedder>> query_embedder(const Index& index, std::optional<Scoring> scoring,
                                                       const std::optional<EmbedderChoice>& choice,
                                                       const std::filesystem::path& minilm_folder);

}  // namespace harnessg
