#include "credit/models/score_cache.h"

#include <doctest/doctest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <limits>
#include <set>

#include "credit/models/scorer_choice.h"
#include "tests/credit/fake_completions_server.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string_view>;
using Names = std::vector<std::string>;

const Texts kContext{"London lies on the River Thames.", "Paris lies on the Seine."};
const Names kAliases{"Thames"};
const ScoreRequest kRequest{"Which river?", kContext, kAliases};

// Scores by the context's length, and counts what it was asked.
struct Counting {
  std::shared_ptr<std::atomic<std::size_t>> asked = std::make_shared<std::atomic<std::size_t>>(0);

  std::unique_ptr<Scorer> scorer() const {
    return std::make_unique<CallableScorer>("counting", [asked = asked](std::span<const ScoreRequest> requests) {
      *asked += requests.size();
      std::vector<Score> scores;
      for (const ScoreRequest& request : requests) {
        scores.emplace_back(1.0 / static_cast<double>(1 + request.question.size() + request.context.size()));
      }
      return scores;
    });
  }
};

std::shared_ptr<ScoreCache> cache_in(const fs::path& folder) {
  auto cache = ScoreCache::open(folder);
  if (!cache) FAIL(cache.error().message);
  return *std::move(cache);
}

Score score_of(const Scorer& scorer, const ScoreRequest& request = kRequest) {
  return scorer.score({&request, 1}).value().at(0);
}

// What lies in a cache, as RocksDB sees it.
class Opened {
 public:
  explicit Opened(const fs::path& folder) {
    rocksdb::DB* db = nullptr;
    rocksdb::Options options;
    options.create_if_missing = true;
    REQUIRE(rocksdb::DB::Open(options, folder.string(), &db).ok());
    db_.reset(db);
  }
  std::string get(const ScoreKey& key) {
    std::string value;
    REQUIRE(db_->Get({}, {key.data(), key.size()}, &value).ok());
    return value;
  }
  void put(const ScoreKey& key, const std::string& value) {
    REQUIRE(db_->Put({}, {key.data(), key.size()}, value).ok());
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what was scored once is not asked for again, also after the folder was closed") {
  const TemporaryFolder folder;
  const Counting counting;
  const double first = score_of(CachedScorer(counting.scorer(), "model", cache_in(folder / "scores"))).value();
  for (int again = 0; again < 2; ++again) {
    const CachedScorer scorer(counting.scorer(), "model", cache_in(folder / "scores"));
    CHECK(score_of(scorer).value() == first);
    CHECK(scorer.name() == "counting");
  }
  CHECK(*counting.asked == 1);
}

TEST_CASE("everything that a score depends on is part of its key") {
  const Texts turned{kContext[1], kContext[0]};
  const Texts joined{"London lies on the River Thames.Paris lies on the Seine."};
  const Names two{"Thames", "Seine"};
  const Names other{"Seine"};
  std::set<ScoreKey> keys{score_key("model", kRequest), score_key("other", kRequest)};
  keys.insert(score_key("model", {"Which", kContext, kAliases}));
  keys.insert(score_key("model", {"Which river?", turned, kAliases}));
  keys.insert(score_key("model", {"Which river?", joined, kAliases}));
  keys.insert(score_key("model", {"Which river?", {}, kAliases}));
  keys.insert(score_key("model", {"Which river?", kContext, two}));
  keys.insert(score_key("model", {"Which river?", kContext, other}));
  CHECK(keys.size() == 8);
  const Texts copy(kContext);
  CHECK(score_key("model", {"Which river?", copy, kAliases}) == score_key("model", kRequest));
}

TEST_CASE("equal requests of one call are asked once") {
  const TemporaryFolder folder;
  const Counting counting;
  const CachedScorer scorer(counting.scorer(), "model", cache_in(folder / "scores"));
  const std::vector<ScoreRequest> requests(5, kRequest);
  const auto scores = scorer.score(requests).value();
  CHECK(scores == std::vector<Score>(5, scores[0]));
  CHECK(*counting.asked == 1);
}

TEST_CASE("what was not scored is asked for again") {
  const TemporaryFolder folder;
  std::size_t calls = 0;
  const auto failing = [&calls](std::span<const ScoreRequest>) {
    ++calls;
    if (calls == 1) return std::vector<Score>{tl::unexpected(NotScored{NotScoredReason::kTimedOut, "slow"})};
    if (calls == 2) return std::vector<Score>{std::numeric_limits<double>::quiet_NaN()};
    return std::vector<Score>{0.5};
  };
  const CachedScorer scorer(std::make_unique<CallableScorer>("failing", failing), "model", cache_in(folder / "scores"));
  CHECK(score_of(scorer).error().message == "slow");
  CHECK(score_of(scorer).error().reason == NotScoredReason::kOutOfRange);
  CHECK(score_of(scorer).value() == 0.5);
  CHECK(score_of(scorer).value() == 0.5);
  CHECK(calls == 3);
}

TEST_CASE("an entry that is damaged, of another format or another request's is asked for again") {
  const TemporaryFolder folder;
  const ScoreKey key = score_key("model", kRequest);
  const ScoreKey other = score_key("other", kRequest);
  const std::vector<std::pair<ScoreKey, double>> entries{{key, 0.25}, {other, 0.75}};
  REQUIRE(cache_in(folder / "scores")->add(entries));
  const std::string good = Opened(folder / "scores").get(key);
  std::vector<std::string> bad{"", "x", good.substr(0, good.size() - 1), good + "x",
                               Opened(folder / "scores").get(other)};
  for (std::size_t byte = 0; byte < good.size(); byte += 4) {  // the format, the score, the hash
    bad.push_back(good);
    bad.back()[byte] = static_cast<char>(bad.back()[byte] ^ 1);
  }
  for (const std::string& value : bad) {
    Opened(folder / "scores").put(key, value);
    CHECK(!cache_in(folder / "scores")->find(key));
  }
  Opened(folder / "scores").put(key, good);
  CHECK(cache_in(folder / "scores")->find(key) == 0.25);
}

TEST_CASE("the smallest and the largest score come back as they were") {
  const TemporaryFolder folder;
  const auto cache = cache_in(folder / "scores");
  const ScoreKey key = score_key("model", kRequest);
  for (const double score : {std::numeric_limits<double>::min(), 0.1 + 0.2, 1.0}) {
    const std::vector<std::pair<ScoreKey, double>> entries{{key, score}};
    REQUIRE(cache->add(entries));
    CHECK(cache->find(key) == score);
  }
}

TEST_CASE("a folder of something else is refused and left as it was") {
  const TemporaryFolder folder;
  write_bytes(folder / "notes.txt", "mine");
  CHECK(ScoreCache::open(folder.path()).error().code == ErrorCode::kBadInput);
  CHECK(ScoreCache::open(folder / "notes.txt").error().code == ErrorCode::kBadInput);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);

  { const Opened database(folder / "database"); }
  const auto count = std::distance(fs::directory_iterator(folder / "database"), {});
  CHECK(ScoreCache::open(folder / "database").error().code == ErrorCode::kBadInput);
  CHECK(std::distance(fs::directory_iterator(folder / "database"), {}) == count);
}

TEST_CASE("a cache that is open elsewhere is told, not waited for") {
  const TemporaryFolder folder;
  cache_in(folder / "scores");
  const Opened elsewhere(folder / "scores");
  const auto refused = ScoreCache::open(folder / "scores");
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kUnavailable);
  CHECK(holds(refused.error().message, (folder / "scores").string()));
}

TEST_CASE("a cache whose files are damaged is an error that says what to do") {
  const TemporaryFolder folder;
  cache_in(folder / "scores");
  write_bytes(folder / "scores/CURRENT", "nonsense\n");
  const auto refused = ScoreCache::open(folder / "scores");
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kCorrupt);
  CHECK(holds(refused.error().message, "remove it"));
}

TEST_CASE("two scorers of one process share the cache of one folder") {
  const TemporaryFolder folder;
  const Counting counting;
  const CachedScorer one(counting.scorer(), "model", cache_in(folder / "scores"));
  const CachedScorer two(counting.scorer(), "model", cache_in(folder / "x/../scores"));
  CHECK(score_of(one) == score_of(two));
  CHECK(*counting.asked == 1);
}

TEST_CASE("threads that score at once all get what the scorer says") {
  const TemporaryFolder folder;
  const Counting counting;
  const CachedScorer scorer(counting.scorer(), "model", cache_in(folder / "scores"));
  std::vector<std::string> questions;
  for (int i = 0; i < 200; ++i) questions.push_back(std::string(static_cast<std::size_t>(i), 'q'));
  std::vector<ScoreRequest> requests;
  for (const std::string& question : questions) requests.push_back({question, kContext, kAliases});
  const auto expected = counting.scorer()->score(requests).value();
  std::vector<std::future<bool>> right;
  for (int thread = 0; thread < 4; ++thread) {
    right.push_back(std::async(std::launch::async, [&] { return scorer.score(requests).value() == expected; }));
  }
  for (auto& one : right) CHECK(one.get());
}

TEST_CASE("what was scored before a failure of the scorer is kept") {
  const TemporaryFolder folder;
  std::size_t asked = 0;
  const auto breaking = [&asked](std::span<const ScoreRequest> requests) {
    asked += requests.size();
    return std::vector<Score>(asked > 300 ? 0 : requests.size(), 0.5);
  };
  const CachedScorer scorer(std::make_unique<CallableScorer>("b", breaking), "model", cache_in(folder / "scores"));
  std::vector<std::string> questions;
  for (int i = 0; i < 400; ++i) questions.push_back(std::to_string(i));
  std::vector<ScoreRequest> requests;
  for (const std::string& question : questions) requests.push_back({question, kContext, kAliases});
  CHECK(!scorer.score(requests));
  CHECK(score_of(scorer, requests[0]).value() == 0.5);
}

TEST_CASE("a server that went down is asked for one portion, not for all") {
  const TemporaryFolder folder;
  std::size_t asked = 0;
  const auto down = [&asked](std::span<const ScoreRequest> requests) {
    asked += requests.size();
    return std::vector<Score>(requests.size(), tl::unexpected(NotScored{NotScoredReason::kUnavailable, "down"}));
  };
  const CachedScorer scorer(std::make_unique<CallableScorer>("d", down), "model", cache_in(folder / "scores"));
  std::vector<std::string> questions;
  for (int i = 0; i < 2'000; ++i) questions.push_back(std::to_string(i));
  std::vector<ScoreRequest> requests;
  for (const std::string& question : questions) requests.push_back({question, kContext, kAliases});
  const auto scores = scorer.score(requests).value();
  CHECK(asked < 500);
  CHECK(scores.front().error().message == "down");
  CHECK(scores.back().error().message == "down");
}

TEST_CASE("a scorer is made by its word; what is no scorer is told") {
  CHECK(make_scorer("lexical").value()->name() == "lexical-proxy");
  for (const char* wrong : {"", "lexicle", "http", "http:", "http:ftp://x"}) {
    CAPTURE(wrong);
    CHECK(make_scorer(wrong).error().code == ErrorCode::kInvalidArgument);
  }
  ScorerOptions options;
  options.timeout_seconds = std::numeric_limits<double>::quiet_NaN();
  CHECK(make_scorer("http://127.0.0.1:1", options).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("the key comes from the variable that is named, and a variable that is not set is told") {
  fake::Habits habits;
  habits.key = "secret";
  const fake::CompletionsServer server(habits);
  ScorerOptions options;
  options.api_key_env = "HARNESSG_TEST_KEY";
  unsetenv("HARNESSG_TEST_KEY");
  const auto refused = make_scorer(server.url(), options);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(holds(refused.error().message, "HARNESSG_TEST_KEY"));
  setenv("HARNESSG_TEST_KEY", "secret", 1);
  CHECK(make_scorer(server.url(), options).has_value());
  unsetenv("HARNESSG_TEST_KEY");
}

TEST_CASE("scoring again with a cache asks the server nothing but what it can do") {
  const TemporaryFolder folder;
  ScorerOptions options;
  options.cache_folder = (folder / "scores").string();
  std::optional<double> first;
  std::size_t probes = 0;
  for (const char* form : {"http:", "", "http:"}) {
    const fake::CompletionsServer server;
    const auto scorer = make_scorer(form + server.url() + "/v1", options).value();
    probes = server.completions;
    const double g = score_of(*scorer).value();
    if (!first) CHECK(server.completions > probes);
    if (first) CHECK(server.completions == probes);
    CHECK(first.value_or(g) == g);
    first = g;
  }
  options.prompt_prefix = "Answer. ";
  const fake::CompletionsServer server;
  const auto scorer = make_scorer(server.url(), options).value();
  probes = server.completions;
  CHECK(score_of(*scorer).has_value());
  CHECK(server.completions > probes);
}
