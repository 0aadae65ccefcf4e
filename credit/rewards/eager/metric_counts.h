// The six measures of event extraction and what they count (TextEE's definitions).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace harnessg::eager {

enum class Measure : std::uint8_t {
  kTriggerIdentification,   // TI: trigger span
  kTriggerClassification,   // TC: and event type
  kArgumentIdentification,  // AI: event type and argument span
  kArgumentClassification,  // AC: and role
  kAttachedIdentification,  // AI+: trigger span, event type and argument span
  kAttachedClassification,  // AC+: and role
};
inline constexpr std::size_t kMeasures = 6;
inline constexpr std::array<std::string_view, kMeasures> kMeasureNames = {"TI", "TC", "AI", "AC", "AI+", "AC+"};

struct Counts {
  std::size_t predicted = 0;
  std::size_t gold = 0;
  std::size_t matched = 0;

  // Fractions; over nothing 0.
  double precision() const { return ratio(matched, predicted); }
  double recall() const { return ratio(matched, gold); }
  double f1() const {
    const double p = precision();
    const double r = recall();
    return p + r == 0 ? 0 : 2 * p * r / (p + r);
  }
  bool nothing() const { return predicted == 0 && gold == 0; }

  Counts& operator+=(const Counts& other) {
    predicted += other.predicted;
    gold += other.gold;
    matched += other.matched;
    return *this;
  }
  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  static double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

using MeasureCounts = std::array<Counts, kMeasures>;

inline MeasureCounts& operator+=(MeasureCounts& total, const MeasureCounts& part) {
  for (std::size_t i = 0; i < kMeasures; ++i) total[i] += part[i];
  return total;
}

}  // namespace harnessg::eager
