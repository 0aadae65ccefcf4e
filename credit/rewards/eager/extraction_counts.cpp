#include "credit/rewards/eager/extraction_counts.h"

#include <algorithm>
#include <compare>
#include <vector>

namespace harnessg::eager {
namespace {

// What a measure compares. What it leaves out is the same in all of its keys.
struct Key {
  std::uint64_t trigger = 0;
  std::uint64_t argument = 0;
  std::uint64_t names = 0;
  bool in_text = true;  // follows from the others

  friend auto operator<=>(const Key&, const Key&) = default;
};

bool of_arguments(Measure measure) {
  return measure != Measure::kTriggerIdentification && measure != Measure::kTriggerClassification;
}
bool with_trigger(Measure measure) {
  return measure != Measure::kArgumentIdentification && measure != Measure::kArgumentClassification;
}
bool with_type(Measure measure) { return measure != Measure::kTriggerIdentification; }
bool with_role(Measure measure) {
  return measure == Measure::kArgumentClassification || measure == Measure::kAttachedClassification;
}

template <class Event>
Key trigger_key(Measure measure, const Event& event) {
  Key key;
  if (with_trigger(measure)) {
    key.trigger = event.spot.value();
    key.in_text = event.spot.in_text();
  }
  if (with_type(measure)) key.names = std::uint64_t{event.type} << 32;
  return key;
}

template <class Argument>
Key argument_key(Measure measure, Key key, const Argument& argument) {
  key.argument = argument.spot.value();
  key.in_text = key.in_text && argument.spot.in_text();
  if (with_role(measure)) key.names |= argument.role;
  return key;
}

void gold_keys(const Instance& instance, Measure measure, std::vector<Key>& keys) {
  for (const PreparedEvent& event : instance.events()) {
    const Key trigger = trigger_key(measure, event);
    if (!of_arguments(measure)) keys.push_back(trigger);
    for (std::size_t i = 0; of_arguments(measure) && i < event.arguments.size(); ++i) {
      keys.push_back(argument_key(measure, trigger, event.arguments[i]));
    }
  }
}

void predicted_keys(const Placement& placement, Measure measure, std::vector<Key>& keys) {
  for (const PlacedEvent& event : placement.events) {
    const Key trigger = trigger_key(measure, event);
    if (!of_arguments(measure)) keys.push_back(trigger);
    for (std::size_t i = event.first_argument; of_arguments(measure) && i < event.last_argument; ++i) {
      keys.push_back(argument_key(measure, trigger, placement.arguments[i]));
    }
  }
}

// Sorted, with repeats of places in the text dropped.
void settle(std::vector<Key>& keys) {
  std::sort(keys.begin(), keys.end());
  const auto repeats = [](const Key& a, const Key& b) { return a.in_text && a == b; };
  keys.erase(std::unique(keys.begin(), keys.end(), repeats), keys.end());
}

std::size_t count_common(const std::vector<Key>& a, const std::vector<Key>& b) {
  std::size_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const auto order = *x <=> *y;
    common += order == 0 ? 1 : 0;
    if (order <= 0) ++x;
    if (order >= 0) ++y;
  }
  return common;
}

}  // namespace

MeasureCounts count_measures(const Instance& instance, const Placement& placement) {
  MeasureCounts counts;
  std::vector<Key> gold;
  std::vector<Key> predicted;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    gold.clear();
    predicted.clear();
    gold_keys(instance, static_cast<Measure>(i), gold);
    predicted_keys(placement, static_cast<Measure>(i), predicted);
    settle(gold);
    settle(predicted);
    counts[i] = {predicted.size(), gold.size(), count_common(gold, predicted)};
  }
  return counts;
}

double mean_f1(const MeasureCounts& counts, double over_nothing) {
  double sum = 0;
  for (const Counts& count : counts) sum += count.nothing() ? over_nothing : count.f1();
  return sum / static_cast<double>(kMeasures);
}

}  // namespace harnessg::eager
