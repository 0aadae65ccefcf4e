#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/limits.h"
#include "bench/measure.h"
#include "bench/moves.h"
#include "data/splitmix.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kEpisodes = 1000;
constexpr int kLoops = 20;
constexpr std::uint64_t kRolloutsOfW = 8;

// What is remembered when walks are timed. Targets are those of a warm engine.
struct Memory {
  const char* name;
  const char* caches;
  std::size_t memory_bytes;  // of questions
  bool warm;                 // after the same walks
};
constexpr std::size_t kNoRoom = 0;
constexpr std::size_t kRoom = EnvironmentOptions().memory_bytes;
constexpr Memory kMemories[] = {
    {"first_time", "empty, those of entities too; first views and query vectors at hand", kRoom, false},
    {"warm", "empty but for what is known of entities; first views and query vectors at hand", kNoRoom, true},
    {"remembered", "the same walks were taken before", kRoom, true}};

struct Asked {
  const char* name;
  double share;  // which quantile
  double target;
};

void print_microseconds(const Asked& asked, const Memory& memory, const Samples& samples, const Samples& dots) {
  const auto& [name, share, target] = asked;
  const double value = rounded(samples.quantile(share) * 1e6);
  nlohmann::ordered_json details{{"limit", rounded(dots.quantile(share) * 1e6)},
                                 {"limit_is", "dot products over the candidates, blocked, us"},
                                 {"spread", spread(samples, 1e6)},
                                 {"clock", "thread"},
                                 {"caches", memory.caches}};
  if (dots.size() == 0) {
    details.erase("limit");
    details.erase("limit_is");
  }
  const std::string full_name = fmt::format("{}_{}", name, memory.name);
  if (!memory.warm) return print_figure(full_name, value, "us", "-", true, details);
  print_figure(full_name, value, "us", fmt::format("<= {}", target), value <= target, details);
}

Status print_moves_with(const Setup& setup, const Memory& memory) {
  Setup with = setup;
  with.options.memory_bytes = memory.memory_bytes;
  HARNESSG_ASSIGN(const auto stepped, fresh_environment(with));
  HARNESSG_ASSIGN(const auto previewed, fresh_environment(with));
  if (memory.warm) {
    HARNESSG_RETURN_IF_ERROR(time_moves(*stepped, setup.questions, Timed::kSteps));
    HARNESSG_RETURN_IF_ERROR(time_moves(*previewed, setup.questions, Timed::kPreviews));
  }
  HARNESSG_ASSIGN(const MoveTimes steps, time_moves(*stepped, setup.questions, Timed::kSteps));
  HARNESSG_ASSIGN(const MoveTimes previews, time_moves(*previewed, setup.questions, Timed::kPreviews));
  print_microseconds({"select_median", 0.5, 10}, memory, steps.select, {});
  print_microseconds({"lookup_median", 0.5, 20}, memory, steps.lookup, steps.lookup_dots);
  print_microseconds({"preview_menu_median", 0.5, 20}, memory, previews.preview, previews.preview_dots);
  print_microseconds({"preview_menu_p99", 0.99, 200}, memory, previews.preview, previews.preview_dots);
  return {};
}

// Episodes at the start and in the middle of their first rollouts in workload W: none to three actions in.
Result<std::vector<Episode>> some_episodes(const Environment& environment, const Setup& setup) {
  std::vector<Episode> episodes;
  for (std::size_t i = 0; i < kEpisodes; ++i) {
    const std::size_t number = i % setup.questions.size();
    const QuestionRecord& question = setup.questions[number];
    const std::uint64_t seed = SplitMix::at(0, number * kRolloutsOfW);
    SplitMix bits(seed);
    HARNESSG_ASSIGN(Episode episode, environment.reset({question.question, question.answers, question.id, seed}));
    for (std::size_t taken = 0; taken < i % 4 && !episode.over(); ++taken)
      HARNESSG_RETURN_IF_ERROR(environment.step(episode, bits.next() % episode.menu().size()));
    episodes.push_back(std::move(episode));
  }
  return episodes;
}

// Of work(i) for every episode i, a call.
template <class Work>
Samples time_each(Work work) {
  Samples samples;
  for (int loop = 0; loop < kLoops; ++loop) {
    const double seconds = timed([&] {
      for (std::size_t i = 0; i < kEpisodes; ++i) work(i);
    });
    samples.add(seconds / kEpisodes);
  }
  return samples;
}

std::size_t mean_size(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes / texts.size();
}

void print_value_call(const char* name, const Samples& samples, double target, std::size_t bytes) {
  const double value = rounded(samples.median() * 1e6);
  print_figure(name, value, "us", fmt::format("<= {}", target), value <= target,
               {{"limit", rounded(copy_bytes(bytes) * 1e6)},
                {"limit_is", fmt::format("copying {} bytes, us", bytes)},
                {"episodes", "of seeded rollouts, none to three actions in"},
                {"spread", spread(samples, 1e6)},
                {"clock", "thread"}});
}

}  // namespace

Status print_moves(const Setup& setup) {
  for (const Memory& memory : kMemories) HARNESSG_RETURN_IF_ERROR(print_moves_with(setup, memory));
  return {};
}

Status print_episodes(const Setup& setup) {
  HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
  HARNESSG_ASSIGN(const std::vector<Episode> episodes, some_episodes(*environment, setup));
  std::vector<Episode> clones(episodes);
  const Samples clone = time_each([&](std::size_t i) { clones[i] = Episode(episodes[i]); });
  print_value_call("clone_microseconds", clone, 1, sizeof(Episode));
  const double clones_a_millisecond = rounded(1e-3 / clone.median());
  print_figure("clones_per_millisecond", clones_a_millisecond, "", ">= 1000", clones_a_millisecond >= 1000);

  std::vector<std::string> saved(kEpisodes);
  const Samples save = time_each([&](std::size_t i) { saved[i] = episodes[i].save(); });
  print_value_call("save_microseconds", save, 5, mean_size(saved));
  Status status;
  const Samples restore = time_each([&](std::size_t i) {
    auto restored = environment->restore(saved[i]);
    if (restored) {
      clones[i] = std::move(*restored);
    } else {
      status = tl::unexpected<Error>(restored.error());
    }
  });
  HARNESSG_RETURN_IF_ERROR(status);
  for (std::size_t i = 0; i < kEpisodes; ++i) {
    if (!(clones[i] == episodes[i])) return fail(ErrorCode::kInternal, "episode {} is not what was saved", i);
  }
  print_value_call("restore_microseconds", restore, 10, mean_size(saved));

  std::vector<std::string> texts(kEpisodes);
  const Samples observe = time_each([&](std::size_t i) { texts[i] = environment->observation(episodes[i]); });
  print_value_call("observation_microseconds", observe, 10, mean_size(texts));
  return {};
}

}  // namespace harnessg::bench
