// The recorded credits and advantages of the published release, against ours.
#pragma once

#include <filesystem>
#include <string>

#include "tests/conformance/episode_replay.h"

namespace harnessg::conformance {

// Every batch of snc-SET[-rule].jsonl.gz: scores, edges, credits, scale, outcome, advantages.
Report compare_credit(const std::filesystem::path& shared, const std::string& set, const std::string& suffix);

// The rows of units.jsonl about credit: "snc_credit", "shapley", "snc_advantage", "grpo_outcome", "answer_aliases".
Report compare_credit_units(const std::filesystem::path& shared);

}  // namespace harnessg::conformance
