#include "credit/models/chat_client.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "credit/models/completions_server.h"
#include "credit/models/patience.h"
#include "credit/models/score_cache.h"
#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::size_t kMostAtATime = 1'000;
constexpr std::size_t kFewestFailures = 3;

template <class... Args>
tl::unexpected<NotJudged> not_judged(NotJudgedReason reason, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(NotJudged{reason, fmt::format(format, std::forward<Args>(args)...)});
}

NotJudgedReason reason_of(NotScoredReason reason) {
  switch (reason) {
    case NotScoredReason::kTimedOut:
      return NotJudgedReason::kTimedOut;
    case NotScoredReason::kBadReply:
      return NotJudgedReason::kBadReply;
    default:
      return NotJudgedReason::kUnavailable;
  }
}

bool nobody_there(const NotJudged& why) {
  return why.reason == NotJudgedReason::kUnavailable || why.reason == NotJudgedReason::kTimedOut;
}

// The end of the object that begins at `begin`, or npos when it is not closed.
std::size_t object_end(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

// The first JSON object in a text; `text` becomes what follows it. A discarded value when there is none.
Json next_object(std::string_view& text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = object_end(text, at);
    if (end == std::string_view::npos) continue;
    Json object = Json::parse(text.substr(at, end - at), nullptr, false);
    if (!object.is_object()) continue;
    text.remove_prefix(end);
    return object;
  }
  return Json(Json::value_t::discarded);
}

Status check_options(const ChatOptions& options) {
  if (options.concurrency < 1 || options.concurrency > kMostAtATime) {
    return fail(ErrorCode::kInvalidArgument, "{} requests at a time; give 1 to {}", options.concurrency, kMostAtATime);
  }
  if (options.max_tokens < 1 || !std::isfinite(options.temperature) || options.temperature < 0) {
    return fail(ErrorCode::kInvalidArgument, "an answer needs at least one token and a temperature of 0 or more");
  }
  if (find_invalid_utf8(options.model)) return fail(ErrorCode::kInvalidArgument, "the model's name is not UTF-8");
  return {};
}

Json message(const char* role, std::string_view text) { return {{"role", role}, {"content", text}}; }

Json messages_of(const ChatRequest& request) {
  Json messages = Json::array();
  if (!request.system.empty()) messages.push_back(message("system", request.system));
  messages.push_back(message("user", request.user));
  return messages;
}

Judged<std::string> content_of(const Json& reply) {
  const Json* choices = field(reply, "choices");
  if (choices != nullptr && choices->is_array() && !choices->empty()) {
    const Json* answer = field(choices->front(), "message");
    const auto text = answer == nullptr ? std::nullopt : text_field(*answer, "content");
    if (text) return *text;
  }
  return not_judged(NotJudgedReason::kBadReply, "the server's reply holds no \"choices\" with a message's text");
}

struct Answer {
  Judged<Json> read = not_judged(NotJudgedReason::kUnavailable, "not asked");
  std::string text;  // of one that could be read
};

}  // namespace

std::string_view reason_name(NotJudgedReason reason) {
  switch (reason) {
    case NotJudgedReason::kUnavailable:
      return "unavailable";
    case NotJudgedReason::kTimedOut:
      return "timed_out";
    case NotJudgedReason::kBadReply:
      return "bad_reply";
    case NotJudgedReason::kUnreadable:
      return "unreadable";
  }
  return "unreadable";
}

Judged<Json> json_answer(std::string_view text) {
  Json whole = Json::parse(text, nullptr, false);
  if (whole.is_object()) return whole;
  if (!whole.is_discarded()) {
    return not_judged(NotJudgedReason::kUnreadable, "the answer is JSON, but a {} and no object", whole.type_name());
  }
  Json object = next_object(text);
  if (object.is_discarded()) {
    return not_judged(NotJudgedReason::kUnreadable, "there is no JSON object in the answer");
  }
  if (next_object(text).is_object()) {
    return not_judged(NotJudgedReason::kUnreadable, "there are two JSON objects in the answer");
  }
  return object;
}

class ChatClient::Connection {
 public:
  Connection(CompletionsServer server, ChatOptions options, std::string model, std::shared_ptr<ScoreCache> cache)
      : server_(std::move(server)),
        options_(std::move(options)),
        model_(std::move(model)),
        name_("http:" + model_),
        cache_(std::move(cache)) {}

  std::string_view name() const { return name_; }
  Result<std::vector<Judged<Json>>> ask(std::span<const ChatRequest> requests, const Check& check) const;

 private:
  std::string identity() const {
    return fmt::format("{}\n{} tokens at {}, {}", model_, options_.max_tokens, options_.temperature,
                       options_.json_mode ? "json" : "text");
  }
  Answer ask_twice(const ChatRequest& request, const Check& check) const;
  Judged<std::string> complete(const Json& messages) const;
  std::vector<Answer> ask_all(std::span<const ChatRequest* const> requests, const Check& check) const;

  const CompletionsServer server_;
  const ChatOptions options_;
  const std::string model_;
  const std::string name_;
  const std::shared_ptr<ScoreCache> cache_;
};

namespace {

Judged<Json> read_answer(const std::string& text, const ChatClient::Check& check) {
  Judged<Json> read = json_answer(text);
  if (!read) return read;
  if (const std::string wrong = check(*read); !wrong.empty()) {
    return not_judged(NotJudgedReason::kUnreadable, "{}", wrong);
  }
  return read;
}

}  // namespace

Judged<std::string> ChatClient::Connection::complete(const Json& messages) const {
  Json request = {{"model", model_},
                  {"messages", messages},
                  {"max_tokens", options_.max_tokens},
                  {"temperature", options_.temperature}};
  if (options_.json_mode) request["response_format"] = {{"type", "json_object"}};
  const auto reply = server_.chat(request);
  if (!reply) return not_judged(reason_of(reply.error().reason), "{}", reply.error().message);
  return content_of(*reply);
}

Answer ChatClient::Connection::ask_twice(const ChatRequest& request, const Check& check) const {
  Answer answer;
  Json messages = messages_of(request);
  for (const bool again : {false, true}) {
    const auto text = complete(messages);
    if (!text) return {tl::unexpected(text.error()), ""};
    answer.read = read_answer(*text, check);
    if (answer.read) {
      answer.text = *text;
      return answer;
    }
    if (again) break;
    messages.push_back(message("assistant", *text));
    messages.push_back(message("user", fmt::format("This cannot be used: {}. Answer again, with nothing but the JSON "
                                                   "object that was asked for.",
                                                   answer.read.error().message)));
  }
  answer.read = not_judged(NotJudgedReason::kUnreadable, "asked twice: {}", answer.read.error().message);
  return answer;
}

std::vector<Answer> ChatClient::Connection::ask_all(std::span<const ChatRequest* const> requests,
                                                    const Check& check) const {
  std::vector<Answer> answers(requests.size());
  std::atomic<std::size_t> next{0};
  Patience<NotJudged> patience(std::max(kFewestFailures, options_.concurrency));
  const auto work = [&] {
    for (std::size_t i = next++; i < requests.size(); i = next++) {
      if (const auto lost = patience.lost()) {
        answers[i].read = tl::unexpected(*lost);
        continue;
      }
      try {
        answers[i] = ask_twice(*requests[i], check);
      } catch (const std::exception& error) {  // memory, a check that throws: nothing may leave a thread
        answers[i].read = not_judged(NotJudgedReason::kUnreadable, "reading the answer failed: {}", error.what());
      }
      const Judged<Json>& read = answers[i].read;
      patience.heard(!read && nobody_there(read.error()) ? &read.error() : nullptr);
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(options_.concurrency, requests.size()); ++i) others.emplace_back(work);
  work();
  others.clear();
  return answers;
}

Result<std::vector<Judged<Json>>> ChatClient::Connection::ask(std::span<const ChatRequest> requests,
                                                              const Check& check) const {
  std::map<ScoreKey, Judged<Json>> known;
  std::vector<ScoreKey> keys;
  std::vector<ScoreKey> missing;
  std::vector<const ChatRequest*> asked;
  const std::string who = identity();
  for (const ChatRequest& request : requests) {
    if (find_invalid_utf8(request.system) || find_invalid_utf8(request.user)) {
      return fail(ErrorCode::kBadInput, "a text for the model {} is not UTF-8; mend the file", model_);
    }
    keys.push_back(answer_key(who, request.system, request.user));
    const auto [at, fresh] = known.try_emplace(keys.back(), Json());
    if (!fresh) continue;
    const auto kept = cache_ ? cache_->find_text(keys.back()) : std::nullopt;
    if (kept) at->second = read_answer(*kept, check);
    if (kept && at->second) continue;
    missing.push_back(keys.back());
    asked.push_back(&request);
  }
  std::vector<Answer> answers = ask_all(asked, check);
  std::vector<std::pair<ScoreKey, std::string>> fresh;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].read) fresh.emplace_back(missing[i], std::move(answers[i].text));
    known.insert_or_assign(missing[i], std::move(answers[i].read));
  }
  if (cache_) HARNESSG_RETURN_IF_ERROR(cache_->add_texts(fresh));
  std::vector<Judged<Json>> all;
  for (const ScoreKey& key : keys) all.push_back(known.at(key));
  return all;
}

ChatClient::ChatClient(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
ChatClient::~ChatClient() = default;

Result<std::unique_ptr<ChatClient>> ChatClient::connect(std::string_view url, ChatOptions options) {
  HARNESSG_RETURN_IF_ERROR(check_options(options));
  HttpOptions http;
  http.timeout = options.timeout;
  http.retries = options.retries;
  http.first_pause = options.first_pause;
  http.bearer_token = options.api_key;
  HARNESSG_ASSIGN(CompletionsServer server, CompletionsServer::create(url, std::move(http)));
  HARNESSG_ASSIGN(std::string model, server.choose_model(options.model));
  std::shared_ptr<ScoreCache> cache;
  if (!options.cache_folder.empty()) {
    HARNESSG_ASSIGN(cache, ScoreCache::open(options.cache_folder));
  }
  auto connection =
      std::make_unique<Connection>(std::move(server), std::move(options), std::move(model), std::move(cache));
  return std::unique_ptr<ChatClient>(new ChatClient(std::move(connection)));
}

std::string_view ChatClient::name() const { return connection_->name(); }

Result<std::vector<Judged<Json>>> ChatClient::ask(std::span<const ChatRequest> requests, const Check& check) const {
  return connection_->ask(requests, check);
}

}  // namespace harnessg
