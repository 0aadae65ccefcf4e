// Traces made of recorded episodes: what the SNC payloads say, not what our rules would do.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "engine/trace.h"
#include "tests/conformance/recorded_file.h"

namespace harnessg::conformance {

struct RecordedTrace {
  Trace trace;                       // step t of the record is trace.steps[t]
  std::vector<std::string> actions;  // what the policy said at each step
};

// By (question id, name of the sequence), all episodes of episodes-SET[-rule].jsonl.gz. Turns without payload that are
// not the first view become blocked ones.
using RecordedTraces = std::map<std::pair<std::string, std::string>, RecordedTrace>;
RecordedTraces read_recorded_traces(const std::filesystem::path& shared, const std::string& set,
                                    const std::string& suffix);

}  // namespace harnessg::conformance
