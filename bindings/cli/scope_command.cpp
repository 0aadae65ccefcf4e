#include "bindings/cli/scope_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "bindings/cli/output.h"
#include "credit/selfplay/loop.h"

namespace harnessg {
namespace {

constexpr char kFooter[] =
    "Tasks are written from paragraphs, gated, solved and graded by stand-ins that know words only: no model is asked\n"
    "(docs/scope.md). DIR holds tasks.jsonl and report.jsonl; the same call on it goes on where one was interrupted.\n"
    "Scoring is lexical.\n"
    "\n"
    "Example:\n"
    "  harnessg scope my-index --iterations 3 --sources 20 --rollouts 8 --seed 1 --out loop";

struct ScopeArguments {
  std::string index;
  std::string out;
  selfplay::LoopOptions options;
};

Status run_scope(const ScopeArguments& arguments) {
  HARNESSG_RETURN_IF_ERROR(selfplay::check(arguments.options));
  HARNESSG_ASSIGN(const std::shared_ptr<const Index> index, Index::open(arguments.index));
  EnvironmentOptions options;
  options.config.scoring = Scoring::kLexical;
  HARNESSG_ASSIGN(const auto environment, Environment::create(index, std::move(options), nullptr));
  HARNESSG_ASSIGN(const std::string report,
                  selfplay::run_loop(*environment, selfplay::stand_in_roles, arguments.options, arguments.out));
  return print(report);
}

}  // namespace

void add_scope_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("scope", "Play SCOPE's self-play loop with stand-ins for its models");
  auto arguments = std::make_shared<ScopeArguments>();
  selfplay::LoopOptions& options = arguments->options;
  command->add_option("INDEX", arguments->index, "Folder of the index")->required();
  command->add_option("--out", arguments->out, "Folder for tasks and report")->required();
  command->add_option("--iterations", options.iterations, "Rounds of the loop")->capture_default_str();
  command->add_option("--sources", options.sources, "Paragraphs drawn an iteration")->capture_default_str();
  command->add_option("--rollouts", options.rollouts, "Episodes of the solver, a task")->capture_default_str();
  command->add_option("--hops", options.most_hops, "Most sentences joined to the source's")->capture_default_str();
  command->add_option("--seed", options.seed, "Seed of everything that is drawn")->capture_default_str();
  command->add_option("--challenger", options.challenger, "Policy that searches before a task is written")
      ->check(CLI::IsMember(selfplay::policy_names()))
      ->capture_default_str();
  command->add_option("--solver", options.solver, "Policy that solves")
      ->check(CLI::IsMember(selfplay::policy_names()))
      ->capture_default_str();
  command->footer(kFooter);
  command->callback([arguments, &work] { work = [arguments] { return run_scope(*arguments); }; });
}

}  // namespace harnessg
