#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/measure.h"
#include "data/splitmix.h"
#include "engine/pool.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kQuestions = 64;  // in the pool at a time
constexpr std::size_t kRollouts = 8;
constexpr std::size_t kReadyTogether = 16;
constexpr int kRepetitions = 9;
constexpr double kTarget = 1.8;

// First views of the questions, on the threads given.
Status make_ready(const Environment& environment, const std::vector<std::string>& texts, unsigned threads) {
  tbb::task_arena arena(static_cast<int>(threads));
  const std::size_t parts = (texts.size() + kReadyTogether - 1) / kReadyTogether;
  std::vector<Status> done(parts);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
      const std::size_t begin = part * kReadyTogether;
      done[part] =
          environment.make_ready(std::span(texts).subspan(begin, std::min(kReadyTogether, texts.size() - begin)));
    });
  });
  for (Status& status : done) HARNESSG_RETURN_IF_ERROR(std::move(status));
  return {};
}

// Workload W for the questions of one pool: everything but the draws on the pool's threads.
Result<std::uint64_t> play(EpisodePool& pool, std::span<const QuestionRecord> questions, std::uint64_t first) {
  std::vector<Task> tasks;
  std::vector<SplitMix> bits;
  for (std::size_t slot = 0; slot < pool.size(); ++slot) {
    const QuestionRecord& question = questions[slot / kRollouts];
    const std::uint64_t seed = SplitMix::at(0, first + slot);
    tasks.push_back({question.question, question.answers, question.id, seed});
    bits.emplace_back(seed);
  }
  HARNESSG_RETURN_IF_ERROR(pool.reset(tasks));
  std::uint64_t steps = pool.size();
  for (int turn = 0; turn < 5; ++turn) {
    HARNESSG_RETURN_IF_ERROR(pool.preview_all());
    std::vector<std::size_t> positions(pool.size(), 0);
    for (std::size_t slot = 0; slot < pool.size(); ++slot) {
      const std::size_t actions = pool.episode(slot)->menu().size();
      if (actions == 0) continue;
      positions[slot] = bits[slot].next() % actions;
      ++steps;
    }
    HARNESSG_ASSIGN(const auto results, pool.step(positions));
    for (const SlotResult& result : results) {
      if (result.event == SlotEvent::kFailed) return tl::unexpected<Error>(result.error);
    }
  }
  return steps;
}

struct PoolRun {
  double wall = 0;
  double cores = 0;   // core seconds of the whole process
  double waited = 0;  // of those that its threads could have had
  std::uint64_t steps = 0;

  // What it would have taken with the machine to itself: two threads that wait for a core lose half of the wait each.
  double undisturbed(unsigned threads) const { return wall - waited / threads; }
};

Result<PoolRun> run(const Setup& setup, unsigned threads) {
  HARNESSG_ASSIGN(auto made, fresh_environment(setup));
  const std::shared_ptr<const Environment> environment = std::move(made);
  const std::span<const QuestionRecord> all(setup.questions);
  PoolRun run;
  const double wall = wall_seconds();
  const double cores = process_seconds();
  const double waited = waited_seconds();
  for (std::size_t begin = 0; begin + kQuestions <= all.size(); begin += kQuestions) {
    const auto questions = all.subspan(begin, kQuestions);
    HARNESSG_RETURN_IF_ERROR(make_ready(*environment, texts_of(questions), threads));
    HARNESSG_ASSIGN(const auto pool,
                    EpisodePool::create(environment, {kQuestions * kRollouts, threads, WhenOver::kSkip}));
    HARNESSG_ASSIGN(const std::uint64_t steps, play(*pool, questions, begin * kRollouts));
    run.steps += steps;
  }
  run.wall = wall_seconds() - wall;
  run.cores = process_seconds() - cores;
  run.waited = waited_seconds() - waited;
  return run;
}

// The median of the runs' ratios.
double ratio_of(const std::vector<PoolRun>& one, const std::vector<PoolRun>& two) {
  Samples ratios;
  for (std::size_t i = 0; i < one.size(); ++i) ratios.add(one[i].undisturbed(1) / two[i].undisturbed(2));
  return rounded(ratios.median());
}

PoolRun best_of(const std::vector<PoolRun>& runs) { return *std::ranges::min_element(runs, {}, &PoolRun::wall); }

}  // namespace

Status print_threads(const Setup& setup) {
  if (setup.questions.size() < kQuestions) {
    return fail(ErrorCode::kInvalidArgument, "the pool is measured with at least {} questions, {} are given",
                kQuestions, setup.questions.size());
  }
  std::vector<PoolRun> one;
  std::vector<PoolRun> two;
  for (int i = 0; i < kRepetitions; ++i) {
    HARNESSG_ASSIGN(one.emplace_back(), run(setup, 1));
    HARNESSG_ASSIGN(two.emplace_back(), run(setup, 2));
  }
  const PoolRun alone = best_of(one);
  const PoolRun both = best_of(two);
  const auto rate = [](const PoolRun& run) { return rounded(static_cast<double>(run.steps) / run.wall); };
  const double ratio = ratio_of(one, two);
  print_figure("pool_two_threads_against_one", ratio, "x", fmt::format(">= {}", kTarget), ratio >= kTarget,
               {{"limit", 2},
                {"limit_is", "two cores"},
                {"clock", "wall, less what the threads waited for a core that others had"},
                {"ratio_by_wall_clock", rounded(alone.wall / both.wall)},
                {"steps_per_second_one_thread", rate(alone)},
                {"steps_per_second_two_threads", rate(both)},
                // 1 and 2 on a machine that does nothing else.
                {"cores_had_by_one_thread", rounded(alone.cores / alone.wall)},
                {"cores_had_by_two_threads", rounded(both.cores / both.wall)},
                {"core_seconds_two_to_one", rounded(both.cores / alone.cores)},
                {"repetitions", kRepetitions},
                {"pool", kQuestions * kRollouts},
                {"work", "workload W with previews"}});
  return {};
}

}  // namespace harnessg::bench
