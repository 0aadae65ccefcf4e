// growth_bench SMALL LARGE QUESTIONS [LIMIT]
// Select, Lookup and previews of whole menus on two indexes of different size, lexical scoring: none of them may grow
// with the corpus. Moves are timed with nothing remembered of the question: the first time, and once more when entities
// are known, as they are in an engine that has been running for a while.
#include <algorithm>
#include <cstdlib>

#include "bench/figure.h"
#include "bench/moves.h"
#include "data/questions.h"

namespace harnessg::bench {
namespace {

constexpr double kTarget = 2;

struct Times {
  MoveTimes steps;
  MoveTimes previews;
};

struct Measured {
  std::uint32_t paragraphs = 0;
  Times first;
  Times warm;
};

Result<Measured> measure(const char* folder, std::span<const QuestionRecord> questions) {
  HARNESSG_ASSIGN(const auto index, Index::open(folder));
  EnvironmentOptions options;
  options.config.scoring = Scoring::kLexical;
  options.memory_bytes = 0;  // of questions
  Measured measured;
  measured.paragraphs = index->graph().paragraph_count();
  HARNESSG_ASSIGN(const auto stepped, Environment::create(index, options, nullptr));
  HARNESSG_ASSIGN(const auto previewed, Environment::create(index, options, nullptr));
  for (Times* times : {&measured.first, &measured.warm}) {
    HARNESSG_ASSIGN(times->steps, time_moves(*stepped, questions, Timed::kSteps));
    HARNESSG_ASSIGN(times->previews, time_moves(*previewed, questions, Timed::kPreviews));
  }
  return measured;
}

class Printer {
 public:
  Printer(const Measured& small, const Measured& large) : paragraphs_{small.paragraphs, large.paragraphs} {}

  void print(const std::string& state, const Times& small, const Times& large) const {
    print("growth_select_" + state, small.steps.select, large.steps.select);
    print("growth_lookup_" + state, small.steps.lookup, large.steps.lookup);
    print("growth_preview_menu_" + state, small.previews.preview, large.previews.preview);
  }

 private:
  void print(const std::string& name, const Samples& small, const Samples& large) const {
    const double ratio = rounded(large.median() / small.median());
    const bool has_target = name.ends_with("warm");
    print_figure(name, ratio, "x", has_target ? fmt::format("<= {}", kTarget) : "-", !has_target || ratio <= kTarget,
                 {{"paragraphs", paragraphs_},
                  {"small_us", spread(small, 1e6)},
                  {"large_us", spread(large, 1e6)},
                  {"clock", "thread"},
                  {"scoring", "lexical; profile released"},
                  {"caches", "nothing of the questions but first views; warm: entities are known"}});
  }

  std::vector<std::uint32_t> paragraphs_;
};

Status run(int argc, char** argv) {
  HARNESSG_ASSIGN(auto questions, read_questions(argv[3]));
  if (argc > 4) questions.resize(std::min<std::size_t>(questions.size(), std::strtoull(argv[4], nullptr, 10)));
  HARNESSG_ASSIGN(const Measured small, measure(argv[1], questions));
  HARNESSG_ASSIGN(const Measured large, measure(argv[2], questions));
  const Printer printer(small, large);
  printer.print("first_time", small.first, large.first);
  printer.print("warm", small.warm, large.warm);
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
