// EAGER's figures on real records: speed of parsing and scoring, gold and damaged outputs.
//
//   eager_bench EVENTS_FOLDER
//
// EVENTS_FOLDER holds phee_dev.jsonl, phee_train.jsonl.gz and wikievents_dev.jsonl.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/figure.h"
#include "credit/rewards/eager/corruptions.h"
#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/output_format.h"

namespace harnessg::eager {
namespace {

constexpr double kTargetOutputsPerSecond = 100'000;
constexpr std::size_t kTargetCorruptions = 3'000;
constexpr int kRounds = 7;

struct EventSet {
  std::vector<Instance> instances;
  SchemaSet schemas;
};

// One instance of the set and an output for it.
struct Case {
  const Instance* instance = nullptr;
  std::string output;
};

// Time that this thread had a core for: what other programs do on the machine has little part in it.
class Stopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = now();
};

Result<EventSet> read_set(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(std::vector<EventRecord> records, read_event_records(file));
  EventSet set;
  HARNESSG_ASSIGN(set.schemas, SchemaSet::of_records(records));
  for (EventRecord& record : records) {
    HARNESSG_ASSIGN(Instance instance, Instance::make(std::move(record)));
    set.instances.push_back(std::move(instance));
  }
  return set;
}

std::string gold_output(const EventSet& set, const Instance& instance) {
  return format_output(extraction_of(instance.record().events), set.schemas);
}

// Gold outputs, and as many damaged ones.
std::vector<Case> cases_of(const EventSet& set) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < set.instances.size(); ++i) {
    const Instance& instance = set.instances[i];
    cases.push_back({&instance, gold_output(set, instance)});
    const auto corruption = static_cast<Corruption>(i % kCorruptions);
    if (auto corrupted = corrupt(instance, set.schemas, corruption, i)) {
      cases.push_back({&instance, std::move(corrupted->output)});
    }
  }
  return cases;
}

// Best of some rounds over all cases, on this thread.
double outputs_per_second(const EventSet& set, const std::vector<Case>& cases) {
  double best = 0;
  double sum = 0;  // so that nothing is left out
  for (int round = 0; round < kRounds; ++round) {
    const Stopwatch watch;
    for (const Case& one : cases) {
      sum += judge(*one.instance, parse_output(one.output, {.schemas = &set.schemas})).rewards[Reward::kAccuracy];
    }
    best = std::max(best, static_cast<double>(cases.size()) / watch.seconds());
  }
  return sum > 0 ? best : 0;
}

void print_speed(const EventSet& set) {
  const std::vector<Case> cases = cases_of(set);
  std::size_t bytes = 0;
  for (const Case& one : cases) bytes += one.output.size();
  fmt::print(stderr, "{} outputs of {} bytes on average\n", cases.size(), bytes / cases.size());
  const double rate = outputs_per_second(set, cases);
  bench::print_figure("eager_outputs_per_second", std::round(rate), "1/s",
                      fmt::format(">= {}", kTargetOutputsPerSecond), rate >= kTargetOutputsPerSecond);
}

// Time a byte of an output of `copies` events against that of one a tenth as long.
void print_linearity(const EventSet& set) {
  const auto& longest = *std::max_element(set.instances.begin(), set.instances.end(),
                                          [](const auto& a, const auto& b) { return a.arguments() < b.arguments(); });
  const auto seconds_per_byte = [&](std::size_t copies) {
    Extraction events;
    const Extraction gold = extraction_of(longest.record().events);
    for (std::size_t i = 0; i < copies; ++i) events.insert(events.end(), gold.begin(), gold.end());
    const std::string output = format_output(events, set.schemas);
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
      const Stopwatch watch;
      judge(longest, parse_output(output, {.schemas = &set.schemas}));
      best = std::min(best, watch.seconds());
    }
    return best / static_cast<double>(output.size());
  };
  const double ratio = seconds_per_byte(10'000) / seconds_per_byte(1'000);
  bench::print_figure("eager_time_per_byte_10x_length", std::round(ratio * 100) / 100, "ratio", "<= 2", ratio <= 2);
}

struct GoldTally {
  std::size_t records = 0;
  std::size_t accurate = 0;           // of all records: accuracy 1
  std::size_t verbatim = 0;           // every span's text stands in the text
  std::size_t perfect = 0;            // of these: 1 on every reward
  std::size_t granted = 0;            // of these: 1 on every reward with grant_nothing_due
  std::size_t without_arguments = 0;  // of these: no argument in gold
  std::size_t paper_boundary = 0;     // of these: the published boundary is not its literal value 0
  std::size_t fixed_boundary = 0;     // of these: the fixed boundary is 1
  std::size_t below = 0;              // of the others: grounding below 1, all else 1
};

bool all_1(const Judgement& judgement) {
  const auto& values = judgement.rewards.values;
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 1; });
}

bool below_in_grounding(Judgement judgement) {
  const bool below = judgement.rewards[Reward::kGrounding] < 1;
  judgement.rewards[Reward::kGrounding] = 1;
  return below && all_1(judgement);
}

void tally_gold(const EventSet& set, GoldTally& tally) {
  for (const Instance& instance : set.instances) {
    const auto output = parse_output(gold_output(set, instance), {.schemas = &set.schemas});
    const Judgement judgement = judge(instance, output);
    tally.records += 1;
    tally.accurate += judgement.rewards[Reward::kAccuracy] == 1 ? 1 : 0;
    const GoldFaults& faults = instance.faults();
    if (faults.not_verbatim + faults.without_span + faults.other_text > 0) {
      tally.below += below_in_grounding(judgement) ? 1 : 0;
      continue;
    }
    tally.verbatim += 1;
    tally.perfect += all_1(judgement) ? 1 : 0;
    tally.granted += all_1(judge(instance, output, {.grant_nothing_due = true})) ? 1 : 0;
    tally.without_arguments += instance.arguments() == 0 ? 1 : 0;
    tally.paper_boundary += judgement.boundary.paper() != 0 ? 1 : 0;
    tally.fixed_boundary += judgement.rewards[Reward::kBoundary] == 1 ? 1 : 0;
  }
}

void print_gold(const std::vector<EventSet>& sets) {
  GoldTally tally;
  for (const EventSet& set : sets) tally_gold(set, tally);
  const auto print = [](const char* name, std::size_t value, std::size_t target) {
    bench::print_figure(name, value, "records", fmt::format("{}", target), value == target);
  };
  bench::print_figure("eager_gold_verbatim_records", tally.verbatim, "records", "> 0", tally.verbatim > 0);
  print("eager_gold_scoring_1_with_grant_nothing_due", tally.granted, tally.verbatim);
  print("eager_gold_scoring_1_as_published", tally.perfect, tally.verbatim - tally.without_arguments);
  print("eager_gold_boundary_fixed_1", tally.fixed_boundary, tally.verbatim);
  print("eager_gold_boundary_paper_not_0", tally.paper_boundary, 0);
  const std::size_t pieces = tally.records - tally.verbatim;
  bench::print_figure("eager_gold_not_verbatim_records", pieces, "records", "grounding alone below 1",
                      pieces > 0 && tally.below == pieces,
                      {{"of", tally.records}, {"grounding_alone_below", tally.below}});
  print("eager_gold_accuracy_1", tally.accurate, tally.records);
}

void print_corruptions(const std::vector<EventSet>& sets) {
  std::size_t made = 0;
  std::size_t right = 0;
  for (const EventSet& set : sets) {
    for (std::uint64_t seed = 0; seed < 1600; ++seed) {
      const Instance& instance = set.instances[seed * 37 % set.instances.size()];
      const auto corrupted = corrupt(instance, set.schemas, static_cast<Corruption>(seed % kCorruptions), seed);
      if (!corrupted) continue;
      ++made;
      const Judgement judgement = judge(instance, parse_output(corrupted->output, {.schemas = &set.schemas}));
      bool all = true;
      for (std::size_t i = 0; i < kRewards; ++i) {
        const double value = judgement.rewards.values[i];
        const Move move = corrupted->moves[i];
        const bool moved = move == Move::kSame ? value == 1 : move == Move::kDown ? value < 1 : value == 0;
        all = all && moved;
      }
      right += all ? 1 : 0;
    }
  }
  bench::print_figure("eager_corruptions", made, "outputs", fmt::format(">= {}", kTargetCorruptions),
                      made >= kTargetCorruptions);
  bench::print_figure("eager_corruptions_moved_right", right, "outputs", fmt::format("{}", made), right == made);
}

int run(const std::filesystem::path& folder) {
  std::vector<EventSet> sets;
  for (const char* name : {"phee_dev.jsonl", "phee_train.jsonl.gz", "wikievents_dev.jsonl"}) {
    Result<EventSet> set = read_set(folder / name);
    if (!set) {
      fmt::print(stderr, "eager_bench: {}\n", set.error().message);
      return 1;
    }
    sets.push_back(std::move(*set));
  }
  print_speed(sets.front());
  print_linearity(sets.front());
  print_gold(sets);
  print_corruptions(sets);
  return 0;
}

}  // namespace
}  // namespace harnessg::eager

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: eager_bench EVENTS_FOLDER\n");
    return 2;
  }
  return harnessg::eager::run(arguments[1]);
}
