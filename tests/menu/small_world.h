// A hand-made graph of three paragraphs with vectors whose dot products are easy to follow.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "data/graph.h"
#include "data/relevance.h"
#include "menu/menu.h"

namespace harnessg {

// paragraph 0 "Ada":    s0 {ada, london}  s1 {ada, engine}
// paragraph 1 "London": s2 {london, thames}
// paragraph 2 "Engine": s3 {engine, french}  s4 {thames}
// entities: 0 ada, 1 london, 2 engine, 3 thames, 4 french (an adjective), and "ada" ~ "engine" synonyms where asked.
class SmallWorld {
 public:
  // One score a sentence: the query is the first unit vector, row s is (score, sqrt(1 - score^2)).
  explicit SmallWorld(std::array<float, 5> sentence_scores, bool synonyms = false);

  World world() const { return {*graph_, *relevance_, config}; }
  Query query() const { return {{1, 0}, {}}; }

  Config config;

 private:
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<NodeVectors> vectors_;
  std::unique_ptr<Relevance> relevance_;
};

}  // namespace harnessg
