// Workload W: what training does to the engine. Seeded random rollouts, eight a question, every menu previewed whole
// before an action is drawn from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/questions.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

struct WorkloadOptions {
  std::uint32_t rollouts = 8;
  std::uint32_t actions = 5;  // at most, after the first view
  std::uint32_t batch = 64;   // questions whose first views are made ready together
  bool previews = true;
  std::uint64_t seed = 0;
};

struct WorkloadCounts {
  std::uint64_t episodes = 0;
  std::uint64_t steps = 0;  // first views and actions
  std::uint64_t previewed_menus = 0;
  std::uint64_t previews = 0;
  std::uint64_t check = 0;  // of everything that was shown: equal for equal runs
};

// On the calling thread. Errors are the environment's.
Result<WorkloadCounts> run_workload(const Environment& environment, std::span<const QuestionRecord> questions,
                                    const WorkloadOptions& options);

}  // namespace harnessg::bench
