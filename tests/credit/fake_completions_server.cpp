#include "tests/credit/fake_completions_server.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace fake {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 5> kNext{" England", " Spain", " the", " Wales", " Japan"};
constexpr std::size_t kListed = 5;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_part(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_whole(std::string_view token) { return !is_part(token.back()); }

// As servers show it: a part of a character is a replacement character.
std::string shown(const std::string& token) {
  return is_whole(token) ? token : token.substr(0, token.size() - 1) + "\xEF\xBF\xBD";
}

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(json{{"error", {{"message", why}}}}.dump(), "application/json");
}

std::vector<std::int64_t> ids_in(const std::string& grammar) {
  std::vector<std::int64_t> ids;
  for (std::size_t at = grammar.find("<["); at != std::string::npos; at = grammar.find("<[", at + 1)) {
    ids.push_back(std::stoll(grammar.substr(at + 2)));
  }
  return ids;
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (text[at] == ' ' && at + 1 < text.size() && (is_letter(text[at + 1]) || is_part(text[at + 1]))) ++end;
    if (is_letter(text[end])) {
      while (end < text.size() && is_letter(text[end])) ++end;
    } else {
      ++end;
    }
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

double logprob(std::string_view before, std::string_view token) {
  const std::uint64_t hash = mix(mix(14695981039346656037ULL, before), token);
  return -0.1 - 5.9 * static_cast<double>((hash >> 20) % 10'000) / 10'000;
}

double mean_logprob(const std::string& prompt, const std::string& answer) {
  double sum = 0;
  std::string before = prompt;
  const std::vector<std::string> tokens = tokens_of(answer);
  for (const std::string& token : tokens) {
    sum += logprob(before, token);
    before += token;
  }
  return sum / static_cast<double>(tokens.size());
}

CompletionsServer::CompletionsServer(Habits first) : habits(std::move(first)) {
  server_.Get("/v1/models", [this](const httplib::Request& request, httplib::Response& response) {
    if (!habits.key.empty() && request.get_header_value("Authorization") != "Bearer " + habits.key) {
      return refuse(response, 401, "no");
    }
    if (!habits.lists_models) return refuse(response, 404, "no such page");
    json list = json::array();
    for (const std::string& model : habits.models) list.push_back({{"id", model}});
    response.set_content(json{{"data", list}}.dump(), "application/json");
  });
  server_.Post("/v1/completions", [this](const auto& request, auto& response) { complete(request, response); });
  server_.Post("/tokenize", [this](const auto& request, auto& response) { tokenize(request, response); });
  server_.set_keep_alive_timeout(1);
  server_.set_tcp_nodelay(true);
  port_ = server_.bind_to_any_port("127.0.0.1");
  if (port_ < 0) throw std::runtime_error("no port is free");
  thread_ = std::thread([this] { server_.listen_after_bind(); });
  while (!server_.is_running()) std::this_thread::yield();
}

CompletionsServer::~CompletionsServer() { stop(); }

void CompletionsServer::stop() {
  server_.stop();
  if (thread_.joinable()) thread_.join();
}

std::string CompletionsServer::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::vector<std::string> CompletionsServer::prompts() {
  const std::lock_guard lock(mutex_);
  return prompts_;
}

std::int64_t CompletionsServer::id_of(const std::string& token) const {
  const std::lock_guard lock(ids_mutex_);
  const auto at = std::find(ids_.begin(), ids_.end(), token);
  if (at == ids_.end()) {
    ids_.push_back(token);
    return static_cast<std::int64_t>(ids_.size()) - 1;
  }
  return at - ids_.begin();
}

std::string CompletionsServer::text_of(std::int64_t id) const {
  const std::lock_guard lock(ids_mutex_);
  return ids_.at(static_cast<std::size_t>(id));
}

void CompletionsServer::tokenize(const httplib::Request& request, httplib::Response& response) {
  if (!habits.has_ids) return refuse(response, 404, "no such page");
  json list = json::array();
  for (const std::string& token : tokens_of(json::parse(request.body)["content"].get<std::string>())) {
    json& item = list.emplace_back(json{{"id", id_of(token)}, {"piece", token}});
    if (!is_whole(token)) item["piece"] = json::array({static_cast<unsigned char>(token.back())});
  }
  response.set_content(json{{"tokens", list}}.dump(), "application/json");
}

// The prompt's tokens with their log-probabilities, and one more token.
json CompletionsServer::echo(const std::string& prompt) const {
  std::vector<std::string> tokens = tokens_of(prompt);
  tokens.emplace_back(habits.lists_end_token ? "</s>" : habits.added);
  json texts = json::array();
  json values = json::array();
  const bool late = habits.alignment == Alignment::kOneLate &&
                    (habits.first_token.empty() || !prompt.starts_with(habits.first_token));
  std::string before;
  for (const std::string& token : tokens) {
    texts.push_back(shown(token));
    values.push_back(logprob(late ? before + token : before, token));
    before += token;
  }
  if (habits.alignment == Alignment::kShifted) values.erase(0);
  values[0] = nullptr;
  if (habits.alignment == Alignment::kShifted) values.push_back(-1.0);
  return {{"text", prompt + (habits.lists_end_token ? "" : habits.added)},
          {"logprobs", {{"tokens", texts}, {"token_logprobs", values}}}};
}

json CompletionsServer::object_of(const std::string& before, const std::string& token, std::size_t alternatives,
                                  bool by_grammar) const {
  json list = json::array();
  const auto add = [&](const std::string& text) {
    list.push_back({{"id", id_of(text)}, {"token", shown(text)}, {"logprob", logprob(before, text)}});
  };
  for (const char* text : kNext) add(text);
  if (alternatives > kListed) {  // every part of a character is a token
    for (int byte = 0x80; byte < 0x100; ++byte) {
      add(std::string(1, static_cast<char>(byte)));
      add({' ', static_cast<char>(byte)});
    }
  }
  const double value = by_grammar && habits.grammar_shows ? 0 : logprob(before, token);
  return {{"id", id_of(token)}, {"token", token}, {"logprob", value}, {"top_logprobs", list}};
}

// One token, or those of a grammar.
json CompletionsServer::next(const json& request, const std::string& prompt) const {
  const std::size_t alternatives = request.value("logprobs", kListed);
  if (!habits.has_ids) {
    json top = json::object();
    for (const char* text : kNext) top[text] = logprob(prompt, text);
    return {{"text", kNext[0]},
            {"logprobs",
             {{"tokens", {kNext[0]}}, {"token_logprobs", {logprob(prompt, kNext[0])}}, {"top_logprobs", {top}}}}};
  }
  json content = json::array();
  std::string text;
  const bool by_grammar = request.contains("grammar");
  const std::vector<std::int64_t> ids =
      by_grammar ? ids_in(request["grammar"].get<std::string>()) : std::vector{id_of(kNext[0])};
  for (const std::int64_t id : ids) {
    const std::string token = text_of(id);
    if (!is_whole(token)) throw std::invalid_argument("got exception: part of a character");
    content.push_back(object_of(prompt + text, token, alternatives, by_grammar));
    text += token;
  }
  return {{"text", text}, {"logprobs", {{"content", content}}}};
}

void CompletionsServer::complete(const httplib::Request& request, httplib::Response& response) try {
  ++completions;
  const std::size_t now = ++at_a_time_;
  for (std::size_t most = most_at_a_time; most < now && !most_at_a_time.compare_exchange_weak(most, now);) continue;
  struct Leave {
    std::atomic<std::size_t>& count;
    ~Leave() { --count; }
  } leave{at_a_time_};
  const json asked = json::parse(request.body);
  if (habits.instead && habits.instead(asked, response)) return;
  std::vector<std::string> all;
  const json& prompt = asked["prompt"];
  if (prompt.is_string()) {
    all.push_back(prompt.get<std::string>());
  } else if (!prompt.empty() && prompt[0].is_number()) {
    std::string& text = all.emplace_back();
    for (const json& id : prompt) text += text_of(id.get<std::int64_t>());
  } else {
    if (!habits.takes_several) return refuse(response, 500, "one prompt at a time");
    all = prompt.get<std::vector<std::string>>();
  }
  const bool echoing = habits.echoes && asked.value("echo", false);
  json choices = json::array();
  for (const std::string& text : all) {
    if (text.size() > habits.longest_prompt) return refuse(response, 400, "the prompt is too long");
    const std::lock_guard lock(mutex_);
    prompts_.push_back(text);
    json choice = echoing ? echo(text) : next(asked, text);
    choice["index"] = choices.size();
    choices.insert(choices.begin(), std::move(choice));  // in any order: the index tells
  }
  response.set_content(json{{"choices", choices}, {"usage", {{"completion_tokens", all.size()}}}}.dump(),
                       "application/json");
} catch (const std::exception& error) {
  refuse(response, 500, error.what());
}

}  // namespace fake
