// Calls of an OpenAI-compatible completions server, JSON both ways, and how its failures are told.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "credit/models/scorer.h"
#include "data/http_client.h"
#include "data/result.h"

namespace harnessg {

template <class T>
using Scored = tl::expected<T, NotScored>;

template <class... Args>
[[nodiscard]] tl::unexpected<NotScored> not_scored(NotScoredReason reason, fmt::format_string<Args...> format,
                                                   Args&&... args) {
  return tl::unexpected<NotScored>(NotScored{reason, fmt::format(format, std::forward<Args>(args)...)});
}

// Thread-safe.
class CompletionsServer {
 public:
  // `url` may end in "/v1". kInvalidArgument as server_url() and HttpClient::create.
  static Result<CompletionsServer> create(std::string_view url, HttpOptions options);

  const std::string& address() const { return root_; }  // without "/v1"

  // The models it lists, with their other names; none when it lists none. Errors: kUnavailable, nobody answers or the
  // key is refused.
  Result<std::vector<std::vector<std::string>>> models() const;

  // The name that requests give: `wish`, or the only model where that is empty. kInvalidArgument when it is not there,
  // or there are several.
  Result<std::string> choose_model(const std::string& wish) const;

  // POST /v1/completions, /v1/chat/completions and /tokenize. A reply of 200 that is a JSON object; else why not:
  // kUnavailable (unreachable, 429, 5xx), kTimedOut, kBadReply (another status, with the server's own words; no JSON;
  // too long).
  Scored<nlohmann::json> completions(const nlohmann::json& request) const { return post("/v1/completions", request); }
  Scored<nlohmann::json> chat(const nlohmann::json& request) const { return post("/v1/chat/completions", request); }
  Scored<nlohmann::json> tokenize(const nlohmann::json& request) const { return post("/tokenize", request); }

 private:
  CompletionsServer(std::string root, HttpClient client) : root_(std::move(root)), client_(std::move(client)) {}
  Scored<nlohmann::json> post(std::string_view path, const nlohmann::json& request) const;

  std::string root_;
  HttpClient client_;
};

// Fields of a reply: nullptr when `object` is none, or lacks the key.
const nlohmann::json* field(const nlohmann::json& object, const char* key);
std::optional<double> number_field(const nlohmann::json& object, const char* key);
std::optional<std::string> text_field(const nlohmann::json& object, const char* key);

}  // namespace harnessg
