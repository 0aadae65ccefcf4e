#include "bench/reach_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "bench/figure.h"

namespace harnessg::bench {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames = {"paragraphs", "sentences", "answer"};

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

class Report {
 public:
  Report(std::span<const QuestionReach> rows, const ReportOptions& options) : rows_(rows), options_(options) {
    for (const QuestionReach& row : rows) {
      for (std::size_t level = 0; level < kLevelNames.size(); ++level) asked_[level] += row.levels[level].asked ? 1 : 0;
    }
  }

  bool print() {
    print_questions();
    for (std::size_t level = 0; level < kLevelNames.size(); ++level) {
      if (asked_[level] > 0) print_level(level);
    }
    for (std::size_t policy = 0; policy < options_.policies.size(); ++policy) print_policy(policy);
    print_work();
    for (std::size_t level = 0; level < kLevelNames.size(); ++level) {
      if (asked_[level] > 0) print_misses(level);
    }
    print_missing();
    return all_hold_;
  }

 private:
  void figure(const std::string& name, double value, const std::string& unit) {
    const auto target = options_.targets.find(name);
    const bool has_target = target != options_.targets.end();
    const bool holds = !has_target || value >= target->second;
    all_hold_ = all_hold_ && holds;
    print_figure(fmt::format("{}_{}", name, options_.set), rounded(value), unit,
                 has_target ? fmt::format(">= {}", target->second) : "", holds);
  }

  // Share of the questions asked at a level for which `holds`, a function of their LevelReach.
  template <class Holds>
  void share(const std::string& name, std::size_t level, Holds holds) {
    std::size_t count = 0;
    for (const QuestionReach& row : rows_) count += row.levels[level].asked && holds(row.levels[level]) ? 1 : 0;
    figure(fmt::format("{}_{}", name, kLevelNames[level]),
           static_cast<double>(count) / static_cast<double>(asked_[level]), fmt::format("of {}", asked_[level]));
  }

  void print_questions() {
    std::size_t lacking = 0;
    for (const QuestionReach& row : rows_) lacking += row.missing.empty() ? 0 : 1;
    figure("questions", static_cast<double>(rows_.size()), "");
    figure("gold_not_in_corpus", static_cast<double>(lacking), "questions");
  }

  void print_level(std::size_t level) {
    share("first_view", level,
          [](const LevelReach& reach) { return reach.seen == Verdict::kReached && reach.actions == 0; });
    share("seen", level, [](const LevelReach& reach) { return reach.seen == Verdict::kReached; });
    share("greedy", level, [](const LevelReach& reach) { return reach.greedy; });
    if (options_.selected)
      share("selected", level, [](const LevelReach& reach) { return reach.selected == Verdict::kReached; });
    share("gave_up", level, [](const LevelReach& reach) {
      return reach.in_corpus && (reach.seen == Verdict::kUnknown || reach.selected == Verdict::kUnknown);
    });
  }

  // Mean over the questions asked at a level of a value of their PolicyReach.
  void mean(const std::string& name, std::size_t policy, std::size_t level, std::array<double, 3> PolicyReach::*value) {
    double sum = 0;
    for (const QuestionReach& row : rows_) {
      if (row.levels[level].asked) sum += (row.policies[policy].*value)[level];
    }
    figure(fmt::format("{}_{}_{}", options_.policies[policy], name, kLevelNames[level]),
           sum / static_cast<double>(asked_[level]), fmt::format("of {}", asked_[level]));
  }

  void print_policy(std::size_t policy) {
    for (std::size_t level = 0; level < kLevelNames.size(); ++level) {
      if (asked_[level] == 0) continue;
      mean("seen_all", policy, level, &PolicyReach::seen_all);
      if (level == 2) continue;
      mean("seen_recall", policy, level, &PolicyReach::seen_recall);
      mean("selected_recall", policy, level, &PolicyReach::selected_recall);
    }
    double at_a_loss = 0;
    for (const QuestionReach& row : rows_) at_a_loss += row.policies[policy].at_a_loss;
    figure(options_.policies[policy] + "_at_a_loss",
           at_a_loss / std::max<double>(1.0, static_cast<double>(rows_.size())), "of episodes");
  }

  void print_work() {
    std::uint64_t transitions = 0;
    std::uint64_t actions = 0;
    std::uint64_t menus = 0;
    double slowest = 0;
    for (const QuestionReach& row : rows_) {
      transitions += row.transitions;
      actions += row.menu_actions;
      menus += row.menus;
      slowest = std::max(slowest, row.seconds);
    }
    if (menus > 0) figure("mean_menu", static_cast<double>(actions) / static_cast<double>(menus), "actions");
    figure("transitions", static_cast<double>(transitions), "");
    figure("slowest_question", slowest, "s");
    figure("study_time", options_.seconds, "s");
  }

  void print_misses(std::size_t level) const {
    std::array<std::size_t, kMissReasons> counts{};
    std::size_t missed = 0;
    std::array<std::size_t, 8> actions{};
    for (const QuestionReach& row : rows_) {
      const LevelReach& reach = row.levels[level];
      if (!reach.asked) continue;
      if (reach.seen == Verdict::kReached && reach.in_corpus) {
        ++actions[std::min<std::size_t>(reach.actions, actions.size() - 1)];
      } else {
        ++missed;
        ++counts[static_cast<std::size_t>(reach.reason)];
      }
    }
    fmt::print(stderr, "\n{}: all seen after 0, 1, 2, ... actions: {}\n", kLevelNames[level], fmt::join(actions, " "));
    fmt::print(stderr, "{} of {} questions missed, by the largest want:\n", missed, asked_[level]);
    for (std::size_t reason = 0; reason < counts.size(); ++reason) {
      const auto name = reason_name(static_cast<MissReason>(reason));
      print_line(fmt::format("missed_{}_{}", name, kLevelNames[level]), counts[reason]);
      if (counts[reason] == 0) continue;
      fmt::print(stderr, "  {:<16} {:>5}  {:>6.2f} %  {}\n", name, counts[reason],
                 100.0 * static_cast<double>(counts[reason]) / static_cast<double>(asked_[level]),
                 reason_description(static_cast<MissReason>(reason)));
    }
  }

  // A figure of a table: JSON only.
  void print_line(const std::string& name, std::size_t count) const {
    const nlohmann::ordered_json line{{"name", fmt::format("{}_{}", name, options_.set)},
                                      {"value", count},
                                      {"unit", "questions"},
                                      {"target", ""},
                                      {"holds", true}};
    std::puts(line.dump().c_str());
  }

  void print_missing() const {
    for (const QuestionReach& row : rows_) {
      if (!row.missing.empty())
        fmt::print(stderr, "not in the corpus: question {}: {}\n", row.id, fmt::join(row.missing, "; "));
    }
  }

  const std::span<const QuestionReach> rows_;
  const ReportOptions& options_;
  std::array<std::size_t, 3> asked_{};
  bool all_hold_ = true;
};

}  // namespace

bool print_reach(std::span<const QuestionReach> rows, const ReportOptions& options) {
  return Report(rows, options).print();
}

}  // namespace harnessg::bench
