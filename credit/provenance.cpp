#include "credit/provenance.h"

#include <algorithm>
#include <boost/graph/topological_sort.hpp>
#include <iterator>
#include <unordered_map>

#include "data/splitmix.h"

namespace harnessg {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // In [0, bound), every value as likely as any other.
  std::size_t below(std::uint64_t bound) {
    const std::uint64_t skew = (0 - bound) % bound;  // 2^64 mod bound: the values drawn again
    for (;;) {
      if (const std::uint64_t value = bits_.next(); value >= skew) return static_cast<std::size_t>(value % bound);
    }
  }

 private:
  SplitMix bits_;
};

// Node that produced an id last.
class Producers {
 public:
  template <class Id>
  void look_up(std::span<const Id> ids, std::vector<std::size_t>& nodes) const {
    for (const Id id : ids) {
      if (const auto at = node_.find(index(id)); at != node_.end()) nodes.push_back(at->second);
    }
  }
  template <class Id>
  void add(std::span<const Id> ids, std::size_t node) {
    for (const Id id : ids) node_[index(id)] = node;
  }

 private:
  std::unordered_map<std::uint32_t, std::size_t> node_;
};

}  // namespace

std::span<const SentenceId> produced_sentences(const TraceStep& step) {
  return step.event == Event::kLookup ? step.outcome.new_sentences : step.outcome.sentences;
}

bool has_credit(Event event) { return event != Event::kInit && event != Event::kInvalid; }

Provenance::Provenance(const Trace& trace) {
  Producers sentences;
  Producers entities;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (!has_credit(step.event)) continue;
    const std::size_t node = boost::add_vertex(graph_);
    steps_.push_back(i);
    std::vector<std::size_t> predecessors;
    sentences.look_up<SentenceId>(step.outcome.consumed_sentences, predecessors);
    entities.look_up<EntityId>(step.outcome.used_entities, predecessors);
    link(std::move(predecessors), node);
    sentences.add<SentenceId>(produced_sentences(step), node);
    entities.add<EntityId>(step.outcome.produced_entities, node);
  }
}

void Provenance::link(std::vector<std::size_t> predecessors, std::size_t node) {
  std::sort(predecessors.begin(), predecessors.end());
  predecessors.erase(std::unique(predecessors.begin(), predecessors.end()), predecessors.end());
  for (const std::size_t t : predecessors) boost::add_edge(t, node, graph_);
}

std::vector<std::size_t> Provenance::predecessors(std::size_t node) const {
  std::vector<std::size_t> result;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(node, graph_)))
    result.push_back(boost::source(edge, graph_));
  return result;
}

std::vector<std::pair<std::size_t, std::size_t>> Provenance::edges() const {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph_))) {
    result.emplace_back(boost::source(edge, graph_), boost::target(edge, graph_));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::size_t> Provenance::backwards() const {
  std::vector<std::size_t> order;
  order.reserve(size());
  boost::topological_sort(graph_, std::back_inserter(order));
  return order;
}

Provenance Provenance::shuffled(std::uint64_t seed) const {
  Provenance result;
  result.steps_ = steps_;
  result.graph_ = Graph(size());
  Random random(seed);
  std::vector<std::size_t> earlier;
  for (std::size_t node = 0; node < size(); ++node) {
    const std::size_t wanted = boost::in_degree(node, graph_);
    std::vector<std::size_t> drawn = earlier;
    for (std::size_t i = 0; i < wanted; ++i) std::swap(drawn[i], drawn[i + random.below(drawn.size() - i)]);
    drawn.resize(wanted);
    result.link(std::move(drawn), node);
    earlier.push_back(node);
  }
  return result;
}

std::uint32_t Provenance::supported(std::uint32_t coalition) const {
  std::uint32_t result = 0;
  for (std::size_t node = 0; node < size(); ++node) {
    const auto bit = [](std::size_t n) { return std::uint32_t{1} << n; };
    if ((coalition & bit(node)) == 0) continue;
    const auto in = boost::make_iterator_range(boost::in_edges(node, graph_));
    if (std::all_of(in.begin(), in.end(),
                    [&](const auto& e) { return (result & bit(boost::source(e, graph_))) != 0; })) {
      result |= bit(node);
    }
  }
  return result;
}

}  // namespace harnessg
