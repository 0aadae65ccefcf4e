#include "bindings/cli/bench_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/reader.h"
#include "bench/report.h"
#include "bindings/cli/bench_arguments.h"
#include "bindings/cli/embedder_choice.h"
#include "bindings/cli/output.h"
#include "bindings/cli/report_table.h"
#include "bindings/cli/rule_choice.h"
#include "builder/input_hash.h"
#include "builder/progress.h"
#include "credit/metrics/evaluation_files.h"
#include "data/version.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char kRows[] = "rows.jsonl";

constexpr char kFooter[] =
    "The folder holds report.json, report.html (plots; loads nothing), and rows.jsonl, a line a question: the same "
    "call\n"
    "again continues from there. docs/bench.md tells what the figures mean.\n"
    "\n"
    "Examples:\n"
    "  harnessg bench my-index --questions questions.jsonl --out report\n"
    "  harnessg bench my-index --questions dev.json --policies random,http:127.0.0.1:8080 --arms menu,free --rollouts "
    "8 \\\n"
    "    --out model\n"
    "  harnessg bench my-index --questions dev.json --policies none --no-reach --traces 0=a.jsonl --traces 100=b.jsonl "
    "\\\n"
    "    --out training\n"
    "  harnessg bench compare report model";

// What a run is about, made ready.
struct BenchJob {
  const BenchArguments& arguments;
  bench::DatasetKind kind{};
  std::vector<bench::DatasetQuestion> questions;
  std::set<std::size_t> unasked;  // marked unanswerable, or without gold
  bench::ResolvedDataset resolved;
  bench::BenchmarkWorld world;
  std::string description;
};

Result<bench::DatasetKind> choose_kind(const BenchArguments& arguments) {
  if (arguments.format == "auto") return bench::detect_dataset(arguments.questions);
  if (arguments.format == "hotpot") return bench::DatasetKind::kHotpot;
  return *bench::dataset_from_name(arguments.format);
}

Status read_dataset(const BenchArguments& arguments, BenchJob& job) {
  HARNESSG_ASSIGN(job.kind, choose_kind(arguments));
  HARNESSG_ASSIGN(job.questions, bench::read_dataset(job.kind, arguments.questions));
  if (arguments.aliases) {
    HARNESSG_ASSIGN(const auto aliases, metrics::read_aliases(*arguments.aliases));
    bench::add_answer_aliases(aliases, job.questions);
  }
  const std::size_t skip = std::min(arguments.skip, job.questions.size());
  job.questions.erase(job.questions.begin(), job.questions.begin() + static_cast<std::ptrdiff_t>(skip));
  if (arguments.limit != 0 && job.questions.size() > arguments.limit) job.questions.resize(arguments.limit);
  if (!job.questions.empty()) return {};
  return fail(ErrorCode::kInvalidArgument, "--skip {} leaves no question of {}", arguments.skip, arguments.questions);
}

Status open_world(const BenchArguments& arguments, BenchJob& job) {
  std::optional<EmbedderChoice> choice;
  if (arguments.embedder) {
    HARNESSG_ASSIGN(choice, parse_embedder(*arguments.embedder));
  }
  EnvironmentOptions options;
  HARNESSG_ASSIGN(options.config, choose_rules(arguments.profile, arguments.settings, arguments.scoring));
  HARNESSG_ASSIGN(job.world.index, Index::open(arguments.index));
  const bool lexical = options.config.scoring == Scoring::kLexical;
  // Retrieval asks for vectors even where the environment does not.
  const std::optional<Scoring> needed = lexical && arguments.no_retrieval ? options.config.scoring : std::nullopt;
  HARNESSG_ASSIGN(job.world.embedder, query_embedder(*job.world.index, needed, choice, arguments.embedder_folder));
  HARNESSG_ASSIGN(auto environment, Environment::create(job.world.index, options, job.world.embedder));
  job.world.environment = std::move(environment);
  HARNESSG_ASSIGN(job.world.scorer, make_scorer(arguments.scorer));
  HARNESSG_ASSIGN(job.world.model, model_options(arguments));
  return {};
}

void resolve(BenchJob& job) {
  job.resolved = bench::resolve_dataset(job.world.index->graph(), job.questions);
  for (const bench::LeftOut& one : job.resolved.left_out) {
    if (one.gap == bench::GoldGap::kUnanswerable || one.gap == bench::GoldGap::kNotGiven)
      job.unasked.insert(one.question);
  }
}

// Everything that the rows depend on: what is continued must agree in all of it.
Result<std::string> describe(const BenchJob& job, const bench::Benchmark& benchmark,
                             const bench::BenchmarkOptions& options) {
  const Manifest& manifest = job.world.index->manifest();
  std::vector<fs::path> files{job.arguments.questions};
  for (const bench::RecordedTraces& traces : options.recorded) files.push_back(traces.file);
  if (job.arguments.aliases) files.emplace_back(*job.arguments.aliases);
  HARNESSG_ASSIGN(const auto hashes, hash_inputs(files));
  Json json{{"tool_version", kToolVersion},
            {"index_hash", manifest.content_hash},
            {"counts", manifest.counts},
            {"recogniser", manifest.recogniser},
            {"embedder", {{"name", manifest.embedder.name}, {"version", manifest.embedder.version}}},
            {"scoring", scoring_name(job.world.environment->scoring())},
            {"profile", job.arguments.profile},
            {"settings", Json::object()},
            {"data_set", bench::dataset_name(job.kind)},
            {"inputs", hashes},
            {"skip", job.arguments.skip},
            {"limit", job.arguments.limit},
            {"players", Json::array()},
            {"reader", bench::kReaderName},
            {"scorer", job.world.scorer->name()},
            {"rollouts", options.rollouts},
            {"seed", options.seed},
            {"retrievers", options.retrievers},
            {"depths", options.depths},
            {"reach", options.reach},
            {"selected", options.selected},
            {"reasons", options.reasons}};
  for (const auto& [name, value] : fields(job.world.environment->config())) json["settings"][name] = value;
  for (const auto& [arm, name] : benchmark.players()) json["players"].push_back(arm + "/" + name);
  const bench::ModelOptions& model = job.world.model;
  const bool asks_model = std::any_of(options.policies.begin(), options.policies.end(),
                                      [](const std::string& name) { return name.starts_with("http"); });
  if (asks_model) {
    json["model"] = {{"api", model.chat ? "chat" : "completions"},
                     {"constrained", model.constrain},
                     {"temperature", model.temperature},
                     {"max_tokens", model.max_tokens}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The first thing in which two descriptions differ.
std::string difference(const std::string& before, const std::string& now) {
  const Json a = Json::parse(before, nullptr, false);
  const Json b = Json::parse(now);
  for (const auto& [key, value] : b.items()) {
    if (!a.is_object() || !a.contains(key)) return key + " was not told";
    if (a[key] != value) return fmt::format("{} was {} and is {}", key, a[key].dump(), value.dump());
  }
  return "something that is no longer told";
}

// One line that is written over: what is done, and the time left.
class ProgressLine {
 public:
  ProgressLine(std::size_t done, std::size_t total, bool quiet)
      : begun_with_(done), done_(done), total_(total), quiet_(quiet) {}

  void advance() {
    ++done_;
    if (quiet_) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double left = seconds / static_cast<double>(done_ - begun_with_) * static_cast<double>(total_ - done_);
    const bool terminal = stderr_is_terminal();
    // A file gets a line a twentieth of the way.
    if (!terminal && done_ != total_ && done_ * 20 / total_ == (done_ - 1) * 20 / total_) return;
    print_error(fmt::format("{}{} of {} questions, {} left{}", terminal ? "\r" : "", done_, total_, duration(left),
                            terminal && done_ != total_ ? "     " : "\n"));
  }

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const std::size_t begun_with_;
  std::size_t done_;
  const std::size_t total_;
  const bool quiet_;
};

Status write_file(const fs::path& file, const std::string& text) {
  const fs::path unfinished = file.string() + ".new";
  std::ofstream stream(unfinished, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) fs::rename(unfinished, file, error);
  if (!stream || error) return fail(ErrorCode::kIo, "{} cannot be written; is the disk full?", file.string());
  return {};
}

// Measures what is not measured yet; returns all rows.
Result<std::vector<bench::Row>> measure(const BenchJob& job, const bench::Benchmark& benchmark,
                                        bench::StoredRows stored) {
  HARNESSG_ASSIGN(auto writer, bench::RowWriter::open(fs::path(job.arguments.out) / kRows, stored, job.description));
  std::set<std::size_t> done;
  for (const bench::Row& row : stored.rows) done.insert(row.number);
  ProgressLine progress(done.size(), job.questions.size() - job.unasked.size(), job.arguments.quiet);
  std::vector<bench::Row> rows = std::move(stored.rows);
  const auto take = [&](const bench::Row& row) -> Status {
    HARNESSG_RETURN_IF_ERROR(writer.append(bench::to_json_line(row)));
    rows.push_back(row);
    progress.advance();
    return {};
  };
  const auto is_done = [&](std::size_t i) { return done.contains(i) || job.unasked.contains(i); };
  HARNESSG_RETURN_IF_ERROR(benchmark.run(job.questions, is_done, take));
  return rows;
}

bench::Report make_report(const BenchJob& job, const bench::Benchmark& benchmark,
                          const bench::BenchmarkOptions& options, const std::vector<bench::Row>& rows) {
  bench::Report report;
  report.description = job.description;
  report.left_out = job.resolved.left_out;
  report.asked = job.questions.size();
  report.figures = bench::summarise(rows, options.seed);
  report.misses = bench::count_misses(rows);
  report.subjects = {"paragraphs", "sentences", "answer"};
  for (const std::string& retriever : options.retrievers) report.subjects.push_back(retriever);
  const auto& players = benchmark.players();
  for (std::size_t i = 0; i < players.size(); ++i) {
    report.subjects.push_back(players[i].first + "/" + players[i].second);
    if (i + options.recorded.size() >= players.size()) report.series.push_back(report.subjects.back());
  }
  return report;
}

Status check_header(const BenchJob& job, const bench::StoredRows& stored) {
  if (stored.header.empty() || stored.header == job.description) return {};
  return fail(ErrorCode::kAlreadyExists,
              "{} holds another benchmark ({}); give another --out, or the same options to continue it",
              job.arguments.out, difference(stored.header, job.description));
}

Status run_bench(const BenchArguments& arguments) {
  BenchJob job{arguments, {}, {}, {}, {}, {}, {}};
  HARNESSG_RETURN_IF_ERROR(read_dataset(arguments, job));
  HARNESSG_RETURN_IF_ERROR(open_world(arguments, job));
  HARNESSG_ASSIGN(auto options, benchmark_options(arguments, *job.world.index));
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error) return fail(ErrorCode::kIo, "{} cannot be made: {}", arguments.out, error.message());
  auto traces = std::make_shared<std::ofstream>();
  if (arguments.record) {
    options.record = [traces, out = arguments.out](const std::string& line) -> Status {
      if (!(*traces << line << '\n' << std::flush))
        return fail(ErrorCode::kIo, "{}/traces.jsonl cannot be written; is the disk full?", out);
      return {};
    };
  }
  HARNESSG_ASSIGN(const auto benchmark, bench::Benchmark::create(job.world, job.kind, options));
  HARNESSG_ASSIGN(job.description, describe(job, benchmark, options));
  HARNESSG_ASSIGN(auto stored, bench::read_rows(fs::path(arguments.out) / kRows));
  HARNESSG_RETURN_IF_ERROR(check_header(job, stored));
  if (arguments.record) traces->open(fs::path(arguments.out) / "traces.jsonl", std::ios::binary | std::ios::app);
  resolve(job);
  if (!arguments.quiet) print_error(bench::describe(job.resolved));
  HARNESSG_ASSIGN(const auto rows, measure(job, benchmark, std::move(stored)));
  const bench::Report report = make_report(job, benchmark, options, rows);
  HARNESSG_RETURN_IF_ERROR(write_file(fs::path(arguments.out) / "report.json", bench::report_json(report)));
  HARNESSG_RETURN_IF_ERROR(write_file(fs::path(arguments.out) / "report.html", bench::report_page(report)));
  return print(bench::report_table(report));
}

struct CompareArguments {
  std::string a;
  std::string b;
  std::uint64_t seed = 0;
  bool json = false;
};

Result<bench::StoredRows> rows_of(const std::string& folder) {
  HARNESSG_ASSIGN(auto stored, bench::read_rows(fs::path(folder) / kRows));
  if (!stored.rows.empty()) return stored;
  return fail(ErrorCode::kNotFound, "{} holds no benchmark; give the --out folder of one", folder);
}

Status run_compare(const CompareArguments& arguments) {
  HARNESSG_ASSIGN(const auto a, rows_of(arguments.a));
  HARNESSG_ASSIGN(const auto b, rows_of(arguments.b));
  const auto differences = bench::paired_differences(a.rows, b.rows, arguments.seed);
  if (differences.empty()) {
    return fail(ErrorCode::kBadInput, "{} and {} share no figure of any question; compare runs on the same questions",
                arguments.a, arguments.b);
  }
  if (arguments.json) return print(bench::differences_json(a.header, b.header, differences));
  HARNESSG_RETURN_IF_ERROR(print(bench::differences_table(differences)));
  return print(fmt::format("A and B differ first in: {}\n",
                           a.header == b.header ? "nothing that is told" : difference(a.header, b.header)));
}

void add_compare_command(CLI::App& bench_command, Work& work) {
  CLI::App* const command =
      bench_command.add_subcommand("compare", "Paired differences of two benchmarks, question by question");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("A", arguments->a, "Folder of one")->required();
  command->add_option("B", arguments->b, "Folder of the other: differences are B - A")->required();
  command->add_option("--seed", arguments->seed, "Of the bootstrap")->capture_default_str();
  command->add_flag("--json", arguments->json, "One JSON object instead of a table");
  command->callback([arguments, &work] { work = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace

void add_bench_command(CLI::App& app, Work& work) {
  CLI::App* const command =
      app.add_subcommand("bench", "Measure what can be found in an index, what is found, and whether it collapses");
  auto arguments = std::make_shared<BenchArguments>();
  add_bench_options(*command, *arguments);
  add_compare_command(*command, work);
  command->footer(kFooter);
  command->callback([command, arguments, &work] {
    if (!command->get_subcommands().empty()) return;
    if (arguments->index.empty()) throw CLI::RequiredError("INDEX");
    if (arguments->questions.empty()) throw CLI::RequiredError("--questions FILE");
    if (arguments->out.empty()) throw CLI::RequiredError("--out FOLDER");
    work = [arguments] { return run_bench(*arguments); };
  });
}

}  // namespace harnessg
