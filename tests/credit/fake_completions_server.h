// A completions server on this machine with a made-up language model, for tests of its clients.
#pragma once

#include <httplib.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fake {

// Its tokens are " word", a run of letters, or a single byte (one of a character of several with the space before); its
// log-probabilities, from -6 to -0.1, are those that logprob() makes of what stands before and the token. Nothing adds
// up to 1: no client can tell.
std::vector<std::string> tokens_of(std::string_view text);
double logprob(std::string_view before, std::string_view token);
// Mean over the tokens of `answer`: what a scorer must find.
double mean_logprob(const std::string& prompt, const std::string& answer);

enum class Alignment { kRight, kOneLate, kShifted };

// Set before the server is asked, changed between calls.
struct Habits {
  std::set<std::string> models{"toy"};
  bool lists_models = true;
  std::string key;
  bool echoes = true;         // prompt log-probabilities, as lists
  bool takes_several = true;  // prompts in one request
  Alignment alignment = Alignment::kRight;
  std::string first_token;               // kOneLate holds for prompts that do not begin with it
  std::string added = " and";            // what it writes after every prompt
  bool lists_end_token = false;          // adds an end token, without text, to everything
  bool has_ids = true;                   // log-probabilities as objects with ids when not echoing; /tokenize, grammars
  bool grammar_shows = false;            // a grammar changes the log-probabilities
  std::size_t longest_prompt = 100'000;  // 400 for longer ones
  // What /v1/completions answers instead; returns whether it did. For replies that are wrong.
  std::function<bool(const nlohmann::json& request, httplib::Response& response)> instead;
};

class CompletionsServer {
 public:
  explicit CompletionsServer(Habits first = {});
  ~CompletionsServer();
  CompletionsServer(const CompletionsServer&) = delete;
  CompletionsServer& operator=(const CompletionsServer&) = delete;

  std::string url() const;
  void stop();

  Habits habits;
  std::atomic<std::size_t> completions{0};
  std::atomic<std::size_t> most_at_a_time{0};
  std::vector<std::string> prompts();  // of all completions asked for

 private:
  void complete(const httplib::Request& request, httplib::Response& response);
  void tokenize(const httplib::Request& request, httplib::Response& response);
  nlohmann::json echo(const std::string& prompt) const;
  nlohmann::json next(const nlohmann::json& request, const std::string& prompt) const;
  nlohmann::json object_of(const std::string& before, const std::string& token, std::size_t alternatives,
                           bool by_grammar) const;
  std::int64_t id_of(const std::string& token) const;
  std::string text_of(std::int64_t id) const;

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
  std::atomic<std::size_t> at_a_time_{0};
  std::mutex mutex_;
  std::vector<std::string> prompts_;
  mutable std::mutex ids_mutex_;
  mutable std::vector<std::string> ids_;
};

}  // namespace fake
