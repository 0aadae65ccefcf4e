#include "credit/rewards/eager/corruptions.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/output_format.h"
#include "tests/data/shared_data.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

struct EventSet {
  std::vector<Instance> instances;
  SchemaSet schemas;
};

EventSet read_set(const std::filesystem::path& file) {
  const auto records = read_event_records(file);
  REQUIRE(records);
  EventSet set;
  set.schemas = SchemaSet::of_records(*records).value();
  for (const EventRecord& record : *records) set.instances.push_back(Instance::make(record).value());
  return set;
}

RewardValues score(const EventSet& set, const Instance& instance, const std::string& output,
                   const RewardOptions& options = {}) {
  return judge(instance, parse_output(output, {.schemas = &set.schemas}), options).rewards;
}

bool is_verbatim(const Instance& instance) {
  const GoldFaults& faults = instance.faults();
  return faults.not_verbatim + faults.without_span + faults.other_text == 0;
}

const char* const kSets[] = {"data/events/phee_dev.jsonl", "data/events/phee_train.jsonl.gz",
                             "data/events/wikievents_dev.jsonl"};

}  // namespace

TEST_CASE("gold of every record whose spans stand verbatim in its text scores 1 on every reward") {
  std::size_t verbatim = 0;
  std::size_t without_arguments = 0;
  std::size_t others = 0;
  for (const char* name : kSets) {
    const auto file = shared_data(name);
    if (!file) return;
    const EventSet set = read_set(*file);
    for (const Instance& instance : set.instances) {
      const std::string output = format_output(extraction_of(instance.record().events), set.schemas);
      const RewardValues granted = score(set, instance, output, {.grant_nothing_due = true});
      const RewardValues literal = score(set, instance, output);
      CHECK_MESSAGE(granted[Reward::kAccuracy] == 1, instance.record().id);
      if (!is_verbatim(instance)) {
        ++others;
        continue;
      }
      ++verbatim;
      const RewardValues all_granted{{1, 1, 1, 1, 1, 1}};
      CHECK_MESSAGE(granted == all_granted, instance.record().id);
      const double share = instance.arguments() == 0 ? 0.5 : 1;
      without_arguments += instance.arguments() == 0 ? 1 : 0;
      const RewardValues published{{1, 1, share, 1, share, 1}};
      CHECK_MESSAGE(literal == published, instance.record().id);
      CHECK(score(set, instance, output, {.boundary = BoundaryVariant::kPaper})[Reward::kBoundary] == 0);
    }
  }
  MESSAGE(verbatim, " records verbatim, ", without_arguments, " of them without an argument; ", others,
          " with mentions in several pieces");
  CHECK(without_arguments == 1);
  CHECK(verbatim == 3404);
  CHECK(others == 475);
}

TEST_CASE("three thousand corruptions move the rewards they should, in the right direction, and no other") {
  std::map<std::string_view, std::size_t> made;
  std::size_t total = 0;
  for (const char* name : kSets) {
    const auto file = shared_data(name);
    if (!file) return;
    const EventSet set = read_set(*file);
    for (std::uint64_t seed = 0; seed < 1600; ++seed) {
      const Instance& instance = set.instances[seed * 37 % set.instances.size()];
      const auto corruption = static_cast<Corruption>(seed % kCorruptions);
      const auto corrupted = corrupt(instance, set.schemas, corruption, seed);
      if (!corrupted) continue;
      const RewardValues rewards = score(set, instance, corrupted->output);
      for (std::size_t i = 0; i < kRewards; ++i) {
        const Move move = corrupted->moves[i];
        const bool moved = move == Move::kSame   ? rewards.values[i] == 1
                           : move == Move::kDown ? rewards.values[i] < 1
                                                 : rewards.values[i] == 0;
        CHECK_MESSAGE(moved, corruption_name(corruption), " of ", instance.record().id, ": ", kRewardNames[i], " ",
                      rewards.values[i], "\n", corrupted->output);
      }
      ++made[corruption_name(corruption)];
      ++total;
    }
  }
  for (const auto& [name, count] : made) MESSAGE(std::string(name), ": ", count);
  CHECK(made.size() == kCorruptions);
  CHECK(total >= 3000);
}
