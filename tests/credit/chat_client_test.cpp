// A chat model's answers are read strictly, asked for twice, and otherwise not judged.
#include <doctest/doctest.h>
#include <httplib.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "credit/models/chat_client.h"

using namespace harnessg;

namespace {

// Answers with the given texts one after another, then with the last one.
class ChatServer {
 public:
  explicit ChatServer(std::vector<std::string> texts) : texts_(std::move(texts)) {
    server_.Get("/v1/models", [](const auto&, httplib::Response& response) {
      response.set_content(R"({"data": [{"id": "toy"}]})", "application/json");
    });
    server_.Post("/v1/chat/completions", [this](const auto&, httplib::Response& response) {
      const std::string& text = texts_[std::min<std::size_t>(asked++, texts_.size() - 1)];
      const Json message = {{"role", "assistant"}, {"content", text}};
      response.set_content(Json{{"choices", {{{"message", message}}}}}.dump(), "application/json");
    });
    server_.set_keep_alive_timeout(1);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~ChatServer() { stop(); }
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  std::unique_ptr<ChatClient> client() const {
    ChatOptions options;
    options.concurrency = 1;
    options.retries = 0;
    auto made = ChatClient::connect("http://127.0.0.1:" + std::to_string(port_), options);
    if (!made) FAIL(made.error().message);
    return std::move(*made);
  }

  std::atomic<std::size_t> asked{0};

 private:
  std::vector<std::string> texts_;
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::string needs_score(const Json& answer) { return answer.contains("score") ? "" : "there is no \"score\""; }

}  // namespace

TEST_CASE("the JSON object of an answer is found in fences and prose, and nothing else is one") {
  CHECK(json_answer(R"({"a": 1})").value()["a"] == 1);
  CHECK(json_answer("Here:\n```json\n{\"a\": \"}\"}\n```\nDone.").value()["a"] == "}");
  CHECK(json_answer("{not this} {\"a\": 2}").value()["a"] == 2);
  for (const char* text : {"", "null", "[{\"a\": 1}]", "yes", "{\"a\": 1", "{a: 1}", "{\"a\": 1} {\"a\": 2}"})
    CHECK(!json_answer(text));
}

TEST_CASE("an answer that cannot be used is asked for once more") {
  ChatServer server({"I would say yes.", R"({"score": 1})"});
  const std::vector<ChatRequest> requests{{"", "How good?"}, {"", "How good?"}};
  const auto answers = server.client()->ask(requests, needs_score).value();
  REQUIRE(answers[0]);
  CHECK((*answers[0])["score"] == 1);
  CHECK(answers[1] == answers[0]);
  CHECK(server.asked == 2);
}

TEST_CASE("a model that keeps to prose, or lacks the key, is not judged") {
  ChatServer server({R"({"other": 1})"});
  const std::vector<ChatRequest> requests{{"", "How good?"}};
  const auto answers = server.client()->ask(requests, needs_score).value();
  REQUIRE(!answers[0]);
  CHECK(answers[0].error().reason == NotJudgedReason::kUnreadable);
  CHECK(answers[0].error().message.find("there is no \"score\"") != std::string::npos);
  CHECK(server.asked == 2);
}

TEST_CASE("a server that goes down leaves every request not judged") {
  ChatServer server({R"({"score": 1})"});
  const auto client = server.client();
  server.stop();
  std::vector<ChatRequest> requests;
  for (int i = 0; i < 50; ++i) requests.push_back({"", "question " + std::to_string(i)});
  const auto answers = client->ask(requests, needs_score).value();
  for (const auto& answer : answers) {
    REQUIRE(!answer);
    CHECK(answer.error().reason == NotJudgedReason::kUnavailable);
  }
}
