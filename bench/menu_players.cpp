#include <fmt/ranges.h>

#include <algorithm>

#include "bench/model_player.h"
#include "bench/oracle.h"
#include "bench/player.h"
#include "bench/policies.h"
#include "bench/reader.h"

namespace harnessg::bench {
namespace {

constexpr std::string_view kOracle = "greedy-oracle";

bool draws_by_name(std::string_view name) { return name.starts_with("random"); }

// Ends an episode that is over with the reader's answer.
Result<Trace> read_and_trace(const Environment& environment, Episode& episode) {
  if (episode.ended()) {
    HARNESSG_RETURN_IF_ERROR(environment.answer(
        episode, read_answer(environment.index(), episode.question().text, episode.selected(), episode.seen())));
  }
  return environment.trace(episode);
}

class PolicyPlayer final : public Player {
 public:
  PolicyPlayer(std::shared_ptr<const Environment> environment, std::unique_ptr<Policy> policy)
      : Player(std::string(policy->name()), Arm::kMenu),
        environment_(std::move(environment)),
        policy_(std::move(policy)) {}
  bool draws() const override { return draws_by_name(name()); }

  Result<Trace> play(const Task& task, const Gold&) const override {
    HARNESSG_ASSIGN(PolicyRun run, run_policy(*environment_, *policy_, task));
    return read_and_trace(*environment_, run.episode);
  }

 private:
  const std::shared_ptr<const Environment> environment_;
  const std::unique_ptr<Policy> policy_;
};

// Gold that is a paragraph, else a sentence, else the answer.
UnitMask goal_of(const Gold& gold) {
  for (const UnitKind kind : {UnitKind::kParagraph, UnitKind::kSentence, UnitKind::kAnswer})
    if (gold.units(kind) != 0) return gold.units(kind);
  return 0;
}

class GreedyOraclePlayer final : public Player {
 public:
  explicit GreedyOraclePlayer(std::shared_ptr<const Environment> environment)
      : Player(std::string(kOracle), Arm::kMenu), environment_(std::move(environment)) {}
  bool draws() const override { return false; }

  // Searches until all gold is seen or one turn is left, then selects gold on display and answers.
  Result<Trace> play(const Task& task, const Gold& gold) const override {
    HARNESSG_ASSIGN(Episode episode, environment_->reset(task));
    const UnitMask goal = goal_of(gold);
    while (!episode.over()) {
      HARNESSG_ASSIGN(const std::size_t position, choose(episode, gold, goal));
      HARNESSG_ASSIGN(const Outcome outcome, environment_->step(episode, position));
    }
    return read_and_trace(*environment_, episode);
  }

 private:
  Result<std::size_t> choose(const Episode& episode, const Gold& gold, UnitMask goal) const {
    const bool last = actions_left(*environment_, episode) == 0;
    const bool seen_all = (goal & ~gold.found_by_all(episode.seen())) == 0;
    const UnitMask selected = gold.found_by_all(episode.selected());
    const ActionKind wanted = last ? ActionKind::kAnswerWith : ActionKind::kSelect;
    const Menu& menu = episode.menu();
    for (std::size_t i = 0; (last || seen_all) && i < menu.size(); ++i) {
      if (menu[i].kind == wanted && (gold.found_by(menu[i].sentence()) & goal & ~selected) != 0) return i;
    }
    if (!last && !seen_all) {
      HARNESSG_ASSIGN(const std::size_t best, greedy_choice(*environment_, episode, gold, goal));
      if (best < menu.size()) return best;
    }
    return end_of(menu);
  }

  // Answer; directly after the first view, where there is none, the first AnswerWith.
  static std::size_t end_of(const Menu& menu) {
    std::size_t end = menu.size() - 1;
    for (std::size_t i = menu.size(); i-- > 0;) {
      if (menu[i].kind == ActionKind::kAnswer) return i;
      if (menu[i].kind == ActionKind::kAnswerWith) end = i;
    }
    return end;
  }

  const std::shared_ptr<const Environment> environment_;
};

}  // namespace

std::string_view arm_name(Arm arm) {
  return arm == Arm::kMenu ? kArmMenu : arm == Arm::kFree ? kArmFreeQuery : kArmMatched;
}

Result<Arm> arm_from_name(std::string_view name) {
  if (name == kArmMenu) return Arm::kMenu;
  if (name == kArmFreeQuery || name == "free") return Arm::kFree;
  if (name == kArmMatched || name == "matched") return Arm::kMatched;
  return fail(ErrorCode::kInvalidArgument, "there is no arm \"{}\"; there are menu, free and matched", name);
}

std::vector<std::string> player_names() {
  std::vector<std::string> names = policy_names();
  names.emplace_back(kOracle);
  names.emplace_back("http:URL");
  return names;
}

Result<std::unique_ptr<Player>> make_menu_player(std::string_view name, const PlayerSetup& setup) {
  if (name == kOracle) return std::make_unique<GreedyOraclePlayer>(setup.environment);
  HARNESSG_ASSIGN(auto policy, make_policy(name, *setup.environment, setup.scorer));
  return std::make_unique<PolicyPlayer>(setup.environment, std::move(policy));
}

Result<std::unique_ptr<Player>> make_player(std::string_view name, Arm arm, const PlayerSetup& setup) {
  if (is_model_name(name)) return make_model_player(name, arm, setup);
  const auto names = player_names();
  if (std::find(names.begin(), names.end() - 1, name) == names.end() - 1) {
    return fail(ErrorCode::kInvalidArgument, "there is no policy \"{}\"; there are: {}", name, fmt::join(names, ", "));
  }
  return arm == Arm::kMenu ? make_menu_player(name, setup) : make_free_player(name, arm, setup);
}

}  // namespace harnessg::bench
