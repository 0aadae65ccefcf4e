#include "credit/models/completions_scorer.h"

#include <algorithm>
#include <utility>

#include "credit/models/answer_jobs.h"
#include "credit/models/answer_text.h"
#include "credit/models/forced_decoding.h"
#include "credit/models/prompt_logprobs.h"
#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::size_t kPromptVersion = 1;  // of PromptTemplate
constexpr std::size_t kMostAtATime = 1'000;

Status check(const CompletionsOptions& options) {
  if (options.concurrency < 1 || options.concurrency > kMostAtATime) {
    return fail(ErrorCode::kInvalidArgument, "{} requests at a time; give 1 to {}", options.concurrency, kMostAtATime);
  }
  for (const std::string* text : {&options.prompt_prefix, &options.prompt_suffix, &options.model}) {
    if (find_invalid_utf8(*text)) {
      return fail(ErrorCode::kInvalidArgument, "the model's name or the prompt's prefix or suffix is not UTF-8");
    }
  }
  return {};
}

HttpOptions http_options(const CompletionsOptions& options) {
  HttpOptions http;
  http.timeout = options.timeout;
  http.retries = options.retries;
  http.first_pause = options.first_pause;
  http.bearer_token = options.api_key;
  return http;
}

bool nobody_there(const NotScored& why) {
  return why.reason == NotScoredReason::kUnavailable || why.reason == NotScoredReason::kTimedOut;
}

}  // namespace

std::string_view method_name(ScoringMethod method) {
  return method == ScoringMethod::kPromptLogprobs ? "prompt log-probabilities" : "forced decoding";
}

class CompletionsScorer::Connection {
 public:
  Connection(CompletionsServer server, CompletionsOptions options)
      : server_(std::move(server)),
        template_{std::move(options.prompt_prefix), std::move(options.prompt_suffix)},
        concurrency_(options.concurrency) {}

  Status open(const std::string& model);

  std::string_view name() const { return name_; }
  ScoringMethod method() const { return method_; }
  std::string identity() const {
    return fmt::format("{}\n{}\nprompt {}\n{} bytes {}\n{}", model_, method_name(method_), kPromptVersion,
                       template_.prefix.size(), template_.prefix, template_.suffix);
  }
  std::vector<Score> score(std::span<const ScoreRequest> requests) const {
    return score_answers(*source_, template_, concurrency_, requests);
  }

 private:
  Status choose_method();

  const CompletionsServer server_;
  const PromptTemplate template_;
  const std::size_t concurrency_;
  std::string model_;
  std::string name_;
  ScoringMethod method_ = ScoringMethod::kPromptLogprobs;
  std::unique_ptr<LogprobSource> source_;
};

Status CompletionsScorer::Connection::open(const std::string& model) {
  HARNESSG_ASSIGN(model_, server_.choose_model(model));
  name_ = "http:" + model_;
  return choose_method();
}

Status CompletionsScorer::Connection::choose_method() {
  const auto gone = [this](const NotScored& why) {
    return fail(ErrorCode::kUnavailable, "{} does not answer: {}", server_.address(), why.message);
  };
  const auto asked = ask_next_token(server_, model_, template_.prefix);
  if (!asked && nobody_there(asked.error())) return gone(asked.error());
  if (!asked) {
    return fail(ErrorCode::kUnavailable, "{} gives no log-probabilities at all: {}", server_.address(),
                asked.error().message);
  }
  auto echoed = PromptLogprobs::probe(server_, model_, *asked);
  if (echoed) {
    source_ = *std::move(echoed);
    return {};
  }
  if (echoed.error().reason == NotScoredReason::kTimedOut) return gone(echoed.error());
  auto forced = ForcedDecoding::probe(server_, model_, *asked);
  if (!forced && forced.error().reason == NotScoredReason::kTimedOut) return gone(forced.error());
  if (!forced) {
    return fail(ErrorCode::kUnavailable,
                "{} cannot say how probable a given answer is; by prompt log-probabilities: {}; by a grammar of token "
                "ids: {}; use vLLM, llama-cpp-python or llama.cpp's server",
                server_.address(), echoed.error().message, forced.error().message);
  }
  source_ = *std::move(forced);
  method_ = ScoringMethod::kForcedDecoding;
  return {};
}

CompletionsScorer::CompletionsScorer(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
CompletionsScorer::~CompletionsScorer() = default;

Result<std::unique_ptr<CompletionsScorer>> CompletionsScorer::connect(std::string_view url,
                                                                      CompletionsOptions options) {
  HARNESSG_RETURN_IF_ERROR(check(options));
  HARNESSG_ASSIGN(CompletionsServer server, CompletionsServer::create(url, http_options(options)));
  const std::string model = options.model;
  auto connection = std::make_unique<Connection>(std::move(server), std::move(options));
  HARNESSG_RETURN_IF_ERROR(connection->open(model));
  return std::unique_ptr<CompletionsScorer>(new CompletionsScorer(std::move(connection)));
}

std::string_view CompletionsScorer::name() const { return connection_->name(); }
ScoringMethod CompletionsScorer::method() const { return connection_->method(); }
std::string CompletionsScorer::identity() const { return connection_->identity(); }

Result<std::vector<Score>> CompletionsScorer::score(std::span<const ScoreRequest> requests) const {
  for (const ScoreRequest& request : requests) {
    bool valid = !find_invalid_utf8(request.question);
    for (const std::string_view text : request.context) valid = valid && !find_invalid_utf8(text);
    for (const std::string& alias : request.aliases) valid = valid && !find_invalid_utf8(alias);
    if (!valid) {
      return fail(ErrorCode::kBadInput, "the question \"{}\", its evidence or an answer is not UTF-8; mend the file",
                  find_invalid_utf8(request.question) ? "..." : request.question);
    }
  }
  return connection_->score(requests);
}

}  // namespace harnessg
