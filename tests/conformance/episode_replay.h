// Replays the recorded episodes of the published release with the engine's own rules and compares every step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace harnessg::conformance {

// How often a kind of value was compared, how often it was equal, and why it was not compared or differs by rule.
struct Tally {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;
  std::map<std::string, std::uint64_t> explained;  // reason -> count, not among `compared`
  std::vector<std::string> differences;            // the first few that have no explanation
};

// By name: "steps", "visible", "menu", "observation", "preview", "bridge", "snc_payload", ...
using Report = std::map<std::string, Tally>;

// Every episode of one file, such as episodes-hotpot-rule.jsonl.gz: set "hotpot", suffix "-rule".
Report replay_episodes(const std::filesystem::path& shared, const std::string& set, const std::string& suffix);

// Every question of init-SET[-rule].jsonl.gz: the ranked lists and the fused first view.
Report replay_first_views(const std::filesystem::path& shared, const std::string& set, const std::string& suffix);

}  // namespace harnessg::conformance
