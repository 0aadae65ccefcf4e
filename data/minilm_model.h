// The network of MiniLm as an OpenVINO model; private to minilm.cpp and its tests.
#pragma once

#include <filesystem>
#include <memory>

#include "data/result.h"
#include "data/safetensors.h"

namespace ov {
class Model;
}

namespace harnessg {

// What config.json of a BERT encoder says.
struct BertSettings {
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t dim = 0;        // of a token's vector; a multiple of heads
  std::size_t inner_dim = 0;  // of the feed-forward layer
  std::size_t vocabulary = 0;
  std::size_t positions = 0;  // the longest sequence
  std::size_t token_types = 0;
  float epsilon = 0;  // of layer normalisation
};

// kNotFound, or kBadInput naming file and field when one is missing, out of range, or names a network that is not
// BERT's: gelu (exact), absolute positions.
Result<BertSettings> read_bert_settings(const std::filesystem::path& config);

// One input: token ids, int32, one text x its length, without padding. One output: the mean of the last layer's token
// vectors, L2-normalised, float32, one x dim. The model shares the weights' memory. kBadInput naming the tensor that
// the weights lack.
Result<std::shared_ptr<ov::Model>> build_minilm_model(std::shared_ptr<const SafeTensors> weights,
                                                      const BertSettings& settings);

}  // namespace harnessg
