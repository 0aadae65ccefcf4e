#include "bindings/cli/bench_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "bench/retrieval.h"

namespace harnessg {
namespace {

constexpr char kWorld[] = "Environment";
constexpr char kPlay[] = "Policies";
constexpr char kModel[] = "Language model (policy http:URL)";
constexpr char kLess[] = "Less of it";

void add_world_options(CLI::App& command, BenchArguments& arguments) {
  command.add_option("--profile", arguments.profile, "Named configuration")->capture_default_str()->group(kWorld);
  command.add_option("--set", arguments.settings, "One setting of it, as name=value; may be repeated")
      ->allow_extra_args(false)
      ->group(kWorld);
  command
      .add_option("--scoring", arguments.scoring,
                  "How text is scored (default: with the vectors where the index has some, else lexical)")
      ->check(CLI::IsMember({"lexical", "dense", "hybrid"}))
      ->group(kWorld);
  command
      .add_option("--embedder", arguments.embedder,
                  "What encodes queries: minilm, or a folder with query.npy and queries.json\n"
                  "(default: minilm where the index was built with it)")
      ->group(kWorld);
  command.add_option("--embedder-folder", arguments.embedder_folder, "Folder with the weights of minilm")
      ->group(kWorld);
}

void add_play_options(CLI::App& command, BenchArguments& arguments) {
  command
      .add_option("--policies", arguments.policies,
                  "random, random-search, first-lookup, lexical-greedy, embedding-greedy, preview-greedy,\n"
                  "greedy-oracle, http:URL; none: nobody plays")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->group(kPlay);
  command.add_option("--arms", arguments.arms, "menu, free (queries as text), matched (the same, mapped to lookups)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->group(kPlay);
  command.add_option("--rollouts", arguments.rollouts, "Episodes a question, of policies that draw")
      ->capture_default_str()
      ->group(kPlay);
  command
      .add_option("--traces", arguments.traces,
                  "NAME=FILE: episodes played elsewhere, measured like a policy's; several are taken for\n"
                  "checkpoints of one training, in this order")
      ->allow_extra_args(false)
      ->group(kPlay);
  command.add_option("--scorer", arguments.scorer, "Of preview-greedy: lexical, or http:URL")
      ->capture_default_str()
      ->group(kPlay);
}

void add_model_options(CLI::App& command, BenchArguments& arguments) {
  command.add_option("--model", arguments.model.model, "Name of the model, where the server has several")
      ->group(kModel);
  command.add_option("--api-key-env", arguments.api_key_env, "Environment variable that holds the key")->group(kModel);
  command.add_option("--api", arguments.api, "What the server is asked for")
      ->check(CLI::IsMember({"chat", "completions"}))
      ->capture_default_str()
      ->group(kModel);
  command.add_flag("--unconstrained", arguments.free_ids, "Let the model write what it likes on a menu, too")
      ->group(kModel);
  command.add_option("--temperature", arguments.model.temperature, "Of its draws")
      ->capture_default_str()
      ->group(kModel);
  command.add_option("--max-tokens", arguments.model.max_tokens, "Of one turn")->capture_default_str()->group(kModel);
  command.add_option("--timeout", arguments.timeout_seconds, "Seconds for one turn")
      ->capture_default_str()
      ->group(kModel);
}

void add_less_options(CLI::App& command, BenchArguments& arguments) {
  command.add_option("--skip", arguments.skip, "Questions left out at the beginning")->group(kLess);
  command.add_option("--limit", arguments.limit, "Questions taken after them (default: all)")->group(kLess);
  command.add_flag("--no-reach", arguments.no_reach, "No exact and greedy search")->group(kLess);
  command.add_flag("--no-selected", arguments.no_selected, "No search for what can be selected")->group(kLess);
  command.add_flag("--no-reasons", arguments.no_reasons, "No reasons of misses")->group(kLess);
  command.add_flag("--no-retrieval", arguments.no_retrieval, "No retrieval baselines")->group(kLess);
}

Result<bench::RecordedTraces> recorded_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorCode::kInvalidArgument, "--traces {} has no name; write --traces NAME=FILE", text);
  if (text.find('/') < equals)
    return fail(ErrorCode::kInvalidArgument, "--traces {}: a name has no \"/\"; write --traces NAME=FILE", text);
  return bench::RecordedTraces{text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

void add_bench_options(CLI::App& command, BenchArguments& arguments) {
  command.add_option("INDEX", arguments.index, "Folder of the index");
  command.add_option("--questions", arguments.questions, "A file of questions with gold");
  command.add_option("--format", arguments.format, "Whose file it is, and whose rules score answers")
      ->check(CLI::IsMember({"auto", "2wiki", "hotpotqa", "hotpot", "musique", "popqa", "nq", "triviaqa", "jsonl"}))
      ->capture_default_str();
  command.add_option("--aliases", arguments.aliases, "2Wiki's id_aliases.json: further names of answers");
  command.add_option("--out", arguments.out, "Folder for the report; one that was interrupted is continued");
  command
      .add_option("--retrievers", arguments.retrievers,
                  "bm25, dense, dense-sentences, fusion, pagerank (default: all that the index can be asked by)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--depths", arguments.depths, "The k of recall at k")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "Of all draws")->capture_default_str();
  command.add_option("--threads", arguments.threads, "Questions at a time; 0: as many as the machine has")
      ->capture_default_str();
  command.add_flag("--record", arguments.record, "Keep the episodes' traces in the folder, as traces.jsonl");
  command.add_flag("--quiet", arguments.quiet, "No progress on standard error");
  add_world_options(command, arguments);
  add_play_options(command, arguments);
  add_model_options(command, arguments);
  add_less_options(command, arguments);
}

Result<bench::BenchmarkOptions> benchmark_options(const BenchArguments& arguments, const Index& index) {
  bench::BenchmarkOptions options;
  options.policies = arguments.policies;
  if (options.policies == std::vector<std::string>{"none"}) options.policies.clear();
  options.arms.clear();
  for (const std::string& name : arguments.arms) {
    HARNESSG_ASSIGN(const bench::Arm arm, bench::arm_from_name(name));
    options.arms.push_back(arm);
  }
  for (const std::string& text : arguments.traces) {
    HARNESSG_ASSIGN(auto recorded, recorded_of(text));
    options.recorded.push_back(std::move(recorded));
  }
  if (!arguments.no_retrieval)
    options.retrievers = arguments.retrievers.empty() ? bench::retriever_names(index) : arguments.retrievers;
  if (arguments.depths.empty() ||
      std::find(arguments.depths.begin(), arguments.depths.end(), 0) != arguments.depths.end())
    return fail(ErrorCode::kInvalidArgument, "--depths needs numbers from 1");
  options.depths = arguments.depths;
  options.reach = !arguments.no_reach;
  options.selected = !arguments.no_selected;
  options.reasons = !arguments.no_reasons;
  options.rollouts = arguments.rollouts;
  options.seed = arguments.seed;
  options.threads = arguments.threads;
  return options;
}

Result<bench::ModelOptions> model_options(const BenchArguments& arguments) {
  bench::ModelOptions options = arguments.model;
  options.chat = arguments.api == "chat";
  options.constrain = !arguments.free_ids;
  if (!(arguments.timeout_seconds > 0 && arguments.timeout_seconds < 1e6))
    return fail(ErrorCode::kInvalidArgument, "--timeout {}: give seconds above 0", arguments.timeout_seconds);
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.timeout_seconds * 1000));
  if (arguments.api_key_env.empty()) return options;
  const char* const key = std::getenv(arguments.api_key_env.c_str());
  if (key == nullptr)
    return fail(ErrorCode::kInvalidArgument, "--api-key-env: the variable {} is not set", arguments.api_key_env);
  options.api_key = key;
  return options;
}

}  // namespace harnessg
