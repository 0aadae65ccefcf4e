// EAGER's hand-checked values: RDN of four rewards, the boundary of known widths in both variants and its inversion,
// Korean spacing, offsets beyond the basic plane. No argument, no data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/figure.h"
#include "credit/rewards/eager/rewards.h"
#include "credit/rewards/group_advantages.h"
#include "credit/rewards/group_monitor.h"

namespace harnessg::eager {
namespace {

using nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

// A figure that must be `expected` when rounded to a multiple of `unit`.
void print_value(const std::string& name, double value, double expected, double unit) {
  bench::print_figure(name, rounded(value), "", fmt::format("{}", expected), std::abs(value - expected) < unit / 2);
}

// The words w0 w1 ... of a text.
std::string words(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "w" : " w") + std::to_string(i);
  return text;
}

// A record of one event with one argument.
EventRecord record_of(const std::string& text, const Mention& trigger, const Mention& argument) {
  GoldEvent event;
  event.type = "Event";
  event.trigger = trigger;
  event.arguments.push_back({"role", argument});
  EventRecord record;
  record.id = "record";
  record.text = text;
  record.events.push_back(std::move(event));
  return record;
}

Result<Judgement> judged(const EventRecord& record, const std::string& output, const MatchOptions& match = {}) {
  HARNESSG_ASSIGN(const Instance instance, Instance::make(record, match));
  return judge(instance, parse_output(output));
}

// Of an output that claims `claimed` words where gold has `gold`.
Result<Boundary> boundary_of(std::size_t gold, std::size_t claimed) {
  const std::string text = words(std::max(gold, claimed) + 1);
  const EventRecord record = record_of(text, {"w0", Span{0, 2}}, {words(gold), Span{0, words(gold).size()}});
  HARNESSG_ASSIGN(const Judgement judgement, judged(record, fmt::format("[Event('w0', role='{}')]", words(claimed))));
  return judgement.boundary;
}

Status print_advantages() {
  const std::vector<std::vector<double>> rewards = {{0.8}, {0.3}, {0.6}, {0.5}};
  const std::vector<std::size_t> groups(rewards.size(), 0);
  HARNESSG_ASSIGN(const std::vector<double> advantages, decoupled_advantages(rewards, groups));
  const double expected[] = {1.39, -1.39, 0.28, -0.28};
  for (std::size_t i = 0; i < advantages.size(); ++i) {
    print_value(fmt::format("eager_rdn_of_{}", rewards[i][0]), advantages[i], expected[i], 0.01);
  }
  return {};
}

Status print_boundary() {
  const struct {
    std::size_t gold, claimed;
    double value;
  } cases[] = {{3, 4, 0.417}, {20, 21, 0.902}};
  for (const auto& one : cases) {
    HARNESSG_ASSIGN(const Boundary boundary, boundary_of(one.gold, one.claimed));
    print_value(fmt::format("eager_boundary_{}_to_{}_paper", one.gold, one.claimed), boundary.paper(), one.value, 1e-3);
    print_value(fmt::format("eager_boundary_{}_to_{}_fixed", one.gold, one.claimed), boundary.fixed(1), one.value,
                1e-3);
  }
  HARNESSG_ASSIGN(const Boundary exact, boundary_of(3, 3));
  print_value("eager_boundary_exact_paper", exact.paper(), 0, 1e-9);
  print_value("eager_boundary_exact_fixed", exact.fixed(1), 1, 1e-9);
  return {};
}

// A group of an exact answer and three that are one, two and three words too wide.
Status print_inversions() {
  std::vector<double> paper;
  std::vector<double> fixed;
  for (const std::size_t claimed : {20, 21, 22, 23}) {
    HARNESSG_ASSIGN(const Boundary boundary, boundary_of(20, claimed));
    paper.push_back(boundary.paper());
    fixed.push_back(boundary.fixed(1));
  }
  const std::vector<std::size_t> group(paper.size(), 0);
  HARNESSG_ASSIGN(const Inversions published, count_inversions(paper, fixed, group));
  HARNESSG_ASSIGN(const Inversions mended, count_inversions(fixed, fixed, group));
  const ordered_json of{{"ordered_pairs", published.ordered}};
  bench::print_figure("eager_inversions_paper", published.inverted, "pairs", "3", published.inverted == 3, of);
  bench::print_figure("eager_inversions_fixed", mended.inverted, "pairs", "0",
                      mended.inverted == 0 && mended.ordered == 6, of);
  return {};
}

Status print_spacing() {
  const EventRecord record = record_of("정부는 2조 원을 투자했다.", {"투자", Span{10, 12}}, {"2조 원", Span{4, 8}});
  const std::string output = "[Event('투자', role='2 조 원')]";
  HARNESSG_ASSIGN(const Judgement plain, judged(record, output));
  HARNESSG_ASSIGN(const Judgement spaced, judged(record, output, {.number_spacing = true, .width = true}));
  print_value("eager_korean_grounding_plain", plain.rewards[Reward::kGrounding], 0.5, 1e-9);
  print_value("eager_korean_grounding_number_spacing", spaced.rewards[Reward::kGrounding], 1, 1e-9);
  bench::print_figure("eager_korean_accuracy_plain", rounded(plain.rewards[Reward::kAccuracy]), "", "< 1",
                      plain.rewards[Reward::kAccuracy] < 1);
  print_value("eager_korean_accuracy_number_spacing", spaced.rewards[Reward::kAccuracy], 1, 1e-9);
  return {};
}

// Spans count code points: those of a text whose first characters take two UTF-16 units and four bytes.
Status print_code_points() {
  EventRecord record = record_of("😀😀 shot 𝔅ob, shot him 😀", {"shot", Span{13, 17}}, {"him 😀", Span{18, 23}});
  HARNESSG_ASSIGN(const Judgement judgement, judged(record, "[Event('shot', role='him \\U0001F600')]"));
  const auto ones = std::count(judgement.rewards.values.begin(), judgement.rewards.values.end(), 1.0);
  bench::print_figure("eager_beyond_basic_plane_rewards_of_1", ones, "rewards", "6", ones == 6);
  record.events[0].trigger.span = Span{15, 19};  // where UTF-16 units would put it
  HARNESSG_ASSIGN(const Instance shifted, Instance::make(record));
  bench::print_figure("eager_utf16_offsets_reported", shifted.faults().other_text, "mentions", "1",
                      shifted.faults().other_text == 1);
  return {};
}

int run() {
  for (const auto print : {print_advantages, print_boundary, print_inversions, print_spacing, print_code_points}) {
    if (const Status status = print(); !status) {
      fmt::print(stderr, "eager_values: {}\n", status.error().message);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace harnessg::eager

int main() { return harnessg::eager::run(); }
