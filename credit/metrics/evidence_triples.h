// Evidence triples as 2Wiki evaluates them. Pure and thread-safe.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "credit/metrics/part_score.h"
#include "credit/metrics/supporting_facts.h"

namespace harnessg::metrics {

struct Triple {
  std::string subject;
  std::string relation;
  std::string object;
  std::string unreadable;  // as Fact::unreadable

  friend auto operator<=>(const Triple&, const Triple&) = default;
};

struct GoldTriple {
  Triple triple;
  std::string subject_id;  // Wikidata ids, "" where the file has none
  std::string object_id;

  friend bool operator==(const GoldTriple&, const GoldTriple&) = default;
};

// Other names of a Wikidata id; a demonym is one.
using Aliases = std::map<std::string, std::vector<std::string>, std::less<>>;

// Script v1.0: sets of triples; parts compare in lower case, without ASCII punctuation, white space folded.
PartScore triples_v1_0(std::span<const Triple> given, std::span<const GoldTriple> gold);

// Script v1.1: subject and object may also be an alias of their ids; relations have none. A given triple finds at most
// one gold triple and the other way round, as many as can be (bipartite matching); given triples that name only gold
// ones already found count neither way. kAsPublished: every given triple that fits some gold triple is right, and gold
// triples count as often as the file names them; then recall and F1 can be above 1 and EM can be 1 for a triple that
// was never named.
PartScore triples_v1_1(std::span<const Triple> given, std::span<const GoldTriple> gold, const Aliases& aliases,
                       Counting counting = Counting::kDistinct);

}  // namespace harnessg::metrics
