#include "credit/models/completions_scorer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "credit/models/answer_text.h"
#include "engine/text_protocol.h"
#include "tests/credit/fake_completions_server.h"

using namespace harnessg;
using fake::Alignment;
using fake::Habits;
using nlohmann::json;

namespace {

using Texts = std::vector<std::string_view>;
using Names = std::vector<std::string>;

const Texts kContext{"London lies on the River Thames.", "Paris lies on the Seine."};

CompletionsOptions quick() {
  CompletionsOptions options;
  options.timeout = std::chrono::seconds(20);
  options.retries = 0;
  options.first_pause = std::chrono::milliseconds(1);
  return options;
}

std::unique_ptr<CompletionsScorer> connected(const fake::CompletionsServer& server,
                                             CompletionsOptions options = quick()) {
  auto scorer = CompletionsScorer::connect(server.url(), std::move(options));
  if (!scorer) FAIL(scorer.error().message);
  return std::move(*scorer);
}

Score score_of(const Scorer& scorer, const Names& aliases, const Texts& context = kContext) {
  const ScoreRequest request{"Which river?", context, aliases};
  return scorer.score({&request, 1}).value().at(0);
}

std::string prompt_of(const Texts& context = kContext) {
  return PromptTemplate{}.up_to_answer("Which river?", context);
}
double expected(const std::string& alias, const Texts& context = kContext) {
  return std::exp(fake::mean_logprob(prompt_of(context), alias));
}

std::string failure_to_connect(const fake::CompletionsServer& server, ErrorCode code,
                               CompletionsOptions options = quick()) {
  const auto scorer = CompletionsScorer::connect(server.url(), std::move(options));
  REQUIRE(!scorer);
  CHECK(scorer.error().code == code);
  return scorer.error().message;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A server that gives prompt log-probabilities and nothing else, as vLLM, and one that can be forced, as llama.cpp's.
Habits echoing() {
  Habits habits;
  habits.has_ids = false;
  return habits;
}
Habits forcible() {
  Habits habits;
  habits.echoes = false;
  return habits;
}

}  // namespace

TEST_CASE("before the answer stand the answer prompt in its template and the opening of the answer") {
  const PromptTemplate chat{"<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"};
  CHECK(chat.up_to_answer("Q?", kContext) ==
        "<|im_start|>user\n" + answer_prompt("Q?", kContext) + "<|im_end|>\n<|im_start|>assistant\n<answer>\n");
  CHECK(PromptTemplate{}.up_to_answer("Q?", {}) == answer_prompt("Q?", {}) + "\n<answer>\n");
}

TEST_CASE("g is the exponential of the mean log-probability of the alias's tokens, by either method") {
  const fake::CompletionsServer with_echo(echoing());
  const fake::CompletionsServer with_grammars(forcible());
  const auto by_echo = connected(with_echo);
  const auto by_force = connected(with_grammars);
  CHECK(by_echo->method() == ScoringMethod::kPromptLogprobs);
  CHECK(by_force->method() == ScoringMethod::kForcedDecoding);
  for (const char* alias : {"Thames", "the River Thames", "River-Thames, London"}) {
    CAPTURE(alias);
    CHECK(score_of(*by_echo, {alias}).value() == doctest::Approx(expected(alias)).epsilon(1e-12));
    CHECK(score_of(*by_force, {alias}).value() == doctest::Approx(expected(alias)).epsilon(1e-12));
  }
}

TEST_CASE("the best alias counts") {
  const fake::CompletionsServer server(echoing());
  const Names aliases{"Thames", "the River Thames", "Seine"};
  double best = 0;
  for (const std::string& alias : aliases) best = std::max(best, expected(alias));
  CHECK(score_of(*connected(server), aliases).value() == doctest::Approx(best).epsilon(1e-12));
}

TEST_CASE("tokens that are parts of characters are counted, by either method") {
  for (const Habits& habits : {echoing(), forcible()}) {
    const fake::CompletionsServer server(habits);
    const auto scorer = connected(server);
    for (const char* alias : {"Łódź", "Zürich", "ß"}) {
      CAPTURE(alias);
      CHECK(score_of(*scorer, {alias}).value() == doctest::Approx(expected(alias)).epsilon(1e-12));
    }
  }
}

TEST_CASE("an end token that the server adds and lists is not the answer's") {
  Habits habits = echoing();
  habits.lists_end_token = true;
  const fake::CompletionsServer server(habits);
  CHECK(score_of(*connected(server), {"Thames"}).value() == doctest::Approx(expected("Thames")).epsilon(1e-12));
}

TEST_CASE("an answer that repeats itself is not mistaken for what the server adds") {
  Habits habits = echoing();
  habits.added = "!";
  const fake::CompletionsServer server(habits);
  CHECK(score_of(*connected(server), {"!!"}).value() == doctest::Approx(expected("!!")).epsilon(1e-12));
}

TEST_CASE("several prompts go in one request where the server takes that") {
  fake::CompletionsServer server(echoing());
  const Names aliases{"Thames"};
  const std::vector<ScoreRequest> requests(16, {"Which river?", kContext, aliases});
  for (const bool several : {true, false}) {
    server.habits.takes_several = several;
    const auto again = connected(server);
    const std::size_t before = server.completions;
    const auto scores = again->score(requests).value();
    for (const Score& score : scores) CHECK(score.value() == doctest::Approx(expected("Thames")));
    CHECK(server.completions - before == (several ? 2 : 16));
  }
}

TEST_CASE("log-probabilities that stand one token late are noticed: forcing takes their place, or an error") {
  Habits late;
  late.alignment = Alignment::kOneLate;
  const fake::CompletionsServer both(late);
  const auto scorer = connected(both);
  CHECK(scorer->method() == ScoringMethod::kForcedDecoding);
  CHECK(score_of(*scorer, {"Thames"}).value() == doctest::Approx(expected("Thames")).epsilon(1e-12));

  late.has_ids = false;
  const fake::CompletionsServer echo_only(late);
  const std::string why = failure_to_connect(echo_only, ErrorCode::kUnavailable);
  CHECK(holds(why, "not aligned"));
  CHECK(holds(why, "prefix"));
}

TEST_CASE("a prefix that begins with the model's first token mends late log-probabilities") {
  Habits late = echoing();
  late.alignment = Alignment::kOneLate;
  late.first_token = "<s>";
  const fake::CompletionsServer server(late);
  CompletionsOptions options = quick();
  options.prompt_prefix = "<s>";
  const double g = std::exp(fake::mean_logprob("<s>" + prompt_of(), "Thames"));
  CHECK(score_of(*connected(server, options), {"Thames"}).value() == doctest::Approx(g).epsilon(1e-12));
}

TEST_CASE("log-probabilities of the token after are noticed as well") {
  Habits shifted = echoing();
  shifted.alignment = Alignment::kShifted;
  const fake::CompletionsServer server(shifted);
  CHECK(holds(failure_to_connect(server, ErrorCode::kUnavailable), "not aligned"));
}

TEST_CASE("a server whose log-probabilities a grammar changes is refused") {
  Habits habits = forcible();
  habits.grammar_shows = true;
  const fake::CompletionsServer server(habits);
  CHECK(holds(failure_to_connect(server, ErrorCode::kUnavailable), "a grammar changes"));
}

TEST_CASE("a server that can do neither is told what it lacks") {
  Habits habits = echoing();
  habits.echoes = false;
  const fake::CompletionsServer server(habits);
  const std::string why = failure_to_connect(server, ErrorCode::kUnavailable);
  CHECK(holds(why, server.url()));
  CHECK(holds(why, "echo"));
  CHECK(holds(why, "without token ids"));
}

TEST_CASE("the model is the one listed, or the one named among several") {
  fake::CompletionsServer server(echoing());
  CHECK(connected(server)->name() == "http:toy");
  CompletionsOptions options = quick();
  options.model = "other";
  CHECK(holds(failure_to_connect(server, ErrorCode::kInvalidArgument, options), "toy"));
  server.habits.models = {"a", "other"};
  CHECK(holds(failure_to_connect(server, ErrorCode::kInvalidArgument), "a, other"));
  CHECK(connected(server, options)->name() == "http:other");
  server.habits.lists_models = false;
  CHECK(connected(server, options)->name() == "http:other");
  CHECK(holds(failure_to_connect(server, ErrorCode::kInvalidArgument), "name the one"));
}

TEST_CASE("the key is sent, and a wrong one is told at once") {
  Habits habits = echoing();
  habits.key = "secret";
  const fake::CompletionsServer server(habits);
  CompletionsOptions options = quick();
  options.api_key = "secret";
  CHECK(connected(server, options) != nullptr);
  options.api_key = "wrong";
  const std::string why = failure_to_connect(server, ErrorCode::kUnavailable, options);
  CHECK(holds(why, "refuses the key"));
  CHECK(!holds(why, "wrong"));
}

TEST_CASE("the identity is that of the model and the prompt's form, not of the address") {
  const fake::CompletionsServer server(echoing());
  CompletionsOptions options = quick();
  const std::string plain = connected(server, options)->identity();
  options.prompt_prefix = "a";
  const std::string prefixed = connected(server, options)->identity();
  CHECK(plain != prefixed);
  CHECK(plain == connected(server)->identity());
  CHECK(!holds(plain, server.url()));
}

TEST_CASE("a server that is not there is told at once, with its address") {
  fake::CompletionsServer server(echoing());
  server.stop();
  CHECK(holds(failure_to_connect(server, ErrorCode::kUnavailable), server.url()));
}

TEST_CASE("options out of range and addresses that are none are refused") {
  CompletionsOptions options = quick();
  options.concurrency = 0;
  CHECK(CompletionsScorer::connect("http://127.0.0.1:1", options).error().code == ErrorCode::kInvalidArgument);
  CHECK(CompletionsScorer::connect("ftp://x", quick()).error().code == ErrorCode::kInvalidArgument);
  options = quick();
  options.prompt_suffix = "\xFF";
  CHECK(CompletionsScorer::connect("http://127.0.0.1:1", options).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("scores are the same whatever the number of requests at a time, which is bounded") {
  fake::CompletionsServer server(forcible());
  std::vector<Names> aliases;
  for (int i = 0; i < 60; ++i) aliases.push_back({"Thames", std::string("River ") + static_cast<char>('a' + i % 26)});
  std::vector<ScoreRequest> requests;
  for (const Names& names : aliases) requests.push_back({"Which river?", kContext, names});
  CompletionsOptions options = quick();
  options.concurrency = 1;
  const auto one = connected(server, options)->score(requests).value();
  CHECK(server.most_at_a_time == 1);
  options.concurrency = 3;
  const auto three = connected(server, options)->score(requests).value();
  CHECK(server.most_at_a_time <= 3);
  CHECK(one == three);
}

TEST_CASE("no alias is no score, and text that is not UTF-8 is an error") {
  const fake::CompletionsServer server(echoing());
  const auto scorer = connected(server);
  CHECK(score_of(*scorer, {}).error().reason == NotScoredReason::kNoAlias);
  const Names aliases{"x"};
  const ScoreRequest request{"\xFF", {}, aliases};
  CHECK(scorer->score({&request, 1}).error().code == ErrorCode::kBadInput);
}
