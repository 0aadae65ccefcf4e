// Rollouts from a file.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "credit/rewards/plugin.h"

namespace harnessg {

// Inputs, and the traces that they point to.
struct RewardRollouts {
  std::vector<RewardInput> inputs;
  std::deque<Trace> traces;
};

// The rollout of an object: a trace (docs/trace.md), a record, or a record with its trace under "trace". `group_key`
// names the key of the object that tells rollouts of one question apart (a string, a number or a boolean); a trace has
// "question_id" too. "" puts each rollout in a group of its own. A missing key is a kBadInput with the place, as is a
// trace that cannot be read.
Status add_rollout(const Json& object, const Place& place, const std::string& group_key, RewardRollouts& rollouts);

// Every rollout of a file: JSON lines or one list; .gz and .zst are decompressed, "-" is standard input. The first that
// cannot be read ends it, with its place. Errors of JsonRecordReader::open.
Result<RewardRollouts> read_rollouts(const std::filesystem::path& file, const std::string& group_key);

}  // namespace harnessg
