// vector_bench INDEX QUESTIONS --queries FILE [--slots N] [--rounds N] [--warm N] [--threads N] [--first N]
// What a vector environment of N episodes has to do at each step, by the pool alone: actions drawn by seed, one step of
// every slot (a new question where the search is over), observation texts, action masks, turns and ends. The same of a
// single episode. One JSON object: bench/engine.py compares it with the Python package, which does the same there.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/known_queries.h"
#include "bench/measure.h"
#include "data/minilm.h"
#include "data/questions.h"
#include "data/splitmix.h"
#include "engine/pool.h"

namespace harnessg::bench {
namespace {

struct Arguments {
  std::filesystem::path index;
  std::filesystem::path questions_file;
  std::filesystem::path queries;
  std::size_t slots = 1000;
  std::size_t rounds = 60;
  std::size_t warm = 60;  // rounds that are not timed
  std::size_t single = 20'000;
  std::size_t questions = 200;
  unsigned threads = 0;
};

// Position on a menu of so many actions; bench/engine.py draws the same.
std::size_t drawn(std::uint64_t number, std::size_t actions) { return SplitMix::at(0, number) % actions; }

// What is handed out at each step.
struct Shown {
  std::vector<std::string> texts;
  std::vector<std::int8_t> mask;
  std::vector<std::uint32_t> turns;
  std::vector<char> ended;
  std::vector<char> truncated;

  Shown(std::size_t slots, std::size_t bound)
      : texts(slots), mask(slots * bound), turns(slots), ended(slots), truncated(slots) {}
};

class Vector {
 public:
  Vector(std::shared_ptr<const Environment> environment, std::span<const QuestionRecord> questions,
         std::unique_ptr<EpisodePool> pool, unsigned threads)
      : environment_(std::move(environment)),
        questions_(questions),
        pool_(std::move(pool)),
        arena_(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads)),
        bound_(menu_bound(environment_->config())),
        shown_(pool_->size(), bound_),
        positions_(pool_->size()) {}

  Status start() {
    std::vector<Task> tasks;
    for (std::size_t slot = 0; slot < pool_->size(); ++slot) tasks.push_back(task(slot));
    HARNESSG_RETURN_IF_ERROR(pool_->reset(tasks));
    show();
    return {};
  }

  Status step() {
    for (std::size_t slot = 0; slot < pool_->size(); ++slot) {
      const std::size_t actions = pool_->episode(slot)->menu().size();
      positions_[slot] = drawn(number_++, std::max<std::size_t>(actions, 1));
    }
    HARNESSG_ASSIGN(const auto results, pool_->step(positions_));
    std::vector<std::size_t> over;
    std::vector<Task> tasks;
    for (const SlotResult& result : results) {
      if (result.event == SlotEvent::kFailed) return tl::unexpected<Error>(result.error);
      if (result.event != SlotEvent::kSkipped) continue;
      over.push_back(result.slot);
      tasks.push_back(task(next_question_++));
    }
    HARNESSG_RETURN_IF_ERROR(pool_->reset(over, tasks));
    show();
    return {};
  }

 private:
  Task task(std::size_t number) const {
    const QuestionRecord& question = questions_[number % questions_.size()];
    return {question.question, question.answers, question.id, number};
  }

  void show() {
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, pool_->size(), [&](std::size_t slot) { show(slot); }); });
  }

  void show(std::size_t slot) {
    const Episode& episode = *pool_->episode(slot);
    environment_->observation(episode, shown_.texts[slot]);
    const auto row = shown_.mask.begin() + static_cast<std::ptrdiff_t>(slot * bound_);
    for (std::size_t i = 0; i < bound_; ++i) row[static_cast<std::ptrdiff_t>(i)] = i < episode.menu().size() ? 1 : 0;
    shown_.turns[slot] = episode.turn();
    shown_.ended[slot] = episode.ended();
    shown_.truncated[slot] = episode.truncated();
  }

  std::shared_ptr<const Environment> environment_;
  std::span<const QuestionRecord> questions_;
  std::unique_ptr<EpisodePool> pool_;
  tbb::task_arena arena_;
  std::size_t bound_;
  Shown shown_;
  std::vector<std::size_t> positions_;
  std::uint64_t number_ = 0;
  std::size_t next_question_ = 0;
};

Result<nlohmann::ordered_json> run_vector(const std::shared_ptr<const Environment>& environment,
                                          std::span<const QuestionRecord> questions, const Arguments& arguments) {
  HARNESSG_ASSIGN(auto pool, EpisodePool::create(environment, {arguments.slots, arguments.threads, WhenOver::kSkip}));
  Vector vector(environment, questions, std::move(pool), arguments.threads);
  HARNESSG_RETURN_IF_ERROR(vector.start());
  for (std::size_t i = 0; i < arguments.warm; ++i) HARNESSG_RETURN_IF_ERROR(vector.step());
  Samples wall;
  Samples cores;
  for (std::size_t i = 0; i < arguments.rounds; ++i) {
    const double wall_before = wall_seconds();
    const double cores_before = process_seconds();
    HARNESSG_RETURN_IF_ERROR(vector.step());
    wall.add(wall_seconds() - wall_before);
    cores.add(process_seconds() - cores_before);
  }
  return nlohmann::ordered_json{{"wall", wall.median()}, {"wall_best", wall.quantile(0)}, {"cores", cores.median()}};
}

// Mean thread seconds of a step, without and with the observation's text.
Result<nlohmann::ordered_json> run_single(const Environment& environment, std::span<const QuestionRecord> questions,
                                          const Arguments& arguments) {
  double step_seconds = 0;
  double text_seconds = 0;
  std::string text;
  std::size_t steps = 0;
  Status status;
  for (std::size_t q = 0; steps < 2 * arguments.single && status; ++q) {
    const QuestionRecord& question = questions[q % questions.size()];
    HARNESSG_ASSIGN(Episode episode, environment.reset({question.question, question.answers, question.id, q}));
    while (!episode.over() && status) {
      const std::size_t position = drawn(steps, episode.menu().size());
      const double step = timed([&] {
        if (const auto outcome = environment.step(episode, position); !outcome)
          status = tl::unexpected<Error>(outcome.error());
      });
      const double rendered = timed([&] { text = environment.observation(episode); });
      if (steps >= arguments.single) {
        step_seconds += step;
        text_seconds += rendered;
      }
      ++steps;
    }
  }
  HARNESSG_RETURN_IF_ERROR(status);
  const auto timed_steps = static_cast<double>(steps - arguments.single);
  return nlohmann::ordered_json{{"step", step_seconds / timed_steps}, {"text", text_seconds / timed_steps}};
}

Status run(const Arguments& arguments) {
  HARNESSG_ASSIGN(const auto index, Index::open(arguments.index));
  HARNESSG_ASSIGN(std::shared_ptr<const Embedder> model, MiniLm::load(""));
  const auto known = std::make_shared<KnownQueries>(std::move(model));
  HARNESSG_RETURN_IF_ERROR(known->load(arguments.queries));
  EnvironmentOptions options;
  options.config.compose_query = 1;  // so that the encoder is asked for questions only
  HARNESSG_ASSIGN(auto made, Environment::create(index, options, known));
  const std::shared_ptr<const Environment> environment = std::move(made);
  HARNESSG_ASSIGN(auto questions, read_questions(arguments.questions_file));
  questions.resize(std::min(questions.size(), arguments.questions));
  nlohmann::ordered_json found{{"slots", arguments.slots}};
  HARNESSG_ASSIGN(found["vector"], run_vector(environment, questions, arguments));
  HARNESSG_ASSIGN(found["single"], run_single(*environment, questions, arguments));
  fmt::print("{}\n", found.dump());
  return {};
}

}  // namespace
}  // namespace harnessg::bench

int main(int argc, char** argv) {
  harnessg::bench::Arguments arguments;
  CLI::App app("The C++ side of a vector environment's work.");
  app.add_option("index", arguments.index)->required();
  app.add_option("questions", arguments.questions_file)->required();
  app.add_option("--queries", arguments.queries, "where vectors of query texts are kept")->required();
  app.add_option("--slots", arguments.slots)->capture_default_str();
  app.add_option("--rounds", arguments.rounds, "timed")->capture_default_str();
  app.add_option("--warm", arguments.warm, "rounds before, not timed")->capture_default_str();
  app.add_option("--single", arguments.single, "steps of a single episode")->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: all")->capture_default_str();
  app.add_option("--first", arguments.questions, "so many questions")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto status = harnessg::bench::run(arguments);
  if (status) return 0;
  fmt::print(stderr, "vector_bench: {}\n", status.error().message);
  return 1;
}
