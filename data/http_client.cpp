#include "data/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "data/version.h"

namespace harnessg {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
constexpr milliseconds kLongest = std::chrono::hours{24};
using Outcome = tl::expected<HttpReply, HttpFailure>;

struct EasyCleanup {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Easy = std::unique_ptr<CURL, EasyCleanup>;
struct HeadersCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, HeadersCleanup>;
struct UrlCleanup {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlCleanup>;

// libcurl's own state, set up once and never taken down: other parts of the process may use libcurl too.
bool curl_started() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  return code == CURLE_OK;
}

std::optional<std::string> url_part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return std::nullopt;
  std::string copy(text);
  curl_free(text);
  return copy;
}

bool is_this_machine(const std::string& address) {
  const Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, address.c_str(), 0) != CURLUE_OK) return false;
  const std::string host = url_part(url.get(), CURLUPART_HOST).value_or("");
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

struct Body {
  std::string bytes;
  std::size_t limit = 0;
  bool over = false;
};

std::size_t receive(char* data, std::size_t, std::size_t count, void* target) {
  Body& body = *static_cast<Body*>(target);
  body.over = count > body.limit - body.bytes.size();
  if (body.over) return CURL_WRITEFUNC_ERROR;
  body.bytes.append(data, count);
  return count;
}

HttpFailureKind kind_of(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return HttpFailureKind::kTimedOut;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return HttpFailureKind::kUnreachable;
    default:
      return HttpFailureKind::kRefused;
  }
}

bool worth_a_retry(const Outcome& outcome) {
  if (!outcome) return outcome.error().kind == HttpFailureKind::kUnreachable;
  constexpr std::array kPassing{429, 500, 502, 503, 504};
  return std::find(kPassing.begin(), kPassing.end(), outcome->status) != kPassing.end();
}

milliseconds left_until(Clock::time_point deadline) { return std::chrono::ceil<milliseconds>(deadline - Clock::now()); }

}  // namespace

// The handles of libcurl that are not in use, each with its open connections.
class HttpClient::Connections {
 public:
  explicit Connections(HttpOptions options) : options_(std::move(options)) {}

  // `body` null: a GET.
  Outcome call(const std::string& url, const std::string* body) {
    const auto deadline = Clock::now() + options_.timeout;
    Easy handle = take();
    if (!handle) return tl::unexpected(HttpFailure{HttpFailureKind::kRefused, url + ": libcurl gives no handle"});
    auto pause = options_.first_pause;
    for (std::size_t retry = 0;; ++retry, pause *= 2) {
      Outcome outcome = once(handle.get(), url, body, left_until(deadline));
      const auto wait = std::max(pause, wished_pause(handle.get()));
      if (retry >= options_.retries || !worth_a_retry(outcome) || wait >= left_until(deadline)) {
        give_back(std::move(handle));
        return outcome;
      }
      std::this_thread::sleep_for(wait);
    }
  }

 private:
  Easy take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return Easy(curl_easy_init());
    Easy handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }
  void give_back(Easy handle) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(handle));
  }

  Outcome once(CURL* handle, const std::string& url, const std::string* body, milliseconds limit) const;
  void prepare(CURL* handle, const std::string& url, milliseconds limit) const;
  Headers headers() const;
  HttpFailure failure(CURLcode code, const std::string& url, const char* detail, const Body& body) const;

  // "Retry-After" of the last reply; 0 without one.
  static milliseconds wished_pause(CURL* handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return milliseconds{std::clamp<curl_off_t>(seconds, 0, 86'400) * 1'000};
  }

  const HttpOptions options_;
  std::mutex mutex_;
  std::vector<Easy> idle_;
};

void HttpClient::Connections::prepare(CURL* handle, const std::string& url, milliseconds limit) const {
  const milliseconds positive = std::max(limit, milliseconds{1});  // 0 would mean no limit
  curl_easy_reset(handle);
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  if (is_this_machine(url)) curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(positive.count()));
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::min(positive, options_.connect_timeout).count()));
}

Headers HttpClient::Connections::headers() const {
  Headers list;
  const auto add = [&list](const std::string& line) { list.reset(curl_slist_append(list.release(), line.c_str())); };
  add("Content-Type: application/json");
  add("Accept: application/json");
  add("Expect:");  // none: a server need not say that a long body may come
  add(std::string("User-Agent: harnessg/") + kToolVersion);
  if (!options_.bearer_token.empty()) add("Authorization: Bearer " + options_.bearer_token);
  return list;
}

Outcome HttpClient::Connections::once(CURL* handle, const std::string& url, const std::string* body,
                                      milliseconds limit) const {
  std::array<char, CURL_ERROR_SIZE> detail{};
  Body received{.bytes = {}, .limit = options_.max_body_bytes};
  const Headers sent = headers();
  prepare(handle, url, limit);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, sent.get());
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, detail.data());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &receive);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &received);
  if (body != nullptr) {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body->data());
  }
  const CURLcode code = curl_easy_perform(handle);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, nullptr);
  if (code != CURLE_OK) return tl::unexpected(failure(code, url, detail.data(), received));
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return HttpReply{static_cast<int>(status), std::move(received.bytes)};
}

HttpFailure HttpClient::Connections::failure(CURLcode code, const std::string& url, const char* detail,
                                             const Body& body) const {
  const std::string why = *detail == '\0' ? curl_easy_strerror(code) : detail;
  if (body.over) {
    return {HttpFailureKind::kTooLarge, fmt::format("{}: the reply is longer than {} bytes", url, body.limit)};
  }
  switch (const HttpFailureKind kind = kind_of(code)) {
    case HttpFailureKind::kTimedOut:
      return {kind, fmt::format("{}: no whole reply within {} s ({})", url,
                                static_cast<double>(options_.timeout.count()) / 1'000, why)};
    case HttpFailureKind::kUnreachable:
      return {kind, fmt::format("{} cannot be reached: {}", url, why)};
    default:
      return {kind, fmt::format("{}: {}", url, why)};
  }
}

HttpClient::HttpClient(std::unique_ptr<Connections> connections) : connections_(std::move(connections)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::create(HttpOptions options) {
  if (options.timeout < milliseconds{1} || options.connect_timeout < milliseconds{1} || options.timeout > kLongest) {
    return fail(ErrorCode::kInvalidArgument, "a time limit of {} ms for HTTP; give a millisecond to a day",
                std::min(options.timeout, options.connect_timeout).count());
  }
  const auto in_header = [](char c) { return c > ' ' && c < '\x7f'; };
  if (!std::all_of(options.bearer_token.begin(), options.bearer_token.end(), in_header)) {
    return fail(ErrorCode::kInvalidArgument,
                "the key for the server holds white space or characters other than ASCII, which no header may have");
  }
  if (!curl_started()) return fail(ErrorCode::kUnavailable, "libcurl, which speaks HTTP, cannot be started");
  return HttpClient(std::make_unique<Connections>(std::move(options)));
}

Outcome HttpClient::get(const std::string& url) const { return connections_->call(url, nullptr); }
Outcome HttpClient::post_json(const std::string& url, const std::string& body) const {
  return connections_->call(url, &body);
}

Result<std::string> server_url(std::string_view text) {
  const std::string address(text.substr(0, text.find_last_not_of('/') + 1));
  const Url url(curl_url());
  const CURLUcode code = curl_url_set(url.get(), CURLUPART_URL, address.c_str(), CURLU_NON_SUPPORT_SCHEME);
  const std::string scheme = code == CURLUE_OK ? url_part(url.get(), CURLUPART_SCHEME).value_or("") : "";
  if (scheme != "http" && scheme != "https") {
    return fail(ErrorCode::kInvalidArgument,
                "\"{}\" is no address of a server; give one such as http://127.0.0.1:8000/v1", text);
  }
  for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    if (url_part(url.get(), part)) {
      return fail(ErrorCode::kInvalidArgument,
                  "the address of the server at {} holds a user name, a query or a fragment; leave it out",
                  url_part(url.get(), CURLUPART_HOST).value_or(""));
    }
  }
  return address;
}

}  // namespace harnessg
