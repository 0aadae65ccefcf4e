// all-MiniLM-L6-v2, the sentence encoder, run in process: WordPiece, six BERT layers by OpenVINO, mean, L2 norm.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "data/embedder.h"
#include "data/result.h"

namespace harnessg {

struct MiniLmOptions {
  unsigned threads = 0;          // texts in work at a time, for all callers together; 0: as many as the machine has
  std::size_t max_tokens = 256;  // of a text, [CLS] and [SEP] included; what is behind them has no effect
};

// Thread-safe; every caller's texts go to the same `threads` workers. Equal text gives equal bits on one machine with
// one OpenVINO: texts are put together only with texts of exactly their length (so there is no padding), not at all
// where a trial at first use shows that the processor's kernels depend on it, and averages and norms have a fixed order
// of additions. Another kind of processor may differ in the last bits. docs/encoder.md has more.
class MiniLm : public Embedder {
 public:
  // Reads model.safetensors, config.json, vocab.txt and tokenizer_config.json of `folder`; an empty path means the
  // folder that was compiled in. Takes about half a second; the process grows by 200 to 400 MB. kUnavailable in a build
  // without the encoder or when OpenVINO cannot run, kNotFound naming a file that is missing, kCorrupt or kBadInput
  // naming one that is damaged or of another kind of model, kInvalidArgument for max_tokens out of range.
  static Result<std::unique_ptr<MiniLm>> load(const std::filesystem::path& folder, const MiniLmOptions& options = {});
  ~MiniLm() override;

  // Name "minilm"; version: 32 hex digits over weights, tokenizer, the settings of the network and max_tokens.
  const EmbedderInfo& info() const override { return info_; }
  // Any text has a vector, the empty one too. Queries and passages are encoded alike.
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override;
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override;

 private:
  struct Network;

  MiniLm(std::unique_ptr<Network> network, EmbedderInfo info);

  std::unique_ptr<Network> network_;
  EmbedderInfo info_;
};

}  // namespace harnessg
