#include <doctest/doctest.h>

#include "tests/conformance/check_report.h"
#include "tests/conformance/episode_replay.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg::conformance;

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
