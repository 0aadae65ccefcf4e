#include "data/minilm_model.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <openvino/core/model.hpp>
#include <openvino/op/ops.hpp>
#include <string>
#include <utility>
#include <vector>

namespace harnessg {
namespace {

using Json = nlohmann::json;
using Value = ov::Output<ov::Node>;

std::shared_ptr<ov::op::v0::Constant> integers(const std::vector<std::int64_t>& values) {
  return ov::op::v0::Constant::create(ov::element::i64, ov::Shape{values.size()}, values);
}

std::shared_ptr<ov::op::v0::Constant> integer(std::int64_t value) {
  return ov::op::v0::Constant::create(ov::element::i64, ov::Shape{}, {value});
}

// Builds the graph of "BERT: Pre-training of Deep Bidirectional Transformers" (Devlin et al. 2019), encoder side, with
// the tensor names of the published weights. The first tensor that is missing is remembered in `status`; from then on
// the graph is worthless.
class BertGraph {
 public:
  BertGraph(std::shared_ptr<const SafeTensors> weights, const BertSettings& settings)
      : weights_(std::move(weights)), settings_(settings) {}

  std::shared_ptr<ov::Model> build() {
    auto ids = std::make_shared<ov::op::v0::Parameter>(ov::element::i32, ov::PartialShape::dynamic(2));
    Value tokens = embeddings(ids);
    for (std::size_t n = 0; n < settings_.layers; ++n) tokens = layer(tokens, fmt::format("encoder.layer.{}.", n));
    return std::make_shared<ov::Model>(ov::OutputVector{tokens}, ov::ParameterVector{ids}, "minilm");
  }

  const Status& status() const { return status_; }

 private:
  Value weight(const std::string& name, const std::vector<std::size_t>& shape) {
    const auto values = weights_->values(name, shape);
    if (!values && status_) status_ = tl::unexpected<Error>(values.error());
    if (!values) return ov::op::v0::Constant::create(ov::element::f32, shape, {0.0F});
    auto owner = std::const_pointer_cast<SafeTensors>(weights_);
    return std::make_shared<ov::op::v0::Constant>(ov::element::f32, ov::Shape(shape), values->data(), owner);
  }

  // x * W^T + b
  Value dense(const Value& x, const std::string& name, std::size_t out, std::size_t in) {
    const auto product = std::make_shared<ov::op::v0::MatMul>(x, weight(name + ".weight", {out, in}), false, true);
    return std::make_shared<ov::op::v1::Add>(product, weight(name + ".bias", {out}));
  }

  Value normalise(const Value& x, const std::string& name) {
    const auto unit =
        std::make_shared<ov::op::v6::MVN>(x, integers({-1}), true, settings_.epsilon, ov::op::MVNEpsMode::INSIDE_SQRT);
    const auto scaled = std::make_shared<ov::op::v1::Multiply>(unit, weight(name + ".weight", {settings_.dim}));
    return std::make_shared<ov::op::v1::Add>(scaled, weight(name + ".bias", {settings_.dim}));
  }

  Value embeddings(const Value& ids) {
    const auto words = std::make_shared<ov::op::v8::Gather>(
        weight("embeddings.word_embeddings.weight", {settings_.vocabulary, settings_.dim}), ids, integer(0));
    const auto length =
        std::make_shared<ov::op::v8::Gather>(std::make_shared<ov::op::v3::ShapeOf>(ids), integers({1}), integer(0));
    const auto positions = std::make_shared<ov::op::v8::Slice>(
        weight("embeddings.position_embeddings.weight", {settings_.positions, settings_.dim}), integers({0}), length,
        integers({1}), integers({0}));
    const auto type = std::make_shared<ov::op::v8::Gather>(
        weight("embeddings.token_type_embeddings.weight", {settings_.token_types, settings_.dim}), integer(0),
        integer(0));
    const auto typed = std::make_shared<ov::op::v1::Add>(words, type);
    return normalise(std::make_shared<ov::op::v1::Add>(typed, positions), "embeddings.LayerNorm");
  }

  // text x token x dim to text x head x token x (dim / heads)
  Value split_heads(const Value& x) {
    const std::int64_t heads = static_cast<std::int64_t>(settings_.heads);
    const std::int64_t width = static_cast<std::int64_t>(settings_.dim / settings_.heads);
    const auto split = std::make_shared<ov::op::v1::Reshape>(x, integers({0, 0, heads, width}), true);
    return std::make_shared<ov::op::v1::Transpose>(split, integers({0, 2, 1, 3}));
  }

  Value attention(const Value& x, const std::string& prefix) {
    const auto projected = [&](const char* name) {
      return split_heads(dense(x, prefix + "self." + name, settings_.dim, settings_.dim));
    };
    const auto mixed = std::make_shared<ov::op::v13::ScaledDotProductAttention>(projected("query"), projected("key"),
                                                                                projected("value"), false);
    const auto back = std::make_shared<ov::op::v1::Transpose>(mixed, integers({0, 2, 1, 3}));
    return std::make_shared<ov::op::v1::Reshape>(back, integers({0, 0, static_cast<std::int64_t>(settings_.dim)}),
                                                 true);
  }

  Value layer(const Value& x, const std::string& prefix) {
    const std::string self = prefix + "attention.";
    const Value mixed = dense(attention(x, self), self + "output.dense", settings_.dim, settings_.dim);
    const Value attended = normalise(std::make_shared<ov::op::v1::Add>(mixed, x), self + "output.LayerNorm");
    const auto inner = std::make_shared<ov::op::v7::Gelu>(
        dense(attended, prefix + "intermediate.dense", settings_.inner_dim, settings_.dim),
        ov::op::GeluApproximationMode::ERF);
    const Value outer = dense(inner, prefix + "output.dense", settings_.dim, settings_.inner_dim);
    return normalise(std::make_shared<ov::op::v1::Add>(outer, attended), prefix + "output.LayerNorm");
  }

  std::shared_ptr<const SafeTensors> weights_;
  BertSettings settings_;
  Status status_;
};

// A positive integer below a million, the bound that keeps every product of two in range.
Status read_count(const Json& config, const char* field, const std::string& file, std::size_t& out) {
  const Json value = config.value(field, Json());
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0 || value.get<std::uint64_t>() >= 1'000'000)
    return fail(ErrorCode::kBadInput, "{}: \"{}\" is {}, not a positive integer below 1000000", file, field,
                value.dump());
  out = value.get<std::size_t>();
  return {};
}

// A field that may be left out, but must not say anything else.
Status expect_word(const Json& config, const char* field, const char* word, const std::string& file) {
  const Json value = config.value(field, Json(word));
  if (value == word) return {};
  return fail(ErrorCode::kBadInput, "{}: \"{}\" is {}; this encoder runs only {}", file, field, value.dump(), word);
}

}  // namespace

Result<BertSettings> read_bert_settings(const std::filesystem::path& config) {
  const std::string file = config.string();
  std::ifstream in(config);
  if (!in) return fail(ErrorCode::kNotFound, "{}: there is no such file, or it cannot be opened", file);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::kBadInput, "{}: is not a JSON object", file);
  BertSettings settings;
  HARNESSG_RETURN_IF_ERROR(expect_word(json, "model_type", "bert", file));
  HARNESSG_RETURN_IF_ERROR(expect_word(json, "hidden_act", "gelu", file));
  HARNESSG_RETURN_IF_ERROR(expect_word(json, "position_embedding_type", "absolute", file));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "num_hidden_layers", file, settings.layers));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "num_attention_heads", file, settings.heads));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "hidden_size", file, settings.dim));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "intermediate_size", file, settings.inner_dim));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "vocab_size", file, settings.vocabulary));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "max_position_embeddings", file, settings.positions));
  HARNESSG_RETURN_IF_ERROR(read_count(json, "type_vocab_size", file, settings.token_types));
  if (settings.dim % settings.heads != 0)
    return fail(ErrorCode::kBadInput, "{}: hidden_size {} is no multiple of num_attention_heads {}", file, settings.dim,
                settings.heads);
  const Json epsilon = json.value("layer_norm_eps", Json(1e-12));
  if (!epsilon.is_number() || !(epsilon.get<double>() > 0 && epsilon.get<double>() < 1))
    return fail(ErrorCode::kBadInput, "{}: \"layer_norm_eps\" is {}, not between 0 and 1", file, epsilon.dump());
  settings.epsilon = epsilon.get<float>();
  return settings;
}

Result<std::shared_ptr<ov::Model>> build_minilm_model(std::shared_ptr<const SafeTensors> weights,
                                                      const BertSettings& settings) {
  BertGraph graph(std::move(weights), settings);
  auto model = graph.build();
  HARNESSG_RETURN_IF_ERROR(graph.status());
  return model;
}

}  // namespace harnessg
