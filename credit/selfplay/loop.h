// SCOPE's loop without training (arXiv 2605.31433): tasks are written from paragraphs, gated, solved, graded, filtered.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "credit/selfplay/policies.h"
#include "credit/selfplay/roles.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::selfplay {

struct LoopOptions {
  std::uint32_t iterations = 3;
  std::uint32_t sources = 20;   // paragraphs drawn an iteration, for each arm the same
  std::uint32_t rollouts = 8;   // of the solver, a task
  std::uint32_t most_hops = 3;  // iteration n joins n + 1 sentences, at most so many; the frozen challenger always 1
  std::uint64_t seed = 0;
  std::string challenger = "first_lookup";  // policies by name
  std::string solver = "random";
};

// kInvalidArgument with what is out of range.
Status check(const LoopOptions& options);

// One line of tasks.jsonl, with its line break: what became of source `source` of an iteration in one arm. A function
// of its arguments alone. Errors of the environment and the model; a source no chain leads from is no error.
Result<std::string> task_line(const Environment& environment, const RoleModel& model, const LoopOptions& options,
                              std::uint32_t iteration, std::uint32_t source, bool frozen);

// Fills `folder`: settings.json, tasks.jsonl (a line a source and arm), report.jsonl (a line an iteration and arm).
// Goes on where an interrupted run of the same options stopped: a line that was cut short is taken off and made again.
// Returns the text of report.jsonl. kInvalidArgument: out of range, or a folder made with other options or another
// index or rules; kIo. One caller a folder.
Result<std::string> run_loop(const Environment& environment, const RoleModel& model, const LoopOptions& options,
                             const std::filesystem::path& folder);

}  // namespace harnessg::selfplay
