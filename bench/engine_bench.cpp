// engine_bench INDEX QUESTIONS --queries FILE [--limit N] [--profile NAME] [--steps N] [--only GROUP]
// The engine's figures on a real index with vectors (docs/performance.md). Vectors of query texts that FILE does not
// hold yet are made by the encoder before anything is timed, and kept there.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>

#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/measure.h"
#include "bench/workload.h"
#include "data/minilm.h"

namespace harnessg::bench {

Result<std::unique_ptr<Environment>> fresh_environment(const Setup& setup) {
  return Environment::create(setup.index, setup.options, setup.embedder);
}

std::vector<std::string> texts_of(std::span<const QuestionRecord> questions) {
  std::vector<std::string> texts;
  texts.reserve(questions.size());
  for (const QuestionRecord& question : questions) texts.push_back(question.question);
  return texts;
}

namespace {

struct Arguments {
  std::filesystem::path index;
  std::filesystem::path questions;
  std::filesystem::path queries;
  std::filesystem::path model;
  std::size_t limit = 1000;
  std::string profile = "released";
  std::uint64_t steps = 5'000'000;
  std::string only;
};

struct Group {
  const char* name;
  Status (*print)(const Setup& setup);
};
constexpr Group kGroups[] = {{"workload", print_workload}, {"first_views", print_first_views},
                             {"moves", print_moves},       {"episodes", print_episodes},
                             {"threads", print_threads},   {"default", print_default_profile}};

// Plays what will be timed once, so that every query text has its vector.
Status gather_queries(Setup& setup, const Arguments& arguments) {
  HARNESSG_ASSIGN(std::shared_ptr<const Embedder> model, MiniLm::load(arguments.model));
  const auto known = std::make_shared<KnownQueries>(std::move(model));
  HARNESSG_RETURN_IF_ERROR(known->load(arguments.queries));
  setup.embedder = known;
  HARNESSG_ASSIGN(const auto environment, fresh_environment(setup));
  HARNESSG_RETURN_IF_ERROR(run_workload(*environment, setup.questions, {}));
  if (known->asked_of_model() > 0) HARNESSG_RETURN_IF_ERROR(known->save(arguments.queries));
  return {};
}

void print_conditions(const Setup& setup) {
  const Manifest& manifest = setup.index->manifest();
  nlohmann::ordered_json conditions = machine();
  conditions.update({{"index_hash", manifest.content_hash},
                     {"corpus_hashes", manifest.input_hashes},
                     {"counts", manifest.counts},
                     {"recogniser", manifest.recogniser},
                     {"embedder", manifest.embedder.name},
                     {"dim", manifest.embedder.dim},
                     {"profile", setup.options.config.profile},
                     {"first_view_k", setup.options.config.paragraphs_ranked},
                     {"questions", setup.questions.size()},
                     {"threads", 1}});
  print_figure("conditions", true, "", "-", true, {{"conditions", conditions}});
}

Status run(const Arguments& arguments) {
  if (arguments.only.empty()) HARNESSG_RETURN_IF_ERROR(print_open(arguments.index));
  Setup setup;
  HARNESSG_ASSIGN(setup.index, Index::open(arguments.index));
  HARNESSG_ASSIGN(setup.questions, read_questions(arguments.questions));
  setup.questions.resize(std::min(setup.questions.size(), arguments.limit));
  HARNESSG_ASSIGN(setup.options.config, profile(arguments.profile));
  setup.options.question_cache = std::max(setup.options.question_cache, setup.questions.size());
  setup.options.query_cache = 1 << 16;
  HARNESSG_RETURN_IF_ERROR(gather_queries(setup, arguments));
  print_conditions(setup);
  for (const Group& group : kGroups) {
    if (arguments.only.empty() || arguments.only == group.name) HARNESSG_RETURN_IF_ERROR(group.print(setup));
  }
  if (arguments.steps > 0 && arguments.only.empty())
    HARNESSG_RETURN_IF_ERROR(print_constant_memory(setup, arguments.steps));
  return {};
}

}  // namespace
}  // namespace harnessg::bench

int main(int argc, char** argv) {
  harnessg::bench::Arguments arguments;
  CLI::App app("The engine's figures, one JSON object a line.");
  app.add_option("index", arguments.index, "an index with vectors by minilm")->required();
  app.add_option("questions", arguments.questions)->required();
  app.add_option("--queries", arguments.queries, "where vectors of query texts are kept")->required();
  app.add_option("--model", arguments.model, "MiniLM's folder; the one compiled in by default");
  app.add_option("--limit", arguments.limit, "the first so many questions")->capture_default_str();
  app.add_option("--profile", arguments.profile)->capture_default_str();
  app.add_option("--steps", arguments.steps, "random steps under watch of memory; 0: none")->capture_default_str();
  std::vector<std::string> names;
  for (const harnessg::bench::Group& group : harnessg::bench::kGroups) names.emplace_back(group.name);
  app.add_option("--only", arguments.only, "one group of figures")->check(CLI::IsMember(names));
  CLI11_PARSE(app, argc, argv);
  const auto status = harnessg::bench::run(arguments);
  if (status) return 0;
  fmt::print(stderr, "engine_bench: {}\n", status.error().message);
  return 1;
}
