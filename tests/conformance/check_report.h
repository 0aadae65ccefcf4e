// Says how much of a report agrees, and fails where it does not.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/conformance/episode_replay.h"

namespace harnessg::conformance {

inline void check_report(const std::string& title, const Report& report) {
  CHECK_FALSE(report.empty());
  for (const auto& [name, tally] : report) {
    MESSAGE(fmt::format("{} {}: {} of {} equal", title, name, tally.equal, tally.compared));
    for (const auto& [reason, count] : tally.explained) MESSAGE(fmt::format("  {} not compared: {}", count, reason));
    for (const std::string& difference : tally.differences) MESSAGE(fmt::format("  {}", difference));
    CHECK_MESSAGE(tally.equal == tally.compared, title << " " << name);
  }
}

}  // namespace harnessg::conformance
