// A chat model behind an OpenAI-compatible server that answers with a JSON object: read strictly, asked a second time
// when it answers something else, and otherwise not judged.
//
//   HARNESSG_ASSIGN(const auto client, ChatClient::connect("http://127.0.0.1:8080/v1", {}));
//   HARNESSG_ASSIGN(const auto answers, client->ask(requests, [](const Json& answer) -> std::string {
//     return answer.contains("score") ? "" : "there is no \"score\"";
//   }));
//   if (answers[0]) use((*answers[0])["score"]);  // else answers[0].error().message says why not
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/models/not_judged.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg {

struct ChatOptions {
  std::string model;                           // empty: the one that the server lists
  std::string api_key;                         // sent as a bearer token; empty: none
  std::chrono::milliseconds timeout{60'000};   // of one request, with its retries
  std::size_t concurrency = 4;                 // requests on their way at a time
  std::size_t retries = 3;                     // of one request: connection refused, 429, 5xx
  std::chrono::milliseconds first_pause{200};  // before the first retry; doubles
  std::size_t max_tokens = 512;                // of an answer
  double temperature = 0;
  bool json_mode = true;     // asks the server for a JSON object ("response_format")
  std::string cache_folder;  // answers that could be read are kept there (ScoreCache); empty: they are not
};

struct ChatRequest {
  std::string system;  // empty: no such message
  std::string user;
};

// The JSON object in what a model wrote: the whole text, the inside of a code fence, or between prose. kUnreadable with
// what stands there instead, two objects among it.
Judged<Json> json_answer(std::string_view text);

class ChatClient {
 public:
  // Says what is wrong with an answer, one sentence; "" when it is what was asked for. Called from several threads.
  using Check = std::function<std::string(const Json& answer)>;

  // Asks the server for its models; one request. `url` with or without "/v1" at its end. kInvalidArgument: the URL or
  // an option is wrong, or the server has several models and none was chosen; kUnavailable: nobody answers. Errors of
  // ScoreCache::open.
  static Result<std::unique_ptr<ChatClient>> connect(std::string_view url, ChatOptions options);
  ~ChatClient();

  std::string_view name() const;  // "http:MODEL"

  // One answer a request, in order. Equal requests are asked once. An answer that cannot be read, or that `check`
  // refuses, is asked for once more, with what was wrong; after that it is kUnreadable. After max(3, concurrency)
  // failures in a row (unreachable, timed out) the rest is not asked, for the same reason. kBadInput for a text that is
  // not UTF-8; errors of ScoreCache::add_texts. Thread-safe.
  Result<std::vector<Judged<Json>>> ask(std::span<const ChatRequest> requests, const Check& check) const;

 private:
  class Connection;
  explicit ChatClient(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace harnessg
