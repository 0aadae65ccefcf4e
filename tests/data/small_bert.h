// A BERT encoder of one layer and eight dimensions with made-up weights, as the files of a model folder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/data/safetensors_file.h"
#include "tests/data/temporary_folder.h"

class SmallBert {
 public:
  SmallBert() {
    config = {
        {"model_type", "bert"}, {"hidden_act", "gelu"},    {"num_hidden_layers", 1}, {"num_attention_heads", 2},
        {"hidden_size", 8},     {"intermediate_size", 16}, {"vocab_size", 9},        {"max_position_embeddings", 6},
        {"type_vocab_size", 2}, {"layer_norm_eps", 1e-12}};
    write();
  }

  // Writes every file anew, without the tensor called `left_out`; weights depend on `factor`.
  void write(const std::string& left_out = "", float factor = 1) const {
    write_bytes(folder / "config.json", config.dump());
    write_bytes(folder / "vocab.txt", vocabulary);
    write_bytes(folder / "tokenizer_config.json", R"({"do_lower_case": true})");
    write_bytes(folder / "model.safetensors", weights(left_out, factor));
  }

  TemporaryFolder folder;
  nlohmann::json config;
  std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\none\ntwo\nthree\nfour\n";

 private:
  static std::string weights(const std::string& left_out, float factor) {
    SafeTensorsFile file;
    std::uint32_t state = 1;
    const auto add = [&](const std::string& name, const std::vector<std::size_t>& shape) {
      if (name == left_out) return;
      std::size_t count = 1;
      for (const std::size_t extent : shape) count *= extent;
      std::vector<float> values(count);
      for (float& value : values) {
        state = state * 1664525U + 1013904223U;
        value = factor * (static_cast<float>(state >> 16) / 65536.0F - 0.5F);
      }
      file.add(name, shape, values);
    };
    const auto add_layer = [&](const std::string& name, std::size_t out, std::size_t in) {
      add(name + ".weight", {out, in});
      add(name + ".bias", {out});
    };
    const auto add_norm = [&](const std::string& name) {
      add(name + ".weight", {8});
      add(name + ".bias", {8});
    };
    add("embeddings.word_embeddings.weight", {9, 8});
    add("embeddings.position_embeddings.weight", {6, 8});
    add("embeddings.token_type_embeddings.weight", {2, 8});
    add_norm("embeddings.LayerNorm");
    const std::string layer = "encoder.layer.0.";
    for (const char* part : {"query", "key", "value"}) add_layer(layer + "attention.self." + part, 8, 8);
    add_layer(layer + "attention.output.dense", 8, 8);
    add_norm(layer + "attention.output.LayerNorm");
    add_layer(layer + "intermediate.dense", 16, 8);
    add_layer(layer + "output.dense", 8, 16);
    add_norm(layer + "output.LayerNorm");
    return file.bytes();
  }
};
