// Seeded walks in which every move is timed.
#pragma once

#include <span>

#include "bench/measure.h"
#include "data/questions.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

struct MoveTimes {
  Samples select;
  Samples lookup;
  Samples preview;      // of a whole menu
  Samples lookup_dots;  // what score_candidates() takes for the same lookups and menus; empty without vectors
  Samples preview_dots;
};

enum class Timed { kSteps, kPreviews };

// One walk a question, the first of its rollouts in workload W, so that every query vector is known that W asked for.
// First views are made ready beforehand and are not timed. Previews are asked for only where they are what is timed.
Result<MoveTimes> time_moves(const Environment& environment, std::span<const QuestionRecord> questions, Timed what);

}  // namespace harnessg::bench
