// The figures of the episodes that one player played on one question.
#pragma once

#include <map>
#include <span>
#include <string>

#include "bench/collapse.h"
#include "bench/datasets.h"
#include "bench/reach_study.h"
#include "data/graph.h"

namespace harnessg::bench {

struct AskedQuestion {
  const Graph& graph;
  DatasetKind kind;
  const DatasetQuestion& question;
  const QuestionGold& gold;
  std::span<const ParagraphId> paragraphs;  // gold ones that the corpus has
};

// Adds means over the rollouts as "play/<player>/<figure>", and, of several rollouts, "collapse/<player>/<figure>".
void add_episode_figures(const AskedQuestion& asked, const std::string& player, std::span<const Played> rollouts,
                         std::map<std::string, double>& values);

}  // namespace harnessg::bench
