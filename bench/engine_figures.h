// The engine's figures, by subject. Each function measures on the calling thread, prints its figures (figure.h) and
// gives the engine's error where something failed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "bench/known_queries.h"
#include "data/index.h"
#include "data/questions.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

// What is measured. Query vectors are at hand: `embedder` knows every text that the questions' rollouts ask for.
struct Setup {
  std::shared_ptr<const Index> index;
  std::vector<QuestionRecord> questions;
  std::shared_ptr<const KnownQueries> embedder;  // null: the index has no vectors
  EnvironmentOptions options;
};

// Without anything remembered.
Result<std::unique_ptr<Environment>> fresh_environment(const Setup& setup);
std::vector<std::string> texts_of(std::span<const QuestionRecord> questions);

// Time and memory of opening. Memory is what the process grows by: to be called before anything else was opened.
Status print_open(const std::filesystem::path& index);
// First views: cold, one by one and 64 together, each beside BLAS on the same matrices; and seen before.
Status print_first_views(const Setup& setup);
// Select, Lookup and previews of whole menus, never seen before and remembered.
Status print_moves(const Setup& setup);
// Episodes as values: clone, save, restore, observation text.
Status print_episodes(const Setup& setup);
// Workload W with and without previews, and once more where all of it was seen before.
Status print_workload(const Setup& setup);
// The pool with two threads against one.
Status print_threads(const Setup& setup);
// Profile `default`: texts encoded after reset, and workload W.
Status print_default_profile(const Setup& setup);
// Memory over `steps` random steps, no two rollouts alike, where only so many questions are kept that each pass drops
// and makes all of them again.
Status print_constant_memory(const Setup& setup, std::uint64_t steps);

}  // namespace harnessg::bench
