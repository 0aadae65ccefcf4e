#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/conformance/episode_replay.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg::conformance;

namespace {

void check_report(const std::string& title, const Report& report) {
  for (const auto& [name, tally] : report) {
    MESSAGE(fmt::format("{} {}: {} of {} equal", title, name, tally.equal, tally.compared));
    for (const auto& [reason, count] : tally.explained) MESSAGE(fmt::format("  {} not compared: {}", count, reason));
    for (const std::string& difference : tally.differences) MESSAGE(fmt::format("  {}", difference));
    CHECK_MESSAGE(tally.equal == tally.compared, title << " " << name);
  }
}

}  // namespace

TEST_CASE("recorded first views are ours, list by list") {
  const auto shared = shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded vectors");
    return;
  }
  for (const std::string set : {"2wiki", "hotpot", "musique"}) {
    for (const std::string suffix : {"", "-rule"})
      check_report(set + suffix + " first view", replay_first_views(shared, set, suffix));
  }
}

TEST_CASE("recorded episodes are ours, step by step: views, menus, observations, previews, SNC payloads") {
  const auto shared = shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded vectors");
    return;
  }
  for (const std::string set : {"2wiki", "hotpot", "musique"}) {
    for (const std::string suffix : {"", "-rule", "-specsyn"})
      check_report(set + suffix, replay_episodes(shared, set, suffix));
  }
}
