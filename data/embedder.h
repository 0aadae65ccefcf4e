// Role: text to unit vectors. Back ends: MiniLM in C++ (minilm.h), precomputed rows (precomputed.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/result.h"

namespace harnessg {

// What the manifest records; an index may be opened only with an embedder whose name, version and dimension agree.
struct EmbedderInfo {
  std::string name;     // "minilm", "precomputed:NAME"; "none" for an index without vectors
  std::string version;  // hash of weights and tokenizer, or of the matrices
  std::uint32_t dim = 0;
  std::string query_prefix;  // put before a query's text by embed_queries, "" for none

  friend bool operator==(const EmbedderInfo&, const EmbedderInfo&) = default;
};

// Row-major float32, rows x dim.
struct Matrix {
  std::size_t rows = 0;
  std::size_t dim = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t r) const { return std::span<const float>(values).subspan(r * dim, dim); }
};

// Thread-safe. A text's vector does not depend on the batch it came in (implementations fix padding and arithmetic so
// that equal text gives equal bits).
class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual const EmbedderInfo& info() const = 0;
  // One L2-normalised row a text, in order. kUnavailable when the model cannot run, kBadInput naming the text when one
  // has no vector.
  virtual Result<Matrix> embed_passages(std::span<const std::string> texts) const = 0;
  virtual Result<Matrix> embed_queries(std::span<const std::string> texts) const = 0;
};

}  // namespace harnessg
