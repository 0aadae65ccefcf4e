#include <algorithm>

#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/limits.h"
#include "bench/measure.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kOneByOne = 100;
constexpr std::size_t kInARow = 25;  // first views, then as many BLAS products
constexpr std::size_t kTogether = 64;
constexpr std::size_t kGroups = 8;
constexpr int kSeenLoops = 20;

struct Compared {
  Samples engine;  // a question
  Samples blas;

  double ratio() const { return engine.median() / blas.median(); }
};

void print(const char* name, const Compared& seconds, double target, const char* limit) {
  const double ratio = rounded(seconds.ratio());
  print_figure(name, rounded(seconds.engine.median() * 1e6), "us", fmt::format("<= {} x limit", target),
               ratio <= target,
               {{"limit", rounded(seconds.blas.median() * 1e6)},
                {"limit_is", limit},
                {"ratio", ratio},
                {"spread", spread(seconds.engine, 1e6)},
                {"clock", "thread"},
                {"caches", "nothing of the question; query vector at hand"}});
}

// Vectors of the questions, kept by the embedder.
Result<Matrix> vectors_of(const Setup& setup, std::span<const QuestionRecord> questions) {
  return setup.embedder->embed_queries(texts_of(questions));
}

Status one_by_one(const Environment& environment, const Setup& setup, std::span<const QuestionRecord> questions,
                  Compared& seconds) {
  HARNESSG_ASSIGN(const Matrix vectors, vectors_of(setup, questions));
  Status status;
  for (std::size_t begin = 0; begin < questions.size(); begin += kInARow) {
    const std::size_t end = std::min(questions.size(), begin + kInARow);
    for (std::size_t i = begin; i < end && status; ++i) {
      const Task task{questions[i].question, {}, "", 0};
      seconds.engine.add(timed([&] {
        if (const auto episode = environment.reset(task); !episode) status = tl::unexpected<Error>(episode.error());
      }));
    }
    for (std::size_t i = begin; i < end; ++i) {
      const float* const query = vectors.row(i).data();
      seconds.blas.add(multiply_all(*setup.index->vectors(), std::span(&query, 1)));
    }
  }
  return status;
}

Status together(const Setup& setup, Compared& seconds) {
  HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
  const std::span<const QuestionRecord> all(setup.questions);
  Status status;
  for (std::size_t group = 0; group < kGroups && (group + 1) * kTogether <= all.size() && status; ++group) {
    const auto questions = all.subspan(group * kTogether, kTogether);
    HARNESSG_ASSIGN(const Matrix vectors, vectors_of(setup, questions));
    const std::vector<std::string> texts = texts_of(questions);
    seconds.engine.add(timed([&] { status = environment->make_ready(texts); }) / kTogether);
    std::vector<const float*> queries;
    for (std::size_t i = 0; i < kTogether; ++i) queries.push_back(vectors.row(i).data());
    seconds.blas.add(multiply_all(*setup.index->vectors(), queries) / kTogether);
  }
  return status;
}

Status seen_before(const Environment& environment, std::span<const QuestionRecord> questions) {
  Samples samples;
  Status status;
  for (int loop = 0; loop < kSeenLoops; ++loop) {
    const double seconds = timed([&] {
      for (const QuestionRecord& question : questions) {
        const auto episode = environment.reset({question.question, {}, "", 0});
        if (!episode) status = tl::unexpected<Error>(episode.error());
      }
    });
    samples.add(seconds / static_cast<double>(questions.size()));
  }
  const double value = rounded(samples.median() * 1e6);
  print_figure("first_view_seen_microseconds", value, "us", "<= 5", value <= 5,
               {{"spread", spread(samples, 1e6)}, {"clock", "thread"}, {"caches", "the question's first view"}});
  return status;
}

}  // namespace

Status print_first_views(const Setup& setup) {
  if (setup.index->vectors() == nullptr)
    return fail(ErrorCode::kInvalidArgument, "the index {} has no vectors to compare with BLAS",
                setup.index->path().string());
  HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
  const auto questions = std::span(setup.questions).first(std::min(setup.questions.size(), kOneByOne));
  Compared alone;
  HARNESSG_RETURN_IF_ERROR(one_by_one(*environment, setup, questions, alone));
  print("first_view_cold_microseconds", alone, 1.3, "sgemv over the same float32 matrices, us");
  Compared grouped;
  HARNESSG_RETURN_IF_ERROR(together(setup, grouped));
  print("first_view_cold_64_together_microseconds", grouped, 1.5,
        "sgemm of 64 queries over the same float32 matrices, us a query");
  return seen_before(*environment, questions);
}

}  // namespace harnessg::bench
