// A small HTTP client (libcurl) for servers of models: JSON out, a body back, within a time limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "data/result.h"

namespace harnessg {

struct HttpOptions {
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{60'000};  // of one call, its retries and pauses included
  std::size_t max_body_bytes = std::size_t{64} << 20;
  std::size_t retries = 3;                     // after an unreachable server, 429, 500, 502, 503, 504
  std::chrono::milliseconds first_pause{200};  // before the first retry; doubles; longer where the server says so
  std::string bearer_token;                    // sent as "Authorization: Bearer ..."; empty: none
};

struct HttpReply {
  int status = 0;  // whatever the server said last, 200 or not
  std::string body;
};

enum class HttpFailureKind : std::uint8_t {
  kUnreachable,  // no connection, or it broke off
  kTimedOut,
  kTooLarge,  // the body is over max_body_bytes
  kRefused,   // the client would not do it: certificate, protocol
};

// Why there is no reply. The message is one sentence and names the URL.
struct HttpFailure {
  HttpFailureKind kind = HttpFailureKind::kUnreachable;
  std::string message;
};

// Follows no redirects, so that the token goes nowhere else. Proxies of the environment are used, but not for this
// machine. Connections are kept and used again. Thread-safe; no call takes longer than the time limit.
class HttpClient {
 public:
  // kInvalidArgument: a time limit that is not positive, a token that cannot stand in a header; kUnavailable: libcurl
  // does not start.
  static Result<HttpClient> create(HttpOptions options);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  tl::expected<HttpReply, HttpFailure> get(const std::string& url) const;
  // A call that may be repeated: the server is asked again when it was busy or broke off.
  tl::expected<HttpReply, HttpFailure> post_json(const std::string& url, const std::string& body) const;

 private:
  class Connections;
  explicit HttpClient(std::unique_ptr<Connections> connections);

  std::unique_ptr<Connections> connections_;
};

// `url` without slashes at its end. kInvalidArgument when it is no http:// or https:// address of a server, or holds a
// user name, a query or a fragment.
Result<std::string> server_url(std::string_view url);

}  // namespace harnessg
