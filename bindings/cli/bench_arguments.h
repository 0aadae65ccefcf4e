// What `harnessg bench` can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/benchmark.h"
#include "credit/models/scorer_choice.h"

namespace CLI {
class App;
}

namespace harnessg {

struct BenchArguments {
  std::string index;
  std::string questions;
  std::string format = "auto";
  std::optional<std::string> aliases;
  std::size_t skip = 0;
  std::size_t limit = 0;
  std::string out;

  std::string profile = "default";
  std::vector<std::string> settings;
  std::optional<std::string> scoring;
  std::optional<std::string> embedder;
  std::string embedder_folder;

  std::vector<std::string> policies{"random", "first-lookup", "lexical-greedy", "greedy-oracle"};
  std::vector<std::string> arms{"menu"};
  std::vector<std::string> retrievers;  // none: all that the index can be asked by
  std::vector<std::string> traces;      // NAME=FILE
  std::vector<std::size_t> depths{5, 20};
  std::uint32_t rollouts = 4;
  std::uint64_t seed = 0;
  unsigned threads = 0;
  bool no_reach = false;
  bool no_selected = false;
  bool no_reasons = false;
  bool no_retrieval = false;
  bool record = false;
  bool quiet = false;

  std::string scorer = "lexical";
  bench::ModelOptions model;
  std::string api_key_env;
  std::string api = "chat";
  bool free_ids = false;
  double timeout_seconds = 120;
};

void add_bench_options(CLI::App& command, BenchArguments& arguments);

// The options of the benchmark; what needs an open index is left to the caller. kInvalidArgument naming what is wrong.
Result<bench::BenchmarkOptions> benchmark_options(const BenchArguments& arguments, const Index& index);
Result<bench::ModelOptions> model_options(const BenchArguments& arguments);

}  // namespace harnessg
