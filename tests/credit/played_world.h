// Small worlds in memory, scored lexically, to play in.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/environment.h"
#include "tests/data/small_index.h"

namespace harnessg {

inline std::unique_ptr<Environment> world_of(GraphTables tables, std::uint32_t turn_budget) {
  EnvironmentOptions options;
  options.config.turn_budget = turn_budget;
  auto index = Index::in_memory(content_of(std::move(tables), 0), small_manifest(0));
  auto environment = Environment::create(std::move(index), std::move(options), nullptr);
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

// One paragraph of two sentences without entities: the first view shows both, and there is nothing to look up.
inline std::unique_ptr<Environment> two_sentences(std::uint32_t turn_budget) {
  GraphPlan plan;
  plan.paragraphs = {{"River", 0xFFFFFFFFu, {{"The river is the Thames.", {}}, {"The river is long and old.", {}}}}};
  return world_of(planned_tables(plan), turn_budget);
}

inline Trace play(const Environment& environment, const Task& task, const std::vector<std::string>& actions) {
  auto episode = environment.reset(task);
  REQUIRE_MESSAGE(episode.has_value(), episode.error().message);
  for (const std::string& action : actions) REQUIRE(environment.step(*episode, std::string_view(action)).has_value());
  return environment.trace(*episode, /*with_frontier=*/true).value();
}

}  // namespace harnessg
