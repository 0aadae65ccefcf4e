// growth_bench SMALL LARGE QUESTIONS [LIMIT]
// Select, Lookup and previews of whole menus on two indexes of different size, lexical scoring: none of them may grow
// with the corpus. Every move is timed once, with nothing remembered of it.
#include <algorithm>
#include <cstdlib>

#include "bench/figure.h"
#include "bench/moves.h"
#include "data/questions.h"

namespace harnessg::bench {
namespace {

constexpr double kTarget = 2;

struct Times {
  std::uint32_t paragraphs = 0;
  MoveTimes steps;
  MoveTimes previews;
};

Result<Times> times_on(const char* folder, std::span<const QuestionRecord> questions) {
  HARNESSG_ASSIGN(const auto index, Index::open(folder));
  EnvironmentOptions options;
  options.config.scoring = Scoring::kLexical;
  Times times;
  times.paragraphs = index->graph().paragraph_count();
  HARNESSG_ASSIGN(const auto stepped, Environment::create(index, options, nullptr));
  HARNESSG_ASSIGN(times.steps, time_moves(*stepped, questions, Timed::kSteps));
  HARNESSG_ASSIGN(const auto previewed, Environment::create(index, options, nullptr));
  HARNESSG_ASSIGN(times.previews, time_moves(*previewed, questions, Timed::kPreviews));
  return times;
}

void print(const char* name, const Times& small, const Times& large, const Samples& on_small, const Samples& on_large) {
  const double ratio = rounded(on_large.median() / on_small.median());
  print_figure(name, ratio, "x", fmt::format("<= {}", kTarget), ratio <= kTarget,
               {{"paragraphs", {small.paragraphs, large.paragraphs}},
                {"small_us", spread(on_small, 1e6)},
                {"large_us", spread(on_large, 1e6)},
                {"clock", "thread"},
                {"scoring", "lexical; profile released"},
                {"caches", "empty; first views at hand"}});
}

Status run(int argc, char** argv) {
  HARNESSG_ASSIGN(auto questions, read_questions(argv[3]));
  if (argc > 4) questions.resize(std::min<std::size_t>(questions.size(), std::strtoull(argv[4], nullptr, 10)));
  HARNESSG_ASSIGN(const Times small, times_on(argv[1], questions));
  HARNESSG_ASSIGN(const Times large, times_on(argv[2], questions));
  print("growth_select", small, large, small.steps.select, large.steps.select);
  print("growth_lookup", small, large, small.steps.lookup, large.steps.lookup);
  print("growth_preview_menu", small, large, small.previews.preview, large.previews.preview);
  return {};
}

}  // namespace
}  // namespace harnessg::bench

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: growth_bench SMALL LARGE QUESTIONS [LIMIT]\n");
    return 2;
  }
  const auto status = harnessg::bench::run(argc, argv);
  if (status) return 0;
  fmt::print(stderr, "growth_bench: {}\n", status.error().message);
  return 1;
}
