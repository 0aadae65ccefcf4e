// SCOPE's figure: rollouts that the solver reward scores a second on one thread, graded by the stand-in.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench/figure.h"
#include "credit/rewards/registry.h"

namespace {

using namespace harnessg;

constexpr double kTargetRolloutsPerSecond = 10'000;
constexpr std::size_t kRollouts = 5'000;
constexpr int kRounds = 5;

// Three searches, an answer of 60 words, a rubric of six items.
Json rollout(std::size_t number) {
  Json turns = Json::array();
  for (int i = 0; i < 3; ++i) {
    turns.push_back({{"role", "assistant"}, {"content", "<think>Look it up.</think>\n<search>old mill</search>"}});
    turns.push_back({{"role", "user"}, {"content", "<information>The old mill made paper until 1931.</information>"}});
  }
  std::string answer;
  for (int i = 0; i < 6; ++i) answer += fmt::format("The old mill number {} made fine paper until {}. ", i, number);
  turns.push_back({{"role", "assistant"}, {"content", "<think>Done.</think>\n<answer>" + answer + "</answer>"}});
  Json rubric = Json::array();
  for (int i = 0; i < 6; ++i) rubric.push_back(fmt::format("States that the mill number {} made paper until 1931.", i));
  return {{"turns", turns}, {"rubric", rubric}};
}

}  // namespace

int main() {
  std::vector<RewardInput> inputs;
  for (std::size_t i = 0; i < kRollouts; ++i) inputs.push_back({"", nullptr, rollout(i), {}});
  const auto plugin = make_reward("scope_solver", {{"grader", "content_words"}});
  double best = 0;
  for (int round = 0; plugin && round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const auto report = score_rewards(**plugin, inputs);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!report || !report->episodes.back().total) {
      fmt::print(stderr, "scope_bench: a rollout has no score\n");
      return 1;
    }
    best = std::max(best, static_cast<double>(kRollouts) / seconds);
  }
  const bool holds = best >= kTargetRolloutsPerSecond;
  bench::print_figure("scope_rollouts_per_second", std::round(best), "1/s",
                      fmt::format(">= {}", kTargetRolloutsPerSecond), holds);
  return holds ? 0 : 1;
}
