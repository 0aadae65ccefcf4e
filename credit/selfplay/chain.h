// What a task is about: sentences of the graph along the entities that join them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "data/graph.h"
#include "data/splitmix.h"

namespace harnessg::selfplay {

// Sentences joined by entities: sentences[i] and sentences[i + 1] both mention links[i]. No entity links twice.
struct Chain {
  std::vector<SentenceId> sentences;
  std::vector<EntityId> links;
};

// Starts in the paragraph and joins up to `hops` more sentences, each of another paragraph: of `retrieved` where one
// mentions an entity of the last, else any of the graph. Shorter where it leads no further; no links: no task.
Chain draw_chain(const Graph& graph, ParagraphId source, std::span<const SentenceId> retrieved, std::size_t hops,
                 SplitMix& bits);

// What the writers of task and rubric read: <from> and <to> titles, <link> names, <fact> sentences.
std::string chain_text(const Graph& graph, const Chain& chain);

}  // namespace harnessg::selfplay
