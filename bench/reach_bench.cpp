// reach_bench INDEX QUESTIONS PROFILE: what the best policy could find, what simple ones do, and why gold is missed.
// Figures as JSON lines on stdout (bench/figure.h), tables on stderr. Exit status 1 when a target does not hold.
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

#include "bench/known_queries.h"
#include "bench/policies.h"
#include "bench/reach_report.h"
#include "bench/reach_study.h"
#include "data/minilm.h"

namespace {

using namespace harnessg;

struct Arguments {
  std::string index;
  std::string questions;
  std::string profile;
  std::vector<std::string> settings;
  std::size_t skip = 0;
  std::size_t limit = 0;
  unsigned threads = 2;
  std::string set;
  std::vector<std::string> targets;
  std::vector<std::string> policies{"first-lookup", "random"};
  std::string model;
  std::string known_queries;
  std::size_t transitions = 500000;
  std::uint64_t seed = 0;
  bool no_selected = false;
  bool no_reasons = false;
};

void declare(CLI::App& app, Arguments& arguments) {
  app.add_option("index", arguments.index, "Index folder")->required();
  app.add_option("questions", arguments.questions, "Questions with gold, in any format the engine reads")->required();
  app.add_option("profile", arguments.profile, "Profile of the environment")->required();
  app.add_option("--set", arguments.settings, "One setting: name=value");
  app.add_option("--skip", arguments.skip, "Questions left out at the beginning");
  app.add_option("--limit", arguments.limit, "Questions taken after them (default: all)");
  app.add_option("--threads", arguments.threads, "Questions in work at a time");
  app.add_option("--name", arguments.set, "Put behind every figure's name (default: the index folder's name)");
  app.add_option("--target", arguments.targets, "Least value of a figure: seen_paragraphs=0.95");
  app.add_option("--policies", arguments.policies, "Policies to play")->delimiter(',');
  app.add_option("--model", arguments.model, "Folder with the weights of minilm");
  app.add_option("--queries", arguments.known_queries, "File in which query vectors are kept between runs");
  app.add_option("--transitions", arguments.transitions, "Transitions of one search, at most");
  app.add_option("--seed", arguments.seed, "Of policies that draw");
  app.add_flag("--no-selected", arguments.no_selected, "Leave out the search for what can be selected");
  app.add_flag("--no-reasons", arguments.no_reasons, "Leave out the reasons of misses");
}

Result<std::pair<std::string, std::string>> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return fail(ErrorCode::kInvalidArgument, "\"{}\" has no \"=\"; write name=value", text);
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<Config> configure(const Arguments& arguments) {
  HARNESSG_ASSIGN(Config config, profile(arguments.profile));
  for (const std::string& text : arguments.settings) {
    HARNESSG_ASSIGN(const auto setting, split_setting(text));
    HARNESSG_RETURN_IF_ERROR(set_field(config, setting.first, setting.second));
  }
  return config;
}

Result<std::vector<QuestionRecord>> choose_questions(const Arguments& arguments) {
  HARNESSG_ASSIGN(std::vector<QuestionRecord> questions, read_questions(arguments.questions));
  const std::size_t skip = std::min(arguments.skip, questions.size());
  questions.erase(questions.begin(), questions.begin() + static_cast<std::ptrdiff_t>(skip));
  if (arguments.limit != 0 && questions.size() > arguments.limit) questions.resize(arguments.limit);
  return questions;
}

Result<std::map<std::string, double>> parse_targets(const Arguments& arguments) {
  std::map<std::string, double> targets;
  for (const std::string& text : arguments.targets) {
    HARNESSG_ASSIGN(const auto target, split_setting(text));
    double value = 0;
    if (!CLI::detail::lexical_cast(target.second, value))
      return fail(ErrorCode::kInvalidArgument, "--target {}: \"{}\" is no number", text, target.second);
    targets[target.first] = value;
  }
  return targets;
}

// Null where scoring is lexical; `known` keeps query vectors between runs where a file is named.
Result<std::shared_ptr<const Embedder>> load_embedder(const Arguments& arguments, const Index& index,
                                                      const Config& config,
                                                      std::shared_ptr<bench::KnownQueries>& known) {
  const Scoring scoring = config.scoring.value_or(index.vectors() != nullptr ? Scoring::kDense : Scoring::kLexical);
  if (scoring == Scoring::kLexical) return std::shared_ptr<const Embedder>();
  HARNESSG_ASSIGN(std::shared_ptr<const Embedder> model, MiniLm::load(arguments.model));
  if (arguments.known_queries.empty()) return model;
  known = std::make_shared<bench::KnownQueries>(model);
  HARNESSG_RETURN_IF_ERROR(known->load(arguments.known_queries));
  return known;
}

Result<bool> run(const Arguments& arguments) {
  HARNESSG_ASSIGN(const Config config, configure(arguments));
  HARNESSG_ASSIGN(const auto targets, parse_targets(arguments));
  HARNESSG_ASSIGN(const std::vector<QuestionRecord> questions, choose_questions(arguments));
  HARNESSG_ASSIGN(const std::shared_ptr<const Index> index, Index::open(arguments.index));
  std::shared_ptr<bench::KnownQueries> known;
  HARNESSG_ASSIGN(const auto embedder, load_embedder(arguments, *index, config, known));
  EnvironmentOptions options;
  options.config = config;
  HARNESSG_ASSIGN(const auto environment, Environment::create(index, options, embedder));

  bench::StudyOptions study;
  study.threads = arguments.threads;
  study.transitions = arguments.transitions;
  study.selected = !arguments.no_selected;
  study.explain_misses = !arguments.no_reasons;
  study.policies = arguments.policies;
  study.seed = arguments.seed;
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  if (isatty(STDERR_FILENO) != 0) {
    study.progress = [&](std::size_t done) {
      const double left = seconds() / static_cast<double>(done) * static_cast<double>(questions.size() - done);
      fmt::print(stderr, "\r{} of {} questions, {:.0f} s left ", done, questions.size(), left);
    };
  }
  HARNESSG_ASSIGN(const auto rows, bench::study_reach(*environment, index, embedder, questions, study));
  if (known) HARNESSG_RETURN_IF_ERROR(known->save(arguments.known_queries));

  bench::ReportOptions report;
  report.set = arguments.set.empty() ? std::filesystem::path(arguments.index).filename().string() : arguments.set;
  report.targets = targets;
  report.policies = arguments.policies;
  report.seconds = seconds();
  report.selected = study.selected;
  fmt::print(stderr, "\n{} on {}, profile {} {}, {} scoring\n", arguments.questions, arguments.index, arguments.profile,
             fmt::join(arguments.settings, " "), scoring_name(environment->scoring()));
  return bench::print_reach(rows, report);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{"What can be reached in an environment, and what is missed for which reason", "reach_bench"};
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const Result<bool> held = run(arguments);
  if (held) return *held ? 0 : 1;
  fmt::print(stderr, "reach_bench: {}\n", held.error().message);
  return 1;
}
