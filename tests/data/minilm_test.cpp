#include "data/minilm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/data/small_bert.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

#if HARNESSG_ENCODER

namespace {

// The published model where it is installed; nullptr, with the reason printed, where it is not.
const MiniLm* published() {
  static const auto encoder = MiniLm::load("", {.threads = 2});
  if (encoder) return encoder->get();
  REQUIRE(encoder.error().code == ErrorCode::kNotFound);
  MESSAGE("skipped: ", encoder.error().message);
  return nullptr;
}

// Titles, first and whole sentences of the sample corpus, and every beginning of its first paragraph: some hundred
// texts of 3 to about 60 tokens, several of most lengths, some of them equal.
std::vector<std::string> sample_texts() {
  std::ifstream in(std::string(HARNESSG_SOURCE_DIR) + "/data/sample/corpus.jsonl");
  std::vector<std::string> texts;
  for (std::string line; std::getline(in, line);) {
    const auto record = nlohmann::json::parse(line);
    const std::string text = record["text"];
    if (texts.empty())
      for (std::size_t at = text.find(' '); at < std::min<std::size_t>(text.size(), 200); at = text.find(' ', at + 1))
        texts.push_back(text.substr(0, at));
    texts.push_back(record["title"]);
    texts.push_back(text.substr(0, text.find(". ")));
    if (texts.size() > 160) break;
  }
  texts.push_back(texts.front());
  REQUIRE(texts.size() > 40);
  return texts;
}

std::vector<float> row(const Matrix& matrix, std::size_t r) {
  const auto values = matrix.row(r);
  return {values.begin(), values.end()};
}

Error error_of(const SmallBert& model, const MiniLmOptions& options = {.threads = 1, .max_tokens = 6}) {
  const auto encoder = MiniLm::load(model.folder.path(), options);
  REQUIRE_FALSE(encoder);
  return encoder.error();
}

std::string version_of(const SmallBert& model, std::size_t max_tokens = 6) {
  const auto encoder = MiniLm::load(model.folder.path(), {.threads = 1, .max_tokens = max_tokens});
  REQUIRE(encoder);
  return (*encoder)->info().version;
}

}  // namespace

// The expected numbers are of a forward pass in double precision, written apart from this one, with NumPy.
TEST_CASE("Vectors of the published model agree with an independent computation") {
  const MiniLm* encoder = published();
  if (!encoder) return;
  const std::vector<std::string> texts = {"Who directed the film that won the award?",
                                          "Teutberga was a queen of Lotharingia by marriage to Lothair II.",
                                          "Zürich – 東京 [SEP] naïve café, U.S.A.", ""};
  const std::vector<std::array<float, 8>> expected = {
      {-0.075728F, 0.079627F, -0.112427F, 0.023334F, -0.002234F, 0.092281F, 0.100555F, 0.061589F},
      {0.028712F, 0.061964F, 0.011863F, 0.044041F, -0.169306F, 0.072372F, -0.030679F, 0.024145F},
      {0.069141F, 0.040227F, 0.05387F, 0.007131F, 0.01903F, 0.003547F, 0.029468F, -0.030087F},
      {-0.118838F, 0.048299F, -0.002548F, -0.011011F, 0.051951F, 0.010292F, 0.115433F, 0.000701F}};
  const auto vectors = encoder->embed_passages(texts);
  REQUIRE(vectors);
  REQUIRE(vectors->dim == 384);
  for (std::size_t r = 0; r < texts.size(); ++r) {
    double norm = 0;
    for (const float value : vectors->row(r)) norm += static_cast<double>(value) * value;
    CHECK(std::abs(norm - 1) < 1e-6);
    for (std::size_t d = 0; d < 8; ++d) CHECK(std::abs(vectors->row(r)[d] - expected[r][d]) < 1e-5);
  }
}

TEST_CASE("The published model says what it is") {
  const MiniLm* encoder = published();
  if (!encoder) return;
  CHECK(encoder->info().name == "minilm");
  CHECK(encoder->info().dim == 384);
  CHECK(encoder->info().version.size() == 32);
  CHECK(encoder->info().query_prefix.empty());
}

TEST_CASE("A text's bits do not depend on the texts around it") {
  const MiniLm* encoder = published();
  if (!encoder) return;
  std::vector<std::string> texts = sample_texts();
  const auto together = encoder->embed_passages(texts);
  REQUIRE(together);
  CHECK(row(*together, 0) == row(*together, texts.size() - 1));
  for (std::size_t r = 0; r < texts.size(); r += 2) {
    const auto alone = encoder->embed_queries(std::span(texts).subspan(r, 1));
    REQUIRE(alone);
    CHECK(row(*alone, 0) == row(*together, r));
  }
  std::ranges::reverse(texts);
  const auto reversed = encoder->embed_passages(std::span(texts).first(texts.size() / 2));
  REQUIRE(reversed);
  for (std::size_t r = 0; r < reversed->rows; ++r) CHECK(row(*reversed, r) == row(*together, texts.size() - 1 - r));
}

TEST_CASE("Several callers at once get the bits that one gets") {
  const MiniLm* encoder = published();
  if (!encoder) return;
  const std::vector<std::string> texts = sample_texts();
  const auto expected = encoder->embed_passages(texts);
  REQUIRE(expected);
  std::array<Result<Matrix>, 4> results = {Matrix{}, Matrix{}, Matrix{}, Matrix{}};
  std::vector<std::thread> callers;
  callers.reserve(results.size());
  for (auto& result : results) callers.emplace_back([&] { result = encoder->embed_passages(texts); });
  for (std::thread& caller : callers) caller.join();
  for (const auto& result : results) {
    REQUIRE(result);
    CHECK(result->values == expected->values);
  }
}

TEST_CASE("No texts give no rows") {
  const SmallBert model;
  const auto encoder = MiniLm::load(model.folder.path(), {.threads = 1, .max_tokens = 6});
  REQUIRE(encoder);
  const auto none = (*encoder)->embed_passages({});
  REQUIRE(none);
  CHECK(none->rows == 0);
  CHECK(none->dim == 8);
}

TEST_CASE("What is behind max_tokens has no effect, what is before it has") {
  const SmallBert model;
  const auto encoder = MiniLm::load(model.folder.path(), {.threads = 1, .max_tokens = 5});
  REQUIRE(encoder);
  const std::vector<std::string> texts = {"one two three four one", "one two three two", "one two four two"};
  const auto vectors = (*encoder)->embed_passages(texts);
  REQUIRE(vectors);
  CHECK(row(*vectors, 0) == row(*vectors, 1));
  CHECK(row(*vectors, 0) != row(*vectors, 2));
}

TEST_CASE("The version changes with weights, vocabulary, settings and max_tokens, and with nothing else") {
  SmallBert model;
  const std::string version = version_of(model);
  CHECK(version_of(SmallBert()) == version);
  CHECK(version_of(model, 5) != version);
  model.write("", 2);
  CHECK(version_of(model) != version);
  model.config["num_attention_heads"] = 4;
  model.write();
  CHECK(version_of(model) != version);
  model.config["num_attention_heads"] = 2;
  model.vocabulary.replace(model.vocabulary.find("four"), 4, "five");
  model.write();
  CHECK(version_of(model) != version);
}

TEST_CASE("A folder or file that is not there is named") {
  const TemporaryFolder empty;
  CHECK(MiniLm::load(empty / "none").error().code == ErrorCode::kNotFound);
  CHECK(MiniLm::load(empty.path()).error().message.find("config.json") != std::string::npos);
  const SmallBert model;
  std::filesystem::remove(model.folder / "model.safetensors");
  CHECK(error_of(model).code == ErrorCode::kNotFound);
  CHECK(error_of(model).message.find("model.safetensors") != std::string::npos);
}

TEST_CASE("A tensor that is missing or of another shape is named") {
  SmallBert model;
  model.write("encoder.layer.0.attention.self.key.bias");
  CHECK(error_of(model).message.find("encoder.layer.0.attention.self.key.bias") != std::string::npos);
  model.config["intermediate_size"] = 32;
  model.write();
  CHECK(error_of(model).message.find("encoder.layer.0.intermediate.dense.weight") != std::string::npos);
}

TEST_CASE("A configuration of another network is refused, and the field named") {
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"model_type", "mpnet"},         {"hidden_act", "relu"},      {"position_embedding_type", "relative_key"},
      {"num_hidden_layers", 0},        {"num_attention_heads", -2}, {"hidden_size", "8"},
      {"vocab_size", nullptr},         {"layer_norm_eps", 0},       {"num_attention_heads", 3},
      {"max_position_embeddings", 1e9}};
  for (const auto& [field, value] : wrong) {
    SmallBert model;
    model.config[field] = value;
    model.write();
    CHECK(error_of(model).code == ErrorCode::kBadInput);
    CHECK(error_of(model).message.find(field) != std::string::npos);
  }
}

TEST_CASE("A model that does not take the mean is refused") {
  const SmallBert model;
  std::filesystem::create_directory(model.folder / "1_Pooling");
  write_bytes(model.folder / "1_Pooling/config.json",
              R"({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false})");
  CHECK(error_of(model).message.find("pooling_mode_cls_token") != std::string::npos);
  write_bytes(model.folder / "1_Pooling/config.json",
              R"({"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true})");
  CHECK(version_of(model).size() == 32);
}

TEST_CASE("A vocabulary with more pieces than the weights have is refused") {
  SmallBert model;
  model.vocabulary += "five\n";
  model.write();
  CHECK(error_of(model).message.find("10 pieces") != std::string::npos);
}

TEST_CASE("max_tokens out of range is refused") {
  const SmallBert model;
  for (const std::size_t tokens : {0, 1, 7})
    CHECK(error_of(model, {.threads = 1, .max_tokens = tokens}).code == ErrorCode::kInvalidArgument);
}

TEST_CASE("Weights that are not numbers give an error, not a vector") {
  SmallBert model;
  model.write("", std::numeric_limits<float>::quiet_NaN());
  const auto encoder = MiniLm::load(model.folder.path(), {.threads = 1, .max_tokens = 6});
  REQUIRE(encoder);
  const std::vector<std::string> texts = {"one"};
  CHECK((*encoder)->embed_passages(texts).error().code == ErrorCode::kUnavailable);
}

#else

TEST_CASE("A build without the encoder says so") {
  const auto encoder = MiniLm::load("");
  REQUIRE_FALSE(encoder);
  CHECK(encoder.error().code == ErrorCode::kUnavailable);
  CHECK(encoder.error().message.find("HARNESSG_ENCODER=ON") != std::string::npos);
}

#endif
