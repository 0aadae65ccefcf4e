// A stand-in for a model: a text's vector is the normalised sum of a random one for each of its words.
#pragma once

#include <xxhash.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "data/embedder.h"
#include "data/splitmix.h"
#include "data/text.h"

namespace harnessg {

// Counts how often it is asked for queries. It fails for every batch that holds a text with `refused` in it.
class WordEmbedder final : public Embedder {
 public:
  explicit WordEmbedder(std::string refused = "") : refused_(std::move(refused)) {}

  const EmbedderInfo& info() const override { return info_; }
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override { return rows(texts); }
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override {
    ++calls_;
    texts_ += texts.size();
    for (const std::string& text : texts) {
      if (!refused_.empty() && text.find(refused_) != std::string::npos)
        return fail(ErrorCode::kUnavailable, "there is no vector for \"{}\"", text);
    }
    return rows(texts);
  }

  std::size_t calls() const { return calls_; }
  std::size_t texts() const { return texts_; }

 private:
  static constexpr std::size_t kDim = 24;

  static Result<Matrix> rows(std::span<const std::string> texts) {
    Matrix matrix{texts.size(), kDim, {}};
    for (const std::string& text : texts) {
      std::vector<double> row(kDim, 1e-3);
      for (const std::string_view word : split_words(text)) {
        SplitMix bits(XXH3_64bits(word.data(), word.size()));
        for (double& value : row) value += static_cast<double>(bits.next() >> 11) * 0x1p-53 - 0.5;
      }
      double square = 0;
      for (const double value : row) square += value * value;
      for (const double value : row) matrix.values.push_back(static_cast<float>(value / std::sqrt(square)));
    }
    return matrix;
  }

  const EmbedderInfo info_{"words", "1", kDim, ""};
  const std::string refused_;
  mutable std::atomic<std::size_t> calls_ = 0;
  mutable std::atomic<std::size_t> texts_ = 0;
};

}  // namespace harnessg
