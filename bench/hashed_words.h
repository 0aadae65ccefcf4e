// An embedder without a model: a text is the normalised sum of a pseudo-random vector a word.
#pragma once

#include "data/embedder.h"

namespace harnessg::bench {

// Where a run must not depend on an encoder. Thread-safe; equal bits on every machine.
class HashedWords final : public Embedder {
 public:
  explicit HashedWords(std::uint32_t dim) : info_{"hashed-words", "1", dim, ""} {}

  const EmbedderInfo& info() const override { return info_; }
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override;
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override { return embed_passages(texts); }

 private:
  EmbedderInfo info_;
};

}  // namespace harnessg::bench
