// Which step made which later step possible: the provenance graph of an episode (spec 2, section 3).
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace harnessg {

// An action of the policy counts: Select, AnswerWith, Lookup and Answer are nodes; the first view and blocked turns are
// not. Nodes are numbered 0 .. size-1 in the order of play.
class Provenance {
 public:
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

  // Edge t -> u exactly when u consumed a sentence, or used an entity, whose latest producer before u is t. A step
  // produces the sentence it chose (Select, AnswerWith) or its new sentences (Lookup), and its produced entities. No
  // edge is repeated; there are no transitive shortcuts.
  explicit Provenance(const Trace& trace);

  std::size_t size() const { return steps_.size(); }
  // Node -> position in trace.steps, ascending.
  std::span<const std::size_t> steps() const { return steps_; }
  const Graph& graph() const { return graph_; }

  // Predecessors of a node, ascending.
  std::vector<std::size_t> predecessors(std::size_t node) const;
  // Edges (t, u) as nodes, by t, then u.
  std::vector<std::pair<std::size_t, std::size_t>> edges() const;
  // All nodes, each after every node it leads to: boost::topological_sort, reversed.
  std::vector<std::size_t> backwards() const;

  // The control: every node keeps its number of predecessors, which are drawn anew, each set of earlier nodes as likely
  // as any other. Same graph and seed, same result on any machine.
  Provenance shuffled(std::uint64_t seed) const;

  // The members of `coalition` (bit n = node n) all of whose predecessors are members as well, and theirs.
  // Precondition: size() <= 32.
  std::uint32_t supported(std::uint32_t coalition) const;

 private:
  Provenance() = default;
  void link(std::vector<std::size_t> predecessors, std::size_t node);

  std::vector<std::size_t> steps_;
  Graph graph_;
};

// The sentences a step put at the disposal of later ones; spec 2, section 3.
std::span<const SentenceId> produced_sentences(const TraceStep& step);

// True for the steps that are nodes.
bool has_credit(Event event);

}  // namespace harnessg
