#include "credit/models/completions_server.h"

#include <algorithm>

#include "data/text.h"

namespace harnessg {
namespace {

using nlohmann::json;

constexpr int kOk = 200;
constexpr std::size_t kQuoted = 200;  // bytes of a server's words in a message

// On one line, cut at a character.
std::string quote(std::string_view text) {
  if (find_invalid_utf8(text)) return "bytes that are not UTF-8";
  std::size_t end = std::min(text.size(), kQuoted);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("\"{}{}\"", fold_space(text.substr(0, end)), end < text.size() ? " ..." : "");
}

// What a server says about an error: OpenAI's and llama.cpp's "error"."message", vLLM's "message", FastAPI's "detail".
std::string own_words(const std::string& body) {
  const json parsed = json::parse(body, nullptr, false);
  if (const json* error = field(parsed, "error")) {
    if (error->is_string()) return quote(error->get<std::string>());
    if (const auto message = text_field(*error, "message")) return quote(*message);
  }
  for (const char* key : {"message", "detail"}) {
    if (const auto message = text_field(parsed, key)) return quote(*message);
  }
  return body.empty() ? "nothing more" : quote(body);
}

NotScoredReason reason_of(HttpFailureKind kind) {
  switch (kind) {
    case HttpFailureKind::kTimedOut:
      return NotScoredReason::kTimedOut;
    case HttpFailureKind::kTooLarge:
      return NotScoredReason::kBadReply;
    default:
      return NotScoredReason::kUnavailable;
  }
}

NotScoredReason reason_of_status(int status) {
  return status == 429 || status >= 500 ? NotScoredReason::kUnavailable : NotScoredReason::kBadReply;
}

std::vector<std::string> names_of(const json& model) {
  std::vector<std::string> names;
  if (auto id = text_field(model, "id")) names.push_back(*std::move(id));
  if (const json* aliases = field(model, "aliases"); aliases != nullptr && aliases->is_array()) {
    for (const json& alias : *aliases) {
      if (alias.is_string()) names.push_back(alias.get<std::string>());
    }
  }
  return names;
}

}  // namespace

const json* field(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

std::optional<double> number_field(const json& object, const char* key) {
  const json* value = field(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::optional<std::string> text_field(const json& object, const char* key) {
  const json* value = field(object, key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

Result<CompletionsServer> CompletionsServer::create(std::string_view url, HttpOptions options) {
  HARNESSG_ASSIGN(std::string root, server_url(url));
  constexpr std::string_view kVersion = "/v1";
  if (root.ends_with(kVersion)) root.resize(root.size() - kVersion.size());
  HARNESSG_ASSIGN(HttpClient client, HttpClient::create(std::move(options)));
  return CompletionsServer(std::move(root), std::move(client));
}

Result<std::vector<std::vector<std::string>>> CompletionsServer::models() const {
  const auto reply = client_.get(root_ + "/v1/models");
  if (!reply) return fail(ErrorCode::kUnavailable, "{}; is the server up?", reply.error().message);
  if (reply->status == 401 || reply->status == 403) {
    return fail(ErrorCode::kUnavailable, "{} refuses the key (HTTP {}); name the variable that holds the right one",
                root_, reply->status);
  }
  if (reply->status == 429 || reply->status >= 500) {
    return fail(ErrorCode::kUnavailable, "{} answers HTTP {}, {}", root_, reply->status, own_words(reply->body));
  }
  std::vector<std::vector<std::string>> models;
  const json parsed = json::parse(reply->body, nullptr, false);
  const json* list = field(parsed, "data");
  if (reply->status != kOk || list == nullptr || !list->is_array()) return models;
  for (const json& model : *list) {
    if (auto names = names_of(model); !names.empty()) models.push_back(std::move(names));
  }
  return models;
}

Result<std::string> CompletionsServer::choose_model(const std::string& wish) const {
  HARNESSG_ASSIGN(const auto listed, models());
  std::string names;
  for (const auto& names_of_one : listed) {
    if (std::find(names_of_one.begin(), names_of_one.end(), wish) != names_of_one.end()) return wish;
    names += (names.empty() ? "" : ", ") + names_of_one.front();
  }
  if (listed.empty()) {
    if (!wish.empty()) return wish;
    return fail(ErrorCode::kInvalidArgument, "{} lists no models; name the one to use", root_);
  }
  if (wish.empty() && listed.size() == 1) return listed.front().front();
  return fail(ErrorCode::kInvalidArgument, "{} has {}; name one of: {}", root_,
              wish.empty() ? fmt::format("{} models", listed.size()) : fmt::format("no model \"{}\"", wish), names);
}

Scored<json> CompletionsServer::post(std::string_view path, const json& request) const {
  const std::string url = root_ + std::string(path);
  const auto reply = client_.post_json(url, request.dump());
  if (!reply) return not_scored(reason_of(reply.error().kind), "{}", reply.error().message);
  if (reply->status != kOk) {
    return not_scored(reason_of_status(reply->status), "{} answers HTTP {}, {}", url, reply->status,
                      own_words(reply->body));
  }
  json parsed = json::parse(reply->body, nullptr, false);
  if (!parsed.is_object()) {
    return not_scored(NotScoredReason::kBadReply, "{} answers no JSON object but {}", url, quote(reply->body));
  }
  return parsed;
}

}  // namespace harnessg
