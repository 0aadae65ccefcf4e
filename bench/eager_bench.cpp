// EAGER's figures: speed of parsing and scoring, gold and damaged outputs, fuzzing of the parser.
//
//   eager_bench EVENTS_FOLDER [--fuzz COUNT]
//
// EVENTS_FOLDER holds phee_dev.jsonl, phee_train.jsonl.gz and wikievents_dev.jsonl.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/figure.h"
#include "credit/rewards/eager/corruptions.h"
#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/output_format.h"
#include "tests/credit/output_fuzz.h"

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
  std::size_t verbatim = 0;
  std::size_t perfect = 0;            // of these: 1 on every reward
  std::size_t without_arguments = 0;  // of the others: no argument in gold
  std::size_t not_verbatim = 0;
  std::size_t paper_boundary = 0;  // verbatim records whose published boundary is not its literal value 0
};

void tally_gold(const EventSet& set, GoldTally& tally) {
  for (const Instance& instance : set.instances) {
    const GoldFaults& faults = instance.faults();
    if (faults.not_verbatim + faults.without_span + faults.other_text > 0) {
      ++tally.not_verbatim;
      continue;
    }
    const auto output = parse_output(gold_output(set, instance), {.schemas = &set.schemas});
    const Judgement judgement = judge(instance, output);
    const auto& values = judgement.rewards.values;
    const bool perfect = std::all_of(values.begin(), values.end(), [](double value) { return value == 1; });
    ++tally.verbatim;
    tally.perfect += perfect ? 1 : 0;
    tally.without_arguments += !perfect && instance.arguments() == 0 ? 1 : 0;
    tally.paper_boundary += judgement.boundary.paper() != 0 ? 1 : 0;
  }
}

void print_gold(const std::vector<EventSet>& sets) {
  GoldTally tally;
  for (const EventSet& set : sets) tally_gold(set, tally);
  bench::print_figure("eager_gold_verbatim_records", tally.verbatim, "records", "> 0", tally.verbatim > 0);
  bench::print_figure("eager_gold_scoring_1", tally.perfect, "records",
                      fmt::format("{} (all with arguments)", tally.verbatim - tally.without_arguments),
                      tally.perfect + tally.without_arguments == tally.verbatim);
  bench::print_figure("eager_gold_in_pieces", tally.not_verbatim, "records", "counted", true);
  bench::print_figure("eager_gold_paper_boundary_not_0", tally.paper_boundary, "records", "0",
                      tally.paper_boundary == 0);
}

void print_corruptions(const std::vector<EventSet>& sets) {
  std::size_t made = 0;
  std::size_t wrong = 0;
  for (const EventSet& set : sets) {
    for (std::uint64_t seed = 0; seed < 1600; ++seed) {
      const Instance& instance = set.instances[seed * 37 % set.instances.size()];
      const auto corrupted = corrupt(instance, set.schemas, static_cast<Corruption>(seed % kCorruptions), seed);
      if (!corrupted) continue;
      ++made;
      const Judgement judgement = judge(instance, parse_output(corrupted->output, {.schemas = &set.schemas}));
      for (std::size_t i = 0; i < kRewards; ++i) {
        const double value = judgement.rewards.values[i];
        const Move move = corrupted->moves[i];
        const bool moved = move == Move::kSame ? value == 1 : move == Move::kDown ? value < 1 : value == 0;
        wrong += moved ? 0 : 1;
      }
    }
  }
  bench::print_figure("eager_corruptions", made, "outputs", fmt::format(">= {}", kTargetCorruptions),
                      made >= kTargetCorruptions);
  bench::print_figure("eager_corruptions_moved_wrongly", wrong, "rewards", "0", wrong == 0);
}

void print_fuzz(const EventSet& set, std::uint64_t count) {
  const Stopwatch watch;
  std::uint64_t read = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const bool strict = seed % 2 == 0;
    read += parse_output(fuzzed_output(seed), {.schemas = strict ? &set.schemas : nullptr}).has_value() ? 1 : 0;
  }
  fmt::print(stderr, "{} of {} fuzzed outputs were lists, {:.1f} s\n", read, count, watch.seconds());
  bench::print_figure("eager_fuzz_inputs_survived", count, "inputs", "no crash, no hang", true);
}

int run(const std::filesystem::path& folder, std::uint64_t fuzz) {
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
  if (fuzz > 0) print_fuzz(sets.front(), fuzz);
  return 0;
}

}  // namespace
}  // namespace harnessg::eager

int main(int count, char** arguments) {
  const bool with_fuzz = count == 4 && std::string_view(arguments[2]) == "--fuzz";
  if (count != 2 && !with_fuzz) {
    fmt::print(stderr, "usage: eager_bench EVENTS_FOLDER [--fuzz COUNT]\n");
    return 2;
  }
  return harnessg::eager::run(arguments[1], with_fuzz ? std::strtoull(arguments[3], nullptr, 10) : 0);
}
