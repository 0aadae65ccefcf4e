#include "credit/rewards/eager/rewards.h"

#include <algorithm>

namespace harnessg::eager {
namespace {

double share(std::size_t part, std::size_t whole, bool granted) {
  if (whole == 0) return granted ? 1 : 0;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t extra(std::size_t predicted, std::size_t gold) { return predicted > gold ? predicted - gold : 0; }

class Judge {
 public:
  Judge(const Instance& instance, const Extraction& extraction, const RewardOptions& options)
      : instance_(instance), extraction_(extraction), options_(options), placement_(place(instance, extraction)) {}

  Judgement judge() const {
    Judgement result;
    result.events = placement_.events.size();
    result.arguments = placement_.arguments.size();
    for (const ExtractedEvent& event : extraction_) result.empty_instances += event.empty() ? 1 : 0;
    result.counts = count_measures(instance_, placement_);
    result.boundary = measure_boundary(instance_, placement_, extraction_);
    RewardValues& rewards = result.rewards;
    rewards[Reward::kFormat] = 1;
    rewards[Reward::kAccuracy] = mean_f1(result.counts, options_.over_nothing);
    rewards[Reward::kGrounding] = grounding();
    rewards[Reward::kOverGeneration] = over_generation();
    rewards[Reward::kCoverage] = coverage();
    const bool fixed = options_.boundary == BoundaryVariant::kFixed;
    rewards[Reward::kBoundary] = fixed ? result.boundary.fixed(options_.over_nothing) : result.boundary.paper();
    return result;
  }

 private:
  std::size_t gold_events() const { return instance_.events().size(); }
  std::size_t gold_arguments() const { return instance_.arguments(); }
  bool granted(std::size_t due) const { return options_.grant_nothing_due && due == 0; }

  double grounding() const {
    const auto is_grounded = [](const auto& mention) { return mention.grounded; };
    const auto& [events, arguments] = placement_;
    const auto triggers_found = std::count_if(events.begin(), events.end(), is_grounded);
    const auto arguments_found = std::count_if(arguments.begin(), arguments.end(), is_grounded);
    return (share(static_cast<std::size_t>(triggers_found), events.size(), granted(gold_events())) +
            share(static_cast<std::size_t>(arguments_found), arguments.size(), granted(gold_arguments()))) /
           2;
  }

  double over_generation() const {
    const std::size_t extras =
        extra(placement_.events.size(), gold_events()) + extra(placement_.arguments.size(), gold_arguments());
    const std::size_t gold = std::max<std::size_t>(1, gold_events() + gold_arguments());
    return std::max(0.0, 1 - share(extras, gold, false));
  }

  double coverage() const {
    std::size_t events = 0;
    std::size_t arguments = 0;
    for (const ExtractedEvent& event : extraction_) {
      if (!event.in_schema) continue;
      events += 1;
      arguments += event.arguments.size();
    }
    return (covered(events, gold_events()) + covered(arguments, gold_arguments())) / 2;
  }

  double covered(std::size_t predicted, std::size_t gold) const {
    if (predicted == 0 && granted(gold)) return 1;
    return std::min(1.0, share(predicted, std::max<std::size_t>(1, gold), false));
  }

  const Instance& instance_;
  const Extraction& extraction_;
  const RewardOptions& options_;
  Placement placement_;
};

}  // namespace

Judgement judge(const Instance& instance, const tl::expected<Extraction, ParseFailure>& output,
                const RewardOptions& options) {
  if (output) return Judge(instance, *output, options).judge();
  Judgement result;
  result.failure = output.error();
  result.counts = count_measures(instance, Placement());
  return result;
}

}  // namespace harnessg::eager
