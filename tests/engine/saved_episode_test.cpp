#include "engine/saved_episode.h"

#include <doctest/doctest.h>

#include "data/splitmix.h"
#include "engine/environment.h"
#include "tests/engine/walk.h"
#include "tests/sample.h"

using namespace harnessg;

namespace {

std::string a_saved_episode(const Environment& environment) {
  Episode episode = environment.reset({"Which river flows through London?", {"River Thames"}, "q", 7}).value();
  REQUIRE(environment.step(episode, std::size_t{0}).has_value());
  REQUIRE(environment.step(episode, std::string_view("what?")).has_value());
  return episode.save();
}

}  // namespace

TEST_CASE("a saved episode with any byte changed or cut off is refused") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  const std::string saved = a_saved_episode(*environment);
  REQUIRE(environment->restore(saved).has_value());
  for (std::size_t at = 0; at < saved.size(); ++at) {
    std::string damaged = saved;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    CHECK_FALSE(environment->restore(damaged).has_value());
    CHECK_FALSE(environment->restore(saved.substr(0, at)).has_value());
  }
}

TEST_CASE("random bytes are no episode") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  SplitMix bits(1);
  for (int n = 0; n < 2000; ++n) {
    std::string bytes(bits.next() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(bits.next());
    CHECK(environment->restore(bytes).error().code == ErrorCode::kCorrupt);
  }
}

TEST_CASE("an episode restored against another graph is refused with both hashes named") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  const auto other = Environment::create(other_index(), {}, nullptr).value();
  const auto restored = other->restore(a_saved_episode(*environment));
  REQUIRE_FALSE(restored.has_value());
  CHECK(restored.error().code == ErrorCode::kWrongIndex);
  CHECK(restored.error().message.find(sample_index()->manifest().content_hash) != std::string::npos);
  CHECK(restored.error().message.find(other_index()->manifest().content_hash) != std::string::npos);
}

TEST_CASE("an episode restored under other settings is refused") {
  const auto environment = Environment::create(sample_index(), {}, nullptr).value();
  EnvironmentOptions longer;
  longer.config.turn_budget = 9;
  const auto other = Environment::create(sample_index(), longer, nullptr).value();
  CHECK(other->restore(a_saved_episode(*environment)).error().code == ErrorCode::kWrongIndex);
}

TEST_CASE("a state that names nodes the graph does not have is refused") {
  State state;
  state.turn = 1;
  CHECK(check_state(state, sample_index()->graph()).has_value());
  state.seen.push_back(SentenceId{sample_index()->graph().sentence_count()});
  CHECK(check_state(state, sample_index()->graph()).error().code == ErrorCode::kCorrupt);
}
