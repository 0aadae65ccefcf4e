// Whether the rollouts of a question differ in what they retrieved: retrieval-equivalence classes and what follows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "data/ids.h"
#include "engine/trace.h"

namespace harnessg::bench {

// Sets of at least this overlap (Jaccard) count as alike in the coarser of the two partitions.
inline constexpr double kAlike = 0.8;

// What is measured of an episode, of any arm.
struct Played {
  std::vector<SentenceId> seen;      // in order of first sight
  std::vector<SentenceId> selected;  // in order of selection
  std::string form;                  // what was done turn by turn: actions by target, or the queries as written
  std::string answer;                // "" where none was given
  bool answered = false;
  std::size_t turns = 0;
  std::size_t blocked = 0;    // turns
  std::size_t lookups = 0;    // lookups and queries
  std::size_t with_news = 0;  // of those, such as showed an unseen sentence
  std::size_t repeated = 0;   // of those, such as asked what an earlier one of the episode did
};
Played played_of(const Trace& trace);

struct GroupCollapse {
  std::size_t classes = 0;        // different sets of seen sentences
  std::size_t classes_alike = 0;  // components of sets that are linked by a Jaccard overlap of kAlike or more
  double query_forms = 0;         // different action sequences (query sequences) / rollouts
};
// Of rollouts of one question; not empty.
GroupCollapse group_collapse(std::span<const Played> rollouts);

// Whether rewards are all equal (population deviation below 1e-6), so that no rollout of the group has an advantage.
bool zero_advantage(std::span<const double> rewards);

}  // namespace harnessg::bench
