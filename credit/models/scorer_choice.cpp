#include "credit/models/scorer_choice.h"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "credit/models/completions_scorer.h"
#include "credit/models/lexical_proxy.h"
#include "credit/models/score_cache.h"

namespace harnessg {
namespace {

constexpr double kLongestSeconds = 86'400;

// The address in "http:URL", or nothing when `spec` names no server.
std::optional<std::string> address_in(std::string_view spec) {
  constexpr std::string_view kWord = "http:";
  if (spec.starts_with("http://") || spec.starts_with("https://")) return std::string(spec);
  if (!spec.starts_with(kWord)) return std::nullopt;
  const std::string_view address = spec.substr(kWord.size());
  return address.find("://") == std::string_view::npos ? fmt::format("http://{}", address) : std::string(address);
}

Result<CompletionsOptions> completions_options(const ScorerOptions& options) {
  CompletionsOptions made;
  if (!(options.timeout_seconds > 0 && options.timeout_seconds <= kLongestSeconds)) {
    return fail(ErrorCode::kInvalidArgument,
                "a time limit of {} s for one request of a scorer; give more than 0, to {}", options.timeout_seconds,
                kLongestSeconds);
  }
  made.timeout = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(options.timeout_seconds));
  made.model = options.model;
  made.prompt_prefix = options.prompt_prefix;
  made.prompt_suffix = options.prompt_suffix;
  made.concurrency = options.concurrency;
  made.retries = options.retries;
  if (options.api_key_env.empty()) return made;
  const char* key = std::getenv(options.api_key_env.c_str());
  if (key == nullptr || *key == '\0') {
    return fail(ErrorCode::kInvalidArgument,
                "the environment variable {}, which is to hold the server's key, is not set", options.api_key_env);
  }
  made.api_key = key;
  return made;
}

struct Chosen {
  std::unique_ptr<Scorer> scorer;
  std::string identity;
};

Result<Chosen> choose(std::string_view spec, const ScorerOptions& options) {
  if (spec == "lexical") {
    auto scorer = std::make_unique<LexicalProxy>();
    std::string identity(scorer->name());
    return Chosen{std::move(scorer), std::move(identity)};
  }
  const auto address = address_in(spec);
  if (!address) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no scorer \"{}\"; choose lexical, or http:URL for a completions server", spec);
  }
  HARNESSG_ASSIGN(CompletionsOptions made, completions_options(options));
  HARNESSG_ASSIGN(auto scorer, CompletionsScorer::connect(*address, std::move(made)));
  std::string identity = scorer->identity();
  return Chosen{std::move(scorer), std::move(identity)};
}

}  // namespace

Result<std::unique_ptr<Scorer>> make_scorer(std::string_view spec, const ScorerOptions& options) {
  std::shared_ptr<ScoreCache> cache;
  if (!options.cache_folder.empty()) {
    HARNESSG_ASSIGN(cache, ScoreCache::open(options.cache_folder));
  }
  HARNESSG_ASSIGN(Chosen chosen, choose(spec, options));
  if (!cache) return std::move(chosen.scorer);
  return std::make_unique<CachedScorer>(std::move(chosen.scorer), std::move(chosen.identity), std::move(cache));
}

}  // namespace harnessg
