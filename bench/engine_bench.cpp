#include <chrono>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include "bench/figure.h"
#include "bench/known_queries.h"
#include "bench/workload.h"
#include "data/minilm.h"

namespace {
using namespace harnessg;

template <class Value>
Value value_or_exit(Result<Value> result) {
  if (!result) {
    fmt::print(stderr, "engine_bench: {}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const auto index = value_or_exit(Index::open(argv[1]));
  auto questions = value_or_exit(read_questions(argv[2]));
  const std::size_t n = std::strtoull(argv[3], nullptr, 10);
  questions.resize(std::min(questions.size(), n));
  std::shared_ptr<bench::KnownQueries> embedder;
  if (index->vectors() != nullptr) {
    embedder = std::make_shared<bench::KnownQueries>(value_or_exit(MiniLm::load(argv[5])));
    if (!embedder->load(argv[4])) return 1;
    const auto environment = value_or_exit(Environment::create(index, {}, embedder));
    value_or_exit(bench::run_workload(*environment, questions, {}));
    if (!embedder->save(argv[4])) return 1;
    fmt::print("encoded {}\n", embedder->asked_of_model());
  }
  for (const bool previews : {true, false}) {
    const auto environment = value_or_exit(Environment::create(index, {}, embedder));
    const auto begin = std::chrono::steady_clock::now();
    bench::WorkloadOptions options;
    options.previews = previews;
    const auto counts = value_or_exit(bench::run_workload(*environment, questions, options));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("previews {} episodes {} steps {} menus {} previews {} check {:x}: {:.3f} s, {:.0f} steps/s\n", previews,
               counts.episodes, counts.steps, counts.previewed_menus, counts.previews, counts.check, seconds,
               static_cast<double>(counts.steps) / seconds);
  }
}
