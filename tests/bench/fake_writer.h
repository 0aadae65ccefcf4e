// A server on this machine in the place of a language model that writes: each turn is what a function makes of the last
// message. For tests of clients only.
#pragma once

#include <httplib.h>

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace harnessg::bench {

class FakeWriter {
 public:
  using Write = std::function<std::string(const std::string& last_message)>;

  // `keeps`: the field by which it can be constrained ("grammar", "structured_outputs", "guided_choice", "": by none);
  // then it writes the last of the texts allowed.
  FakeWriter(Write write, std::string keeps) : write_(std::move(write)), keeps_(std::move(keeps)) {
    server_.Get("/v1/models", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(R"({"data": [{"id": "fake"}]})", "application/json");
    });
    for (const bool chat : {true, false}) {
      server_.Post(chat ? "/v1/chat/completions" : "/v1/completions",
                   [this, chat](const httplib::Request& request, httplib::Response& response) {
                     reply(nlohmann::json::parse(request.body), chat, response);
                   });
    }
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~FakeWriter() {
    server_.stop();
    thread_.join();
  }
  FakeWriter(const FakeWriter&) = delete;
  FakeWriter& operator=(const FakeWriter&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<nlohmann::json> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  // The texts that a request allows, by the field that this server keeps to.
  std::vector<std::string> allowed(const nlohmann::json& request) const {
    if (keeps_.empty() || !request.contains(keeps_)) return {};
    if (keeps_ == "guided_choice") return request[keeps_];
    if (keeps_ == "structured_outputs") return request[keeps_]["choice"];
    std::vector<std::string> texts;
    const std::string grammar = request[keeps_];
    // root ::= "a" | "b"
    for (std::size_t at = grammar.find('"'); at != std::string::npos;) {
      std::size_t end = at + 1;
      while (grammar[end] != '"') end += grammar[end] == '\\' ? 2 : 1;
      texts.push_back(nlohmann::json::parse(grammar.substr(at, end + 1 - at)));
      at = grammar.find('"', end + 1);
    }
    return texts;
  }

  void reply(const nlohmann::json& request, bool chat, httplib::Response& response) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const std::vector<std::string> texts = allowed(request);
    const std::string last = chat ? request["messages"].back()["content"] : request["prompt"];
    const std::string text = texts.empty() ? write_(last) : texts.back();
    nlohmann::json choice;
    if (chat) {
      choice["message"] = {{"role", "assistant"}, {"content", text}};
    } else {
      choice["text"] = text;
    }
    response.set_content(nlohmann::json{{"choices", {choice}}}.dump(), "application/json");
  }

  Write write_;
  std::string keeps_;
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<nlohmann::json> requests_;
};

}  // namespace harnessg::bench
