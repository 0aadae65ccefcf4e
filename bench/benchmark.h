// The benchmark: everything that is measured of one question, as named figures, over the questions of a data set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/datasets.h"
#include "bench/player.h"
#include "bench/row.h"
#include "data/embedder.h"
#include "data/index.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

// Traces of episodes that were played elsewhere, such as by a checkpoint of a model in training.
struct RecordedTraces {
  std::string name;
  std::filesystem::path file;
};

struct BenchmarkOptions {
  std::vector<std::string> policies{"random", "first-lookup", "lexical-greedy", "greedy-oracle"};
  std::vector<Arm> arms{Arm::kMenu};
  std::vector<RecordedTraces> recorded;
  std::vector<std::string> retrievers;  // none: retrieval is left out
  std::vector<std::size_t> depths{5, 20};
  bool reach = true;
  bool selected = true;        // of reach
  bool reasons = true;         // of reach
  std::uint32_t rollouts = 4;  // of players that draw; the others play once
  std::uint64_t seed = 0;
  unsigned threads = 0;  // questions in work at a time, 0: as many as the machine has
  // Every episode's trace as one line, in any order, by one thread at a time; may be empty.
  std::function<Status(const std::string& line)> record;
};

// What a benchmark runs on. `embedder` encodes queries; null where neither environment nor
// retrieval asks for vectors.
struct BenchmarkWorld {
  std::shared_ptr<const Index> index;
  std::shared_ptr<const Embedder> embedder;
  std::shared_ptr<const Environment> environment;
  std::shared_ptr<const Scorer> scorer;  // of preview-greedy
  ModelOptions model;
};

// Const and thread-safe once made.
class Benchmark {
 public:
  // kInvalidArgument: a policy, arm or retriever that does not exist or cannot be here; kWrongIndex: a trace of another
  // index; errors of trace files and model servers.
  static Result<Benchmark> create(const BenchmarkWorld& world, DatasetKind kind, BenchmarkOptions options);

  // (arm, name) of everything that plays, recorded traces last, in the order of the options.
  const std::vector<std::pair<std::string, std::string>>& players() const;

  // The figures of one question; `number` is its place in the file.
  Result<Row> measure(const DatasetQuestion& question, std::size_t number) const;

  // All questions but those that `is_done` says are done; each row is given to `take`, by one thread at a time, as it
  // is finished. The first error stops it.
  Status run(const std::vector<DatasetQuestion>& questions, const std::function<bool(std::size_t)>& is_done,
             const std::function<Status(const Row&)>& take) const;

 private:
  struct Impl;
  explicit Benchmark(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace harnessg::bench
