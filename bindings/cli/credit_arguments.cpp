#include "bindings/cli/credit_arguments.h"

#include <CLI/CLI.hpp>

namespace harnessg {
namespace {

constexpr char kStep[] = "Step credit (estimators snc and shapley)";
constexpr char kAnswerer[] = "Answerer (--scorer http:URL)";
constexpr char kRollout[] = "Rollouts (estimator rollout)";

void add_step_options(CLI::App& command, CreditArguments& arguments) {
  SncOptions& snc = arguments.snc;
  const auto number = [&](const char* name, double& value, const char* text) {
    command.add_option(name, value, text)->capture_default_str()->group(kStep);
  };
  number("--alpha", snc.alpha, "Weight of the frontier term");
  number("--beta", snc.beta, "Weight of enabling credit");
  number("--gamma", snc.gamma, "How much of the credit it received a step hands on, 0 to 1");
  number("--dead-zone", snc.dead_zone, "Smaller gains count 0");
  command.add_option("--baseline", arguments.baseline, "What a gain is measured against: of the alternatives' gains")
      ->check(CLI::IsMember({"mean", "max"}))
      ->capture_default_str()
      ->group(kStep);
  command
      .add_flag("--protect-enabling", snc.protect_enabling,
                "A negative frontier term counts 0 for a step with enabling credit")
      ->group(kStep);
  command.add_option("--shuffle-edges", snc.shuffle_edges, "A control: this seed draws every step's predecessors anew")
      ->group(kStep);
  number("--harvest-bonus", snc.harvest_bonus, "For the Select that first brings the answer text into the evidence");
}

void add_answerer_options(CLI::App& command, ScorerOptions& options) {
  command.add_option("--model", options.model, "Name of the model, where the server has several")->group(kAnswerer);
  command.add_option("--api-key-env", options.api_key_env, "Environment variable that holds the key")->group(kAnswerer);
  command
      .add_option("--prompt-prefix", options.prompt_prefix,
                  "Before every prompt: the part of a chat template that comes first")
      ->group(kAnswerer);
  command.add_option("--prompt-suffix", options.prompt_suffix, "After every prompt")->group(kAnswerer);
  command.add_option("--timeout", options.timeout_seconds, "Seconds for one request")
      ->capture_default_str()
      ->group(kAnswerer);
  command.add_option("--concurrency", options.concurrency, "Requests at a time")
      ->capture_default_str()
      ->group(kAnswerer);
  command.add_option("--retries", options.retries, "Of a request that failed in passing")
      ->capture_default_str()
      ->group(kAnswerer);
  command
      .add_option("--cache", options.cache_folder, "Folder where scores are kept, so that asking again costs nothing")
      ->group(kAnswerer);
}

void add_rollout_options(CLI::App& command, CreditArguments& arguments) {
  command.add_option("--index", arguments.index, "Folder of the index that the traces were recorded on")
      ->group(kRollout);
  command.add_option("--rollouts", arguments.rollout.rollouts, "Episodes played to the end after each action")
      ->capture_default_str()
      ->group(kRollout);
  command.add_option("--seed", arguments.rollout.seed, "Of the policy's draws")->capture_default_str()->group(kRollout);
  command.add_option("--threads", arguments.rollout.threads, "At most; 0: as many as the machine has")
      ->capture_default_str()
      ->group(kRollout);
  command
      .add_option("--value", arguments.value,
                  "What an end is worth: answer (the scorer's g of everything seen), or the share of the\n"
                  "supporting sentences of --questions that were seen, or selected")
      ->check(CLI::IsMember({"answer", "seen", "selected"}))
      ->capture_default_str()
      ->group(kRollout);
  command
      .add_option("--alternatives", arguments.alternatives,
                  "What the action taken is compared with: the menu, or the frontier that SNC has")
      ->check(CLI::IsMember({"menu", "frontier"}))
      ->capture_default_str()
      ->group(kRollout);
  command
      .add_option("--embedder", arguments.embedder,
                  "What encodes queries: minilm, or a folder with query.npy and queries.json\n"
                  "(default: minilm where the index was built with it)")
      ->group(kRollout);
  command.add_option("--embedder-folder", arguments.embedder_folder, "Folder with the weights of minilm")
      ->group(kRollout);
}

// Throws when an option of a group was given without what the group is for.
void refuse_group(const CLI::App& command, const char* group, const char* needed) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == group && option->count() > 0) throw CLI::RequiresError(option->get_name(), needed);
  }
}

}  // namespace

void add_credit_options(CLI::App& command, CreditArguments& arguments) {
  command.add_option("TRACES", arguments.traces, "Files of traces as play --json writes them; - is standard input")
      ->required();
  command.add_option("--questions", arguments.questions,
                     "A file of questions: answers (and supporting facts) of traces that have none");
  command.add_option("--estimator", arguments.estimator, "How a step's worth is measured")
      ->check(CLI::IsMember({"snc", "shapley", "rollout"}))
      ->capture_default_str();
  command
      .add_option("--scorer", arguments.scorer,
                  "What says how probable the answer is: lexical (a stand-in without a model), or http:URL,\n"
                  "a completions server as OpenAI has it")
      ->capture_default_str();
  command.add_flag("--explain", arguments.explain,
                   "Per step: the context before, the gain of the action taken and of each alternative, the edges");
  command.add_flag("--json", arguments.json, "One JSON object a trace (docs/credit.md) instead of a table");
  command.add_flag("--allow-uncredited", arguments.allow_uncredited,
                   "Exit status 0 although some traces have no credit; they are named all the same");
  add_step_options(command, arguments);
  add_answerer_options(command, arguments.scorer_options);
  add_rollout_options(command, arguments);
}

void check_credit_options(const CLI::App& command, CreditArguments& arguments) {
  const bool rollout = arguments.estimator == "rollout";
  if (rollout) {
    refuse_group(command, kStep, "--estimator snc or shapley");
    if (!arguments.index) throw CLI::RequiresError("--estimator rollout", "--index");
  } else {
    refuse_group(command, kRollout, "--estimator rollout");
  }
  const bool recall = rollout && arguments.value != "answer";
  if (recall && !arguments.questions) throw CLI::RequiresError("--value " + arguments.value, "--questions");
  if (recall && command.count("--scorer") > 0) throw CLI::ExcludesError("--value " + arguments.value, "--scorer");
  if (arguments.scorer == "lexical") refuse_group(command, kAnswerer, "--scorer http:URL");
  arguments.snc.baseline = arguments.baseline == "max" ? Baseline::kMax : Baseline::kMean;
  arguments.snc.enabling = arguments.estimator == "shapley" ? Enabling::kShapley : Enabling::kProvenance;
  arguments.rollout.alternatives =
      arguments.alternatives == "frontier" ? RolloutAlternatives::kFrontier : RolloutAlternatives::kMenu;
}

}  // namespace harnessg
