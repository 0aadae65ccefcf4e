// How well a detector of typed gaps does, always beside flagging every step and flagging none.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credit/rewards/stepgap/routing.h"
#include "data/json_records.h"

namespace harnessg::stepgap {

struct Counts {
  std::size_t tp = 0;
  std::size_t fp = 0;
  std::size_t tn = 0;
  std::size_t fn = 0;

  void add(bool gold, bool predicted);
};

// Of a yes/no decision, 0 to 1; 0 / 0 is 0.
struct DecisionScore {
  Counts counts;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::optional<double> balanced_accuracy;  // nullopt: gold has one class only
  std::optional<double> mcc;                // nullopt: gold or predictions have one class only
};
DecisionScore score_counts(const Counts& counts);

struct LabelledStep {
  Gap gold = Gap::kNone;
  std::optional<Gap> predicted;  // nullopt: not judged, left out of every count
};
using LabelledQuestion = std::vector<LabelledStep>;

// A step is positive when it has a gap of any type, a question when one of its judged steps has.
struct DetectionScore {
  DecisionScore step;
  DecisionScore question;
};

struct GapReport {
  DetectionScore detector;
  DetectionScore flag_everything;
  DetectionScore flag_nothing;
  std::array<DecisionScore, 3> by_type;  // CC, IE, MB, each against the rest
  double flag_rate = 0;                  // of the judged steps
  std::size_t not_judged = 0;            // steps
  std::string remark;                    // one sentence on a detector that flags 95 % of the steps, or none; else ""
};
GapReport score_gaps(std::span<const LabelledQuestion> questions);

// The whole report, in an object; a missing value is null.
Json to_json(const GapReport& report);

}  // namespace harnessg::stepgap
