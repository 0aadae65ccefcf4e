// EAGER's six rewards for one output (arXiv 2609.29230; docs/eager.md).
//
//   const Instance instance = Instance::make(record).value();
//   const Judgement judgement = judge(instance, parse_output(output, {.schemas = &schemas}));
//   judgement.rewards[Reward::kAccuracy];
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "credit/rewards/eager/boundary.h"
#include "credit/rewards/eager/extraction_counts.h"
#include "credit/rewards/eager/instance.h"
#include "credit/rewards/eager/output_parser.h"

namespace harnessg::eager {

enum class Reward : std::uint8_t { kFormat, kAccuracy, kGrounding, kOverGeneration, kCoverage, kBoundary };
inline constexpr std::size_t kRewards = 6;
inline constexpr std::array<std::string_view, kRewards> kRewardNames = {"format",          "accuracy", "grounding",
                                                                        "over_generation", "coverage", "boundary"};

struct RewardValues {
  std::array<double, kRewards> values{};

  double& operator[](Reward reward) { return values[static_cast<std::size_t>(reward)]; }
  double operator[](Reward reward) const { return values[static_cast<std::size_t>(reward)]; }
  friend bool operator==(const RewardValues&, const RewardValues&) = default;
};

struct RewardOptions {
  BoundaryVariant boundary = BoundaryVariant::kFixed;
  // Accuracy's F1 of a measure, and the fixed boundary, when there is nothing to find and nothing is claimed.
  double over_nothing = 1;
  // The published grounding and coverage count a share over nothing as 0, so that a text without arguments can earn
  // half of them at most. True: a share counts 1 when there is nothing to find and nothing is claimed.
  bool grant_nothing_due = false;
};

// An output that does not parse has 0 in every reward, whatever its gold.
struct Judgement {
  RewardValues rewards;
  std::optional<ParseFailure> failure;
  std::size_t events = 0;           // claimed
  std::size_t arguments = 0;        // claimed
  std::size_t empty_instances = 0;  // of the events: `Arrest()`
  MeasureCounts counts;             // of a failed output: gold's, with nothing predicted
  Boundary boundary;                // both variants
};

Judgement judge(const Instance& instance, const tl::expected<Extraction, ParseFailure>& output,
                const RewardOptions& options = {});

}  // namespace harnessg::eager
