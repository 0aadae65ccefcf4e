#include "data/http_client.h"

#include <doctest/doctest.h>
#include <httplib.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

using namespace harnessg;
using std::chrono::milliseconds;

namespace {

using Clock = std::chrono::steady_clock;

// A server on this machine that does what `answer` says, whatever is asked.
class Server {
 public:
  using Answer = std::function<void(const httplib::Request&, httplib::Response&)>;

  explicit Server(Answer answer) {
    const auto counted = [this, answer](const httplib::Request& request, httplib::Response& response) {
      ++calls;
      answer(request, response);
    };
    server_.Get(".*", counted);
    server_.Post(".*", counted);
    server_.set_keep_alive_timeout(1);
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    REQUIRE(port_ > 0);
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Server() { stop(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  std::atomic<int> calls{0};

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

Server::Answer says(int status, const std::string& body = "") {
  return [=](const httplib::Request&, httplib::Response& response) {
    response.status = status;
    response.set_content(body, "text/plain");
  };
}

HttpOptions quick() {
  HttpOptions options;
  options.timeout = std::chrono::seconds(20);
  options.first_pause = milliseconds(1);
  return options;
}

HttpClient client(HttpOptions options = quick()) {
  auto made = HttpClient::create(std::move(options));
  REQUIRE(made);
  return std::move(*made);
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a reply is its status and its body, whatever the status") {
  const Server found(says(200, "yes"));
  const Server missing(says(404, "no"));
  CHECK(client().get(found.url())->body == "yes");
  const auto reply = client().get(missing.url() + "/page");
  CHECK(reply->status == 404);
  CHECK(reply->body == "no");
  CHECK(missing.calls == 1);
}

TEST_CASE("a post sends JSON, and the key as a bearer token") {
  std::string seen;
  const Server server([&](const httplib::Request& request, httplib::Response& response) {
    seen = request.method + " " + request.path + " " + request.get_header_value("Content-Type") + " " +
           request.get_header_value("Authorization") + " " + request.body;
    response.set_content("{}", "application/json");
  });
  HttpOptions options = quick();
  options.bearer_token = "secret";
  CHECK(client(options).post_json(server.url() + "/v1/x", R"({"a":1})")->status == 200);
  CHECK(seen == R"(POST /v1/x application/json Bearer secret {"a":1})");
  CHECK(client().get(server.url())->status == 200);
  CHECK(!holds(seen, "Bearer"));
}

TEST_CASE("a long body arrives whole") {
  const Server server([](const httplib::Request& request, httplib::Response& response) {
    response.set_content(request.body, "text/plain");
  });
  std::string body(3'000'000, 'x');
  body[1'500'000] = '\0';
  CHECK(client().post_json(server.url(), body)->body == body);
}

TEST_CASE("a server that was busy is asked again, and then no more than allowed") {
  for (const int status : {429, 500, 502, 503, 504}) {
    std::atomic<int> calls{0};
    const Server server(
        [&](const httplib::Request&, httplib::Response& response) { response.status = ++calls < 3 ? status : 200; });
    CHECK(client().get(server.url())->status == 200);
    CHECK(server.calls == 3);
  }
  const Server busy(says(503, "busy"));
  HttpOptions options = quick();
  options.retries = 2;
  const auto reply = client(options).get(busy.url());
  CHECK(reply->status == 503);
  CHECK(reply->body == "busy");
  CHECK(busy.calls == 3);
}

TEST_CASE("a request that is wrong is not repeated") {
  for (const int status : {400, 401, 404, 422, 501}) {
    const Server server(says(status));
    CHECK(client().get(server.url())->status == status);
    CHECK(server.calls == 1);
  }
}

TEST_CASE("nobody at the address is told by the address") {
  Server server(says(200));
  const std::string url = server.url();
  server.stop();
  const auto reply = client().get(url);
  REQUIRE(!reply);
  CHECK(reply.error().kind == HttpFailureKind::kUnreachable);
  CHECK(holds(reply.error().message, url));
}

TEST_CASE("one client talks to several servers") {
  const Server first(says(200, "1"));
  const Server second(says(200, "2"));
  const HttpClient one = client();
  CHECK(one.get(first.url())->body == "1");
  CHECK(one.get(second.url())->body == "2");
  CHECK(one.get(first.url())->body == "1");
}

TEST_CASE("a server that thinks for too long is left at the limit") {
  std::promise<void> made;
  const auto opened = made.get_future().share();
  const Server server([opened](const httplib::Request&, httplib::Response&) { opened.wait(); });
  const std::promise<void> gate = std::move(made);  // goes before the server does, and lets its threads go
  HttpOptions options = quick();
  options.timeout = milliseconds(100);
  const auto start = Clock::now();
  const auto reply = client(options).get(server.url());
  CHECK(Clock::now() - start < std::chrono::seconds(10));
  CHECK(reply.error().kind == HttpFailureKind::kTimedOut);
  CHECK(holds(reply.error().message, "0.1 s"));
}

TEST_CASE("retries and pauses are within the limit") {
  const Server server(says(503));
  HttpOptions options = quick();
  options.retries = 1'000'000;
  options.timeout = milliseconds(500);
  const auto start = Clock::now();
  const auto reply = client(options).get(server.url());  // the last one, or that time was up while waiting for it
  CHECK((reply ? reply->status == 503 : reply.error().kind == HttpFailureKind::kTimedOut));
  CHECK(Clock::now() - start < std::chrono::seconds(10));
  CHECK(server.calls > 1);
}

TEST_CASE("a server that wants a longer pause than the limit leaves is not asked again") {
  const Server server([](const httplib::Request&, httplib::Response& response) {
    response.status = 429;
    response.set_header("Retry-After", "3600");
  });
  const auto start = Clock::now();
  CHECK(client().get(server.url())->status == 429);
  CHECK(Clock::now() - start < std::chrono::seconds(10));
  CHECK(server.calls == 1);
}

TEST_CASE("a body over the limit is not kept") {
  const Server server(says(200, std::string(5'000, 'x')));
  HttpOptions options = quick();
  options.max_body_bytes = 4'999;
  CHECK(client(options).get(server.url()).error().kind == HttpFailureKind::kTooLarge);
  CHECK(server.calls == 1);
  options.max_body_bytes = 5'000;
  CHECK(client(options).get(server.url())->body.size() == 5'000);
}

TEST_CASE("a body without an end that is announced is cut at the limit as well") {
  const Server server([](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("text/plain", [](std::size_t, httplib::DataSink& sink) {
      const std::string piece(1'000, 'x');
      return sink.write(piece.data(), piece.size());
    });
  });
  HttpOptions options = quick();
  options.max_body_bytes = 100'000;
  CHECK(client(options).get(server.url()).error().kind == HttpFailureKind::kTooLarge);
}

TEST_CASE("a connection that breaks off in the middle of a body is tried again") {
  std::atomic<int> calls{0};
  const Server server([&](const httplib::Request&, httplib::Response& response) {
    const bool breaks = ++calls == 1;
    response.set_content_provider(10, "text/plain", [breaks](std::size_t, std::size_t, httplib::DataSink& sink) {
      return sink.write("0123456789", breaks ? 5 : 10) && !breaks;
    });
  });
  CHECK(client().get(server.url())->body == "0123456789");
  CHECK(server.calls == 2);
}

TEST_CASE("redirects are not followed: the key goes to nobody else") {
  const Server other(says(200));
  const Server server(
      [&](const httplib::Request&, httplib::Response& response) { response.set_redirect(other.url()); });
  CHECK(client().get(server.url())->status == 302);
  CHECK(other.calls == 0);
}

TEST_CASE("many threads get each its own reply") {
  const Server server([](const httplib::Request& request, httplib::Response& response) {
    response.set_content(request.body, "text/plain");
  });
  const HttpClient shared = client();
  std::vector<std::future<int>> wrong;
  for (int thread = 0; thread < 8; ++thread) {
    wrong.push_back(std::async(std::launch::async, [&shared, &server, thread] {
      int count = 0;
      for (int i = 0; i < 50; ++i) {
        const std::string body = std::to_string(thread * 1'000 + i);
        const auto reply = shared.post_json(server.url(), body);
        count += reply && reply->body == body ? 0 : 1;
      }
      return count;
    }));
  }
  for (auto& count : wrong) CHECK(count.get() == 0);
}

TEST_CASE("options that cannot be kept are refused") {
  HttpOptions options;
  options.timeout = milliseconds(0);
  CHECK(HttpClient::create(options).error().code == ErrorCode::kInvalidArgument);
  options = {};
  options.bearer_token = "two\nlines";
  const auto refused = HttpClient::create(options);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(!holds(refused.error().message, "lines"));
}

TEST_CASE("the address of a server is http or https and a host, and stays as it is but for slashes at its end") {
  CHECK(server_url("http://127.0.0.1:8000/v1/").value() == "http://127.0.0.1:8000/v1");
  CHECK(server_url("https://models.example").value() == "https://models.example");
  CHECK(server_url("http://[::1]:80").value() == "http://[::1]:80");
  for (const char* wrong : {"", "http:", "http://", "localhost:8000", "ftp://x", "file:///etc/passwd", "http://a b",
                            "http://me:pw@x", "http://x/?q=1", "http://x/#f", "http://x:99999"}) {
    CAPTURE(wrong);
    CHECK(server_url(wrong).error().code == ErrorCode::kInvalidArgument);
  }
  CHECK(!holds(server_url("http://me:secret@x").error().message, "secret"));
}
