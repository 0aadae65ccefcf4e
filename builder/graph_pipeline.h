// From the intake to the graph's tables, on all threads.
#pragma once

#include "builder/intake.h"
#include "builder/progress.h"
#include "data/graph.h"
#include "data/result.h"

namespace harnessg {

enum class MentionSource : std::uint8_t { kRules, kRows };

// Reads paragraphs one after another, splits them into sentences and finds their mentions (by the built-in rules, or
// places the given rows) in parallel, and registers them in corpus order; so the tables do not depend on the threads.
// A bounded number of batches is in flight. The tables have no synonyms yet. Runs on the caller's oneTBB arena of
// `threads` threads. Reports the first error in corpus order.
Result<GraphTables> run_graph_pipeline(Intake& intake, MentionSource source, bool title_gazetteer, unsigned threads,
                                       ProgressMeter& meter);

}  // namespace harnessg
