#include "data/minilm.h"

#include <utility>

#if HARNESSG_ENCODER
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <openvino/openvino.hpp>
#include <thread>
#include <vector>

#include "data/minilm_model.h"
#include "data/safetensors.h"
#include "data/wordpiece.h"
#endif

namespace harnessg {

#if HARNESSG_ENCODER
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Tokens = std::vector<std::int32_t>;

// Texts of one length go through the network together up to this many tokens: enough that the weights are not fetched
// from memory for a few tokens only; more gains nothing. docs/encoder.md has the figures.
constexpr std::size_t kBatchTokens = 256;

// Requests a worker: one in work, one waiting, so that no worker waits for the caller.
constexpr std::size_t kRequestsPerThread = 2;

// 1_Pooling/config.json, where there is one, must ask for the mean and nothing else.
Status check_pooling(const fs::path& file) {
  std::ifstream in(file);
  if (!in) return {};
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::kBadInput, "{}: is not a JSON object", file.string());
  for (const auto& [field, value] : json.items())
    if (field.starts_with("pooling_mode_") && value != (field == "pooling_mode_mean_tokens"))
      return fail(ErrorCode::kBadInput, "{}: \"{}\" is {}; this encoder takes the mean of all tokens", file.string(),
                  field, value.dump());
  return {};
}

std::string version_of(const SafeTensors& weights, const WordPiece& tokenizer, const BertSettings& s,
                       std::size_t max_tokens) {
  const std::string settings = fmt::format("{} {} {} {} {} {} {} {} {}", s.layers, s.heads, s.dim, s.inner_dim,
                                           s.vocabulary, s.positions, s.token_types, s.epsilon, max_tokens);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const std::string& text : {weights.header(), tokenizer.hash(), settings})
    XXH3_128bits_update(state.get(), text.data(), text.size());
  XXH3_128bits_update(state.get(), weights.bytes().data(), weights.bytes().size());
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The L2-normalised sum of `tokens` rows, which is the normalised mean. False when it has no direction.
bool pool(const float* rows, std::size_t tokens, std::span<float> out) {
  std::vector<double> sums(out.size(), 0.0);
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t d = 0; d < out.size(); ++d) sums[d] += rows[t * out.size() + d];
  double squares = 0;
  for (const double sum : sums) squares += sum * sum;
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm) || norm == 0) return false;
  for (std::size_t d = 0; d < out.size(); ++d) out[d] = static_cast<float>(sums[d] / norm);
  return true;
}

// Positions of texts of one length, next to each other in the order by length.
using Batch = std::span<const std::size_t>;

std::vector<Batch> batches_of(std::span<const std::size_t> by_length, const std::vector<Tokens>& tokens,
                              std::size_t batch_tokens) {
  std::vector<Batch> batches;
  for (std::size_t begin = 0; begin < by_length.size();) {
    const std::size_t length = tokens[by_length[begin]].size();
    const std::size_t most = std::max<std::size_t>(batch_tokens / length, 1);
    std::size_t end = begin + 1;
    while (end < by_length.size() && end - begin < most && tokens[by_length[end]].size() == length) ++end;
    batches.push_back(by_length.subspan(begin, end - begin));
    begin = end;
  }
  return batches;
}

void start(ov::InferRequest& request, Batch batch, const std::vector<Tokens>& tokens) {
  const std::size_t length = tokens[batch.front()].size();
  ov::Tensor ids(ov::element::i32, {batch.size(), length});
  for (std::size_t row = 0; row < batch.size(); ++row)
    std::ranges::copy(tokens[batch[row]], ids.data<std::int32_t>() + row * length);
  request.set_input_tensor(ids);
  request.start_async();
}

}  // namespace

// Every method throws what OpenVINO throws.
struct MiniLm::Network {
  WordPiece tokenizer;
  BertSettings settings;
  std::size_t max_tokens;
  std::size_t threads;
  ov::CompiledModel model;
  std::once_flag tried_batches{};
  std::size_t batch_tokens = 1;

  Result<Matrix> encode(std::span<const std::string> texts);
  std::vector<float> hidden_of(const std::vector<Tokens>& tokens, std::span<const std::size_t> batch);
  bool batches_keep_bits();
  Status collect(ov::InferRequest& request, Batch batch, Matrix& out) const;
};

Status MiniLm::Network::collect(ov::InferRequest& request, Batch batch, Matrix& out) const {
  request.wait();
  const ov::Tensor hidden = request.get_output_tensor();
  const std::size_t length = hidden.get_shape()[1];
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const auto vector = std::span(out.values).subspan(batch[row] * out.dim, out.dim);
    if (!pool(hidden.data<const float>() + row * length * out.dim, length, vector))
      return fail(ErrorCode::kUnavailable,
                  "the sentence encoder's weights give no vector for text {}; get model.safetensors again", batch[row]);
  }
  return {};
}

std::vector<float> MiniLm::Network::hidden_of(const std::vector<Tokens>& tokens, Batch batch) {
  ov::InferRequest request = model.create_infer_request();
  start(request, batch, tokens);
  request.wait();
  const ov::Tensor hidden = request.get_output_tensor();
  return {hidden.data<const float>(), hidden.data<const float>() + hidden.get_size()};
}

// Whether the processor's kernels give a text the same bits in a full batch as alone: the first, the middle and the
// last row, for some lengths.
bool MiniLm::Network::batches_keep_bits() {
  for (const std::size_t typical : {2U, 5U, 16U, 37U}) {
    const std::size_t length = std::min(typical, max_tokens);
    std::vector<Tokens> tokens(kBatchTokens / length, Tokens(length));
    for (std::size_t row = 0; row < tokens.size(); ++row)
      for (std::size_t t = 0; t < length; ++t)
        tokens[row][t] = static_cast<std::int32_t>((row * 7919 + t * 104729) % settings.vocabulary);
    std::vector<std::size_t> rows(tokens.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const std::vector<float> together = hidden_of(tokens, rows);
    for (const std::size_t row : {std::size_t{0}, rows.size() / 2, rows.size() - 1}) {
      const std::vector<float> alone = hidden_of(tokens, std::span(rows).subspan(row, 1));
      if (std::memcmp(alone.data(), together.data() + row * alone.size(), alone.size() * sizeof(float)) != 0)
        return false;
    }
  }
  return true;
}

Result<Matrix> MiniLm::Network::encode(std::span<const std::string> texts) {
  std::vector<Tokens> tokens(texts.size());
  std::ranges::transform(texts, tokens.begin(), [this](const auto& t) { return tokenizer.encode(t, max_tokens); });
  std::vector<std::size_t> by_length(texts.size());
  std::iota(by_length.begin(), by_length.end(), std::size_t{0});
  std::ranges::stable_sort(by_length, {}, [&](std::size_t text) { return tokens[text].size(); });
  if (texts.size() > 1)
    std::call_once(tried_batches, [this] { batch_tokens = batches_keep_bits() ? kBatchTokens : 1; });
  const auto batches = batches_of(by_length, tokens, texts.size() > 1 ? batch_tokens : 1);

  Matrix out{texts.size(), settings.dim, std::vector<float>(texts.size() * settings.dim)};
  std::vector<ov::InferRequest> requests(std::min(batches.size(), threads * kRequestsPerThread));
  std::ranges::generate(requests, [this] { return model.create_infer_request(); });
  for (std::size_t n = 0; n < batches.size() + requests.size(); ++n) {
    ov::InferRequest& request = requests[n % requests.size()];
    if (n >= requests.size()) HARNESSG_RETURN_IF_ERROR(collect(request, batches[n - requests.size()], out));
    if (n < batches.size()) start(request, batches[n], tokens);
  }
  return out;
}

Result<std::unique_ptr<MiniLm>> MiniLm::load(const fs::path& named, const MiniLmOptions& options) {
  const fs::path folder = named.empty() ? fs::path(HARNESSG_MINILM_FOLDER) : named;
  if (!fs::is_directory(folder))
    return fail(ErrorCode::kNotFound,
                "{}: there is no such folder; `make setup` installs all-MiniLM-L6-v2, or name "
                "the folder that has it",
                folder.empty() ? "the sentence encoder's folder" : folder.string());
  HARNESSG_RETURN_IF_ERROR(check_pooling(folder / "1_Pooling" / "config.json"));
  HARNESSG_ASSIGN(const BertSettings settings, read_bert_settings(folder / "config.json"));
  HARNESSG_ASSIGN(WordPiece tokenizer, WordPiece::load(folder));
  if (tokenizer.size() > settings.vocabulary)
    return fail(ErrorCode::kBadInput, "{}: has {} pieces, but config.json says {}", (folder / "vocab.txt").string(),
                tokenizer.size(), settings.vocabulary);
  if (options.max_tokens < 2 || options.max_tokens > settings.positions)
    return fail(ErrorCode::kInvalidArgument, "max_tokens is {}; the sentence encoder takes 2 to {}", options.max_tokens,
                settings.positions);
  HARNESSG_ASSIGN(SafeTensors read, SafeTensors::read(folder / "model.safetensors"));
  const auto weights = std::make_shared<const SafeTensors>(std::move(read));
  EmbedderInfo info{"minilm", version_of(*weights, tokenizer, settings, options.max_tokens),
                    static_cast<std::uint32_t>(settings.dim), ""};
  const unsigned threads = options.threads > 0 ? options.threads : std::max(std::thread::hardware_concurrency(), 1U);
  try {
    HARNESSG_ASSIGN(const auto model, build_minilm_model(weights, settings));
    ov::CompiledModel compiled = ov::Core().compile_model(model, "CPU", ov::hint::inference_precision(ov::element::f32),
                                                          ov::num_streams(static_cast<std::int32_t>(threads)),
                                                          ov::inference_num_threads(static_cast<int>(threads)),
                                                          ov::hint::enable_cpu_pinning(false));
    std::unique_ptr<Network> network(
        new Network{std::move(tokenizer), settings, options.max_tokens, threads, std::move(compiled)});
    return std::unique_ptr<MiniLm>(new MiniLm(std::move(network), std::move(info)));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kUnavailable, "OpenVINO cannot run the sentence encoder in {}: {}", folder.string(),
                error.what());
  }
}

Result<Matrix> MiniLm::embed_passages(std::span<const std::string> texts) const {
  try {
    return network_->encode(texts);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kUnavailable, "OpenVINO failed while encoding {} texts: {}", texts.size(), error.what());
  }
}

#else

struct MiniLm::Network {};

Result<std::unique_ptr<MiniLm>> MiniLm::load(const std::filesystem::path&, const MiniLmOptions&) {
  return fail(ErrorCode::kUnavailable, "this build has no sentence encoder; configure with -DHARNESSG_ENCODER=ON");
}

Result<Matrix> MiniLm::embed_passages(std::span<const std::string>) const {
  return fail(ErrorCode::kUnavailable, "this build has no sentence encoder; configure with -DHARNESSG_ENCODER=ON");
}

#endif

MiniLm::MiniLm(std::unique_ptr<Network> network, EmbedderInfo info)
    : network_(std::move(network)), info_(std::move(info)) {}

MiniLm::~MiniLm() = default;

Result<Matrix> MiniLm::embed_queries(std::span<const std::string> texts) const { return embed_passages(texts); }

}  // namespace harnessg
