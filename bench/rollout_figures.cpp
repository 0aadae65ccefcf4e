#include <algorithm>

#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/measure.h"
#include "bench/workload.h"
#include "menu/config.h"

namespace harnessg::bench {
namespace {

constexpr int kRepetitions = 5;
constexpr int kDefaultRepetitions = 2;
constexpr double kReferencePreviewed = 980;
constexpr double kReference = 1211;
// Questions kept while memory is watched: so few that every pass drops and makes all of them again.
constexpr std::size_t kQuestionsKept = 128;
constexpr double kGrowth = 1.02;

struct Runs {
  Samples thread;
  Samples wall;
  WorkloadCounts counts;

  double rate() const { return static_cast<double>(counts.steps) / thread.median(); }
};

Status run_once(const Environment& environment, const Setup& setup, const WorkloadOptions& options, Runs& runs) {
  const double wall = wall_seconds();
  const double thread = thread_seconds();
  HARNESSG_ASSIGN(const WorkloadCounts counts, run_workload(environment, setup.questions, options));
  runs.thread.add(thread_seconds() - thread);
  runs.wall.add(wall_seconds() - wall);
  if (runs.counts.episodes > 0 && runs.counts.check != counts.check)
    return fail(ErrorCode::kInternal, "two runs of the same rollouts showed different things");
  runs.counts = counts;
  return {};
}

nlohmann::ordered_json details_of(const Runs& runs, const Setup& setup) {
  const auto steps = static_cast<double>(runs.counts.steps);
  return {{"slowest", rounded(steps / runs.thread.quantile(1))},
          {"fastest", rounded(steps / runs.thread.quantile(0))},
          {"by_wall_clock", rounded(steps / runs.wall.median())},
          {"clock", "thread"},
          {"repetitions", runs.thread.size()},
          {"questions", setup.questions.size()},
          {"episodes", runs.counts.episodes},
          {"steps", runs.counts.steps},
          {"previewed_menus", runs.counts.previewed_menus},
          {"previews", runs.counts.previews},
          {"profile", setup.options.config.profile},
          {"recogniser", setup.index->manifest().recogniser}};
}

void print_workload_figure(const char* name, const Runs& runs, const Setup& setup, double target, double reference) {
  const double value = rounded(runs.rate());
  nlohmann::ordered_json details{{"limit", reference},
                                 {"limit_is", "the published Python reference, spaCy entities"},
                                 {"ratio", rounded(value / reference)},
                                 {"caches", "empty at the start; query vectors at hand"}};
  details.update(details_of(runs, setup));
  print_figure(name, value, "steps/s", fmt::format(">= {}", target), value >= target, details);
}

// An embedder that counts what it is asked for.
class Counted final : public Embedder {
 public:
  explicit Counted(const Embedder& embedder) : embedder_(embedder) {}
  const EmbedderInfo& info() const override { return embedder_.info(); }
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override {
    texts_ += texts.size();
    return embedder_.embed_passages(texts);
  }
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override {
    texts_ += texts.size();
    return embedder_.embed_queries(texts);
  }
  std::uint64_t texts() const { return texts_; }

 private:
  const Embedder& embedder_;
  mutable std::uint64_t texts_ = 0;
};

// Workload W under profile `default`; it has no target of its own.
Status print_default_workload(const Setup& setup, std::shared_ptr<const Embedder> embedder) {
  Setup other = setup;
  HARNESSG_ASSIGN(other.options.config, profile("default"));
  for (const bool previews : {true, false}) {
    Runs runs;
    for (int i = 0; i < kDefaultRepetitions; ++i) {
      HARNESSG_ASSIGN(const auto environment, Environment::create(other.index, other.options, embedder));
      WorkloadOptions options;
      options.previews = previews;
      HARNESSG_RETURN_IF_ERROR(run_once(*environment, other, options, runs));
    }
    nlohmann::ordered_json details = details_of(runs, other);
    details["caches"] = "empty at the start; query vectors at hand";
    print_figure(previews ? "steps_per_second_previewed_default" : "steps_per_second_default", rounded(runs.rate()),
                 "steps/s", "-", true, details);
  }
  return {};
}

}  // namespace

Status print_workload(const Setup& setup) {
  Runs previewed;
  Runs plain;
  for (int i = 0; i < kRepetitions; ++i) {
    for (const bool previews : {true, false}) {
      HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
      WorkloadOptions options;
      options.previews = previews;
      HARNESSG_RETURN_IF_ERROR(run_once(*environment, setup, options, previews ? previewed : plain));
    }
  }
  print_workload_figure("steps_per_second_previewed", previewed, setup, 25'000, kReferencePreviewed);
  print_workload_figure("steps_per_second", plain, setup, 40'000, kReference);

  WorkloadOptions options;
  options.previews = false;
  HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
  HARNESSG_RETURN_IF_ERROR(run_workload(*environment, setup.questions, options));
  Runs seen;
  for (int i = 0; i < kRepetitions; ++i) HARNESSG_RETURN_IF_ERROR(run_once(*environment, setup, options, seen));
  const double value = rounded(seen.rate());
  nlohmann::ordered_json details = details_of(seen, setup);
  details["caches"] = "the same rollouts were taken before; first views are steps too";
  print_figure("steps_per_second_seen_before", value, "steps/s", ">= 500000", value >= 500'000, details);
  return {};
}

Status print_default_profile(const Setup& setup) {
  const auto counted = std::make_shared<Counted>(*setup.embedder);
  Setup other = setup;
  HARNESSG_ASSIGN(other.options.config, profile("default"));
  HARNESSG_ASSIGN(const auto environment, Environment::create(other.index, other.options, counted));
  HARNESSG_RETURN_IF_ERROR(environment->make_ready(texts_of(setup.questions)));
  const std::uint64_t at_reset = counted->texts();
  HARNESSG_ASSIGN(const WorkloadCounts counts, run_workload(*environment, setup.questions, {}));
  const std::uint64_t later = counted->texts() - at_reset;
  print_figure("texts_encoded_after_reset_default", later, "texts", "0", later == 0,
               {{"texts_encoded_for_reset", at_reset},
                {"steps", counts.steps},
                {"previews", counts.previews},
                {"profile", "default"}});
  return print_default_workload(setup, setup.embedder);
}

Status print_constant_memory(const Setup& setup, std::uint64_t steps) {
  EnvironmentOptions kept = setup.options;
  kept.config.compose_query = 1;
  kept.question_cache = kQuestionsKept;
  HARNESSG_ASSIGN(const auto environment, Environment::create(setup.index, kept, setup.embedder));
  WorkloadOptions options;
  options.previews = false;
  std::uint64_t taken = 0;
  std::uint64_t start = 0;
  std::uint64_t most = 0;
  const double begin = thread_seconds();
  while (taken < steps) {
    HARNESSG_ASSIGN(const WorkloadCounts counts, run_workload(*environment, setup.questions, options));
    taken += counts.steps;
    ++options.seed;
    if (start == 0 && taken >= steps / 10) start = resident_bytes();
    most = std::max(most, resident_bytes());
  }
  const std::uint64_t end = resident_bytes();
  const double growth = rounded(static_cast<double>(end) / static_cast<double>(start));
  const auto megabytes = [](std::uint64_t bytes) { return rounded(static_cast<double>(bytes) / 1e6); };
  print_figure("resident_memory_growth", growth, "x", fmt::format("<= {}", kGrowth), growth <= kGrowth,
               {{"steps", taken},
                {"resident_start_mb", megabytes(start)},
                {"resident_end_mb", megabytes(end)},
                {"resident_most_mb", megabytes(most)},
                {"start", "after a tenth of the steps"},
                {"remembered_mb", megabytes(environment->remembered_bytes())},
                {"questions_kept", kQuestionsKept},
                {"steps_per_second", rounded(static_cast<double>(taken) / (thread_seconds() - begin))},
                {"profile", "released, with compose_query=1: new rollouts ask for no new query vectors"}});
  return {};
}

}  // namespace harnessg::bench
