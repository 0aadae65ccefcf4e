// What a completions server may do wrong after it was found to be good: each a reason and a sentence, none a score.
#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "credit/models/completions_scorer.h"
#include "tests/credit/fake_completions_server.h"

using namespace harnessg;
using fake::Habits;
using nlohmann::json;

namespace {

using Clock = std::chrono::steady_clock;
using Texts = std::vector<std::string_view>;
using Names = std::vector<std::string>;

CompletionsOptions quick() {
  CompletionsOptions options;
  options.timeout = std::chrono::seconds(20);
  options.retries = 2;
  options.first_pause = std::chrono::milliseconds(1);
  options.concurrency = 2;
  return options;
}

std::unique_ptr<CompletionsScorer> connected(const fake::CompletionsServer& server,
                                             CompletionsOptions options = quick()) {
  auto scorer = CompletionsScorer::connect(server.url(), std::move(options));
  if (!scorer) FAIL(scorer.error().message);
  return std::move(*scorer);
}

Habits echoing() {
  Habits habits;
  habits.has_ids = false;
  return habits;
}

// Requests whose contexts are one text each.
struct Requests {
  explicit Requests(std::vector<std::string> given) : texts(std::move(given)) {
    for (const std::string& text : texts) views.push_back({text});
    for (const Texts& view : views) all.push_back({"Which river?", view, aliases});
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  Names aliases{"Thames"};
  std::vector<std::string> texts;
  std::vector<Texts> views;
  std::vector<ScoreRequest> all;
};

// A reply that is right but for what `spoil` does to its one choice.
using Spoil = std::function<void(json& reply)>;
std::function<bool(const json&, httplib::Response&)> spoiled(const Spoil& spoil) {
  return [spoil](const json& request, httplib::Response& response) {
    const auto text = request["prompt"].get<std::string>();
    json tokens = json::array();
    json values = json::array();
    for (const std::string& token : fake::tokens_of(text)) {
      tokens.push_back(token);
      values.push_back(values.empty() ? json() : json(-1.0));
    }
    json reply{
        {"choices", {{{"text", text}, {"index", 0}, {"logprobs", {{"tokens", tokens}, {"token_logprobs", values}}}}}},
        {"usage", {{"completion_tokens", 0}}}};
    spoil(reply);
    response.set_content(reply.dump(), "application/json");
    return true;
  };
}

std::function<bool(const json&, httplib::Response&)> replying(int status, const std::string& body) {
  return [=](const json&, httplib::Response& response) {
    response.status = status;
    response.set_content(body, "application/json");
    return true;
  };
}

NotScored failure(fake::CompletionsServer& server, const Scorer& scorer,
                  std::function<bool(const json&, httplib::Response&)> instead) {
  server.habits.instead = std::move(instead);
  const Requests requests({"London lies on the River Thames."});
  const auto scores = scorer.score(requests.all).value();
  REQUIRE(scores.size() == 1);
  REQUIRE(!scores[0]);
  CHECK(scores[0].error().message.find('\n') == std::string::npos);
  return scores[0].error();
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("replies that are no answer are bad replies, told by what they lack") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  const auto bad = [&](auto instead, std::string_view part) {
    const NotScored why = failure(server, *scorer, std::move(instead));
    CAPTURE(why.message);
    CHECK(why.reason == NotScoredReason::kBadReply);
    CHECK(holds(why.message, part));
  };
  bad(replying(200, "I think it is the Thames."), "I think it is the Thames.");
  bad(replying(200, ""), "no JSON");
  bad(replying(200, "[1,2]"), "no JSON object");
  bad(replying(200, "{}"), "choices");
  bad(replying(200, "\xFF\xFE"), "not UTF-8");
  bad(replying(200, R"({"choices":[{"text":"x","logprobs":{"tokens":["a"],"token_logprobs":[NaN]}}]})"), "no JSON");
  bad(replying(404, R"({"error":{"message":"no such model"}})"), "no such model");
  bad(replying(422, R"({"detail":"unknown field"})"), "unknown field");
  bad(spoiled([](json& reply) { reply["choices"].clear(); }), "0 choices for 1 prompts");
  bad(spoiled([](json& reply) { reply["choices"].push_back(reply["choices"][0]); }), "2 choices for 1 prompts");
  bad(spoiled([](json& reply) { reply["choices"][0]["index"] = 7; }), "not numbered");
  bad(spoiled([](json& reply) { reply["choices"][0].erase("text"); }), "text");
  bad(spoiled([](json& reply) { reply["choices"][0]["logprobs"] = nullptr; }), "logprobs");
  bad(spoiled([](json& reply) { reply["choices"][0]["logprobs"].erase("token_logprobs"); }), "token_logprobs");
  bad(spoiled([](json& reply) { reply["choices"][0]["logprobs"]["token_logprobs"].erase(0); }), "log-probabilities");
  bad(spoiled([](json& reply) { reply["choices"][0]["logprobs"]["token_logprobs"][0] = "-1"; }), "readable");
  bad(spoiled([](json& reply) { reply["choices"][0]["logprobs"]["token_logprobs"].back() = nullptr; }), "log-prob");
  bad(spoiled([](json& reply) { reply["choices"][0]["text"] = "Something else"; }), "repeat the prompt");
}

TEST_CASE("tokens that do not make up the answer are no score, however good their numbers") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  const NotScored why = failure(server, *scorer, spoiled([](json& reply) {
                                  auto& tokens = reply["choices"][0]["logprobs"]["tokens"];
                                  tokens.back() = tokens.back().get<std::string>() + "!";
                                }));
  CHECK(why.reason == NotScoredReason::kBadReply);
}

TEST_CASE("a first token that also holds the prompt's end is no score") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  const NotScored why = failure(server, *scorer, spoiled([](json& reply) {
                                  json& logprobs = reply["choices"][0]["logprobs"];
                                  auto& tokens = logprobs["tokens"];
                                  if (tokens.back() != "Thames") return;
                                  tokens.erase(tokens.size() - 1);
                                  tokens.back() = "\nThames";
                                  logprobs["token_logprobs"].erase(0);
                                }));
  CHECK(why.reason == NotScoredReason::kBadReply);
  CHECK(holds(why.message, "end of the prompt"));
}

TEST_CASE("a log-probability above 0 is out of range; rounding is not") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  const auto value = [](double number) {
    return spoiled([number](json& reply) { reply["choices"][0]["logprobs"]["token_logprobs"].back() = number; });
  };
  const NotScored why = failure(server, *scorer, value(0.5));
  CHECK(why.reason == NotScoredReason::kOutOfRange);
  CHECK(holds(why.message, "0.5"));
  server.habits.instead = value(1e-6);
  const Requests requests({"a"});
  CHECK(scorer->score(requests.all).value()[0].value() == 1);
}

TEST_CASE("an answer next to impossible has the smallest g, not 0") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  server.habits.instead =
      spoiled([](json& reply) { reply["choices"][0]["logprobs"]["token_logprobs"].back() = -3.4e38; });
  const Requests requests({"a"});
  const double g = scorer->score(requests.all).value()[0].value();
  CHECK(g > 0);
  CHECK(g < 1e-300);
}

TEST_CASE("a server that is busy for a while is asked again") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  for (const int status : {429, 500, 503}) {
    std::atomic<int> left{2};
    server.habits.instead = [&](const json&, httplib::Response& response) {
      if (--left < 0) return false;
      response.status = status;
      return true;
    };
    const Requests requests({"London"});
    CHECK(scorer->score(requests.all).value()[0].has_value());
  }
}

TEST_CASE("a server that stays broken is unavailable, in its own words") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  const NotScored why = failure(server, *scorer, replying(500, R"({"error":"out of memory"})"));
  CHECK(why.reason == NotScoredReason::kUnavailable);
  CHECK(holds(why.message, "out of memory"));
  CHECK(holds(why.message, "500"));
}

TEST_CASE("one prompt that the server refuses does not cost the others of its request") {
  Habits habits = echoing();
  habits.longest_prompt = 1'000;
  const fake::CompletionsServer server(habits);
  const auto scorer = connected(server);
  const Requests requests({"a", std::string(2'000, 'x'), "b"});
  const auto scores = scorer->score(requests.all).value();
  CHECK(scores[0].has_value());
  CHECK(scores[1].error().reason == NotScoredReason::kBadReply);
  CHECK(holds(scores[1].error().message, "too long"));
  CHECK(scores[2].has_value());
}

TEST_CASE("a request with one alias that is not scored is not scored: it might have been the best") {
  Habits habits = echoing();
  habits.longest_prompt = 1'000;
  const fake::CompletionsServer server(habits);
  const auto scorer = connected(server);
  const Names aliases{"Thames", std::string(2'000, 'x')};
  const ScoreRequest request{"Which river?", {}, aliases};
  CHECK(scorer->score({&request, 1}).value()[0].error().reason == NotScoredReason::kBadReply);
}

TEST_CASE("a server that does not answer in time is left, and the rest of the batch is not waited for") {
  std::promise<void> made;
  const auto opened = made.get_future().share();
  fake::CompletionsServer server(echoing());
  const std::promise<void> gate = std::move(made);  // goes before the server does, and lets its threads go
  CompletionsOptions options = quick();
  options.timeout = std::chrono::seconds(1);
  const auto scorer = connected(server, options);
  server.habits.takes_several = false;
  server.habits.instead = [opened](const json&, httplib::Response&) {
    opened.wait();
    return false;
  };
  const Requests requests(std::vector<std::string>(400, "London"));
  const std::size_t before = server.completions;
  const auto start = Clock::now();
  const auto scores = scorer->score(requests.all).value();
  CHECK(Clock::now() - start < std::chrono::seconds(60));
  CHECK(server.completions - before <= 6);
  for (const Score& score : scores) REQUIRE(score.error().reason == NotScoredReason::kTimedOut);
  CHECK(holds(scores.front().error().message, "1 s"));
  CHECK(holds(scores.back().error().message, "in a row"));
}

TEST_CASE("a server that goes down makes every request unavailable, without asking for each") {
  fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  server.stop();
  const Requests requests(std::vector<std::string>(2'000, "London"));
  const auto start = Clock::now();
  const auto scores = scorer->score(requests.all).value();
  CHECK(Clock::now() - start < std::chrono::seconds(10));
  for (const Score& score : scores) REQUIRE(score.error().reason == NotScoredReason::kUnavailable);
}

TEST_CASE("a server that writes other tokens than the grammar leaves it is not believed") {
  Habits habits;
  habits.echoes = false;
  fake::CompletionsServer server(habits);
  const auto scorer = connected(server);
  const NotScored why = failure(
      server, *scorer,
      replying(200, R"({"choices":[{"text":"x","logprobs":{"content":[{"id":99999,"token":"x","logprob":-1}]}}]})"));
  CHECK(why.reason == NotScoredReason::kBadReply);
  CHECK(holds(why.message, "grammar"));
}
