#include "bindings/cli/reward_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "bindings/cli/output.h"
#include "bindings/cli/report_table.h"
#include "bindings/cli/reward_settings.h"
#include "credit/rewards/registry.h"
#include "credit/rewards/reward_advantages.h"
#include "credit/rewards/reward_file.h"
#include "credit/rewards/reward_report.h"

namespace harnessg {
namespace {

constexpr char kFooter[] =
    "FILE holds a rollout a line: a trace (docs/trace.md), a record of what was written and what is gold, or a record\n"
    "with its trace under \"trace\". docs/rewards.md tells what the rewards take and mean.\n"
    "\n"
    "Examples:\n"
    "  harnessg reward eager --in outputs.jsonl --groups id\n"
    "  harnessg reward eager --in outputs.jsonl --set schemas=schemas.jsonl --set weights.format=0.5 --json\n"
    "  harnessg reward answer_f1 --in traces.jsonl --groups question_id\n"
    "  harnessg reward --list";

struct RewardArguments {
  std::string name;
  std::string in;
  std::string groups;
  std::string settings;
  std::vector<std::string> set;
  std::string advantages = "rdn";
  bool json = false;
  bool list = false;
};

std::string figure(const RewardValue& value) { return value ? fmt::format("{:.4f}", *value) : "not judged"; }

Status list_rewards(bool json) {
  for (const std::string& name : reward_names()) {
    HARNESSG_RETURN_IF_ERROR(print(json ? Json{{"reward", name}}.dump() + '\n' : name + '\n'));
  }
  return {};
}

std::string table_of(const RewardPlugin& plugin, const RewardReport& report) {
  ReportTable table;
  std::size_t judged = 0;
  for (const EpisodeReward& episode : report.episodes) judged += episode.not_judged.empty() ? 1 : 0;
  table.row("rollouts", fmt::format("{} in {} groups", grouped(report.episodes.size()), grouped(report.groups.size())));
  if (judged < report.episodes.size()) table.row("judged in full", grouped(judged));
  const std::vector<RewardValue> means = mean_rewards(plugin, report);
  const Json& collapse = report.monitors.at("collapse");
  for (std::size_t i = 0; i < means.size(); ++i) {
    const RewardComponent& component = plugin.components()[i];
    std::string text = fmt::format("{}  weight {}", figure(means[i]), component.weight);
    if (component.level == RewardLevel::kEpisode && collapse.contains("components")) {
      const double rate = collapse.at("components").at(component.name).at("rate").get<double>();
      text += fmt::format("  collapsed in {:.1f} % of groups", 100 * rate);
    }
    table.row(component.name, text);
  }
  const Json& total = collapse.at("total");
  table.row("total",
            fmt::format("collapsed in {} of {} groups", total.at("collapsed").dump(), total.at("groups").dump()));
  for (const auto& [cause, count] : total.at("causes").items()) {
    if (count != 0) table.more(fmt::format("{}: {}", cause, count.dump()));
  }
  for (const auto& [name, monitor] : report.monitors.items()) {
    if (name != "collapse") table.row(name, monitor.dump());
  }
  return table.text();
}

DecouplingOptions advantage_options(const std::string& name) {
  return name == "gdpo" ? DecouplingOptions::gdpo() : DecouplingOptions::rdn();
}

Status print_json(const RewardPlugin& plugin, const RewardRollouts& rollouts, const RewardReport& report,
                  std::span<const RewardValue> advantages) {
  for (std::size_t i = 0; i < report.episodes.size(); ++i) {
    HARNESSG_RETURN_IF_ERROR(print(episode_reward_json(plugin, rollouts.inputs, report, advantages, i) + '\n'));
  }
  return print(reward_summary_json(plugin, report) + '\n');
}

Status run_reward(const RewardArguments& arguments) {
  if (arguments.list) return list_rewards(arguments.json);
  if (arguments.name.empty() || arguments.in.empty()) {
    return fail(ErrorCode::kInvalidArgument, "reward needs a NAME and --in FILE; --list tells the names");
  }
  HARNESSG_ASSIGN(const Json settings, reward_settings(arguments.settings, arguments.set));
  HARNESSG_ASSIGN(const std::unique_ptr<RewardPlugin> plugin, make_reward(arguments.name, settings));
  HARNESSG_ASSIGN(const RewardRollouts rollouts, read_rollouts(arguments.in, arguments.groups));
  if (rollouts.inputs.empty()) return fail(ErrorCode::kBadInput, "{} holds no rollout", arguments.in);
  HARNESSG_ASSIGN(const RewardReport report, score_rewards(*plugin, rollouts.inputs));
  HARNESSG_ASSIGN(const std::vector<RewardValue> advantages,
                  reward_advantages(*plugin, report, advantage_options(arguments.advantages)));
  if (arguments.json) return print_json(*plugin, rollouts, report, advantages);
  return print(table_of(*plugin, report));
}

}  // namespace

void add_reward_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("reward", "Say what rollouts earned, by a reward plugin");
  auto arguments = std::make_shared<RewardArguments>();
  command->add_option("NAME", arguments->name, "The reward; --list tells the names");
  command->add_option("--in", arguments->in, "Rollouts: JSON lines or one list; .gz, .zst, - for standard input");
  command->add_option("--groups", arguments->groups, "Key that tells rollouts of one question apart from others");
  command->add_option("--settings", arguments->settings, "File with the reward's settings, one JSON object");
  command->add_option("--set", arguments->set, "One setting, as KEY=VALUE; may be given again")->type_name("KEY=VALUE");
  command->add_option("--advantages", arguments->advantages, "How a group's rewards become advantages")
      ->check(CLI::IsMember({"rdn", "gdpo"}))
      ->capture_default_str();
  command->add_flag("--list", arguments->list, "Print the names of the rewards and leave");
  command->add_flag("--json", arguments->json, "One JSON object a rollout, and one of the batch at the end");
  command->footer(kFooter);
  command->callback([arguments, &work] { work = [arguments] { return run_reward(*arguments); }; });
}

}  // namespace harnessg
