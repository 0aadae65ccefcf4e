// What an episode says on its question, as the official scripts take it. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "data/graph.h"
#include "data/ids.h"
#include "data/result.h"
#include "engine/trace.h"

namespace harnessg::metrics {

// For HotpotQA and 2Wiki: the episode's answer where it has one, its selected sentences as supporting facts under the
// titles of the index, no triples. kBadInput where the trace does not name a sentence it selected.
Result<Prediction> prediction_of(const Trace& trace);

// For MuSiQue: the paragraphs of the selected sentences under the index's numbers, to be compared with
// gold_support(ResolvedFacts::paragraphs).
Support selected_support(const Graph& graph, std::span<const SentenceId> selected);
std::set<std::int64_t> gold_support(std::span<const ParagraphId> paragraphs);

}  // namespace harnessg::metrics
