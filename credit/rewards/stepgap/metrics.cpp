#include "credit/rewards/stepgap/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harnessg::stepgap {
namespace {

constexpr double kDegenerateRate = 0.95;
constexpr std::array kTypes{Gap::kContradictedClaim, Gap::kIrrelevantEvidence, Gap::kMissingBridge};

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Gold classes stay; every decision becomes `flagged`.
DecisionScore constant(const Counts& counts, bool flagged) {
  const std::size_t positive = counts.tp + counts.fn;
  const std::size_t negative = counts.fp + counts.tn;
  return score_counts(flagged ? Counts{.tp = positive, .fp = negative} : Counts{.tn = negative, .fn = positive});
}

DetectionScore constant(const DetectionScore& score, bool flagged) {
  return {constant(score.step.counts, flagged), constant(score.question.counts, flagged)};
}

std::string remark_on(const GapReport& report) {
  const Counts& counts = report.detector.step.counts;
  if (counts.tp + counts.fp + counts.tn + counts.fn == 0) return "";
  if (report.flag_rate >= kDegenerateRate) {
    return fmt::format("degenerate: it flags {:.1f} % of the steps; its F1 is that of flagging everything",
                       100 * report.flag_rate);
  }
  return report.flag_rate == 0 ? "degenerate: it flags no step" : "";
}

Json value_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const DecisionScore& score) {
  const Counts& counts = score.counts;
  return {{"tp", counts.tp},
          {"fp", counts.fp},
          {"tn", counts.tn},
          {"fn", counts.fn},
          {"precision", score.precision},
          {"recall", score.recall},
          {"f1", score.f1},
          {"balanced_accuracy", value_of(score.balanced_accuracy)},
          {"mcc", value_of(score.mcc)}};
}

Json to_json(const DetectionScore& score) {
  return {{"step", to_json(score.step)}, {"question", to_json(score.question)}};
}

}  // namespace

void Counts::add(bool gold, bool predicted) {
  if (gold) {
    ++(predicted ? tp : fn);
  } else {
    ++(predicted ? fp : tn);
  }
}

DecisionScore score_counts(const Counts& counts) {
  const auto [tp, fp, tn, fn] = counts;
  DecisionScore score;
  score.counts = counts;
  score.precision = ratio(tp, tp + fp);
  score.recall = ratio(tp, tp + fn);
  score.f1 = ratio(2 * tp, 2 * tp + fp + fn);
  if (tp + fn == 0 || fp + tn == 0) return score;
  score.balanced_accuracy = (score.recall + ratio(tn, tn + fp)) / 2;
  if (tp + fp == 0 || tn + fn == 0) return score;
  const auto real = [](std::size_t count) { return static_cast<double>(count); };
  score.mcc = (real(tp) * real(tn) - real(fp) * real(fn)) /
              std::sqrt(real(tp + fp) * real(tp + fn) * real(tn + fp) * real(tn + fn));
  return score;
}

GapReport score_gaps(std::span<const LabelledQuestion> questions) {
  GapReport report;
  Counts steps;
  Counts whole;
  std::array<Counts, kTypes.size()> types;
  for (const LabelledQuestion& question : questions) {
    bool gold = false;
    bool predicted = false;
    std::size_t judged = 0;
    for (const LabelledStep& step : question) {
      if (!step.predicted) continue;
      ++judged;
      gold |= step.gold != Gap::kNone;
      predicted |= *step.predicted != Gap::kNone;
      steps.add(step.gold != Gap::kNone, *step.predicted != Gap::kNone);
      for (std::size_t i = 0; i < kTypes.size(); ++i)
        types[i].add(step.gold == kTypes[i], *step.predicted == kTypes[i]);
    }
    report.not_judged += question.size() - judged;
    if (judged > 0) whole.add(gold, predicted);
  }
  report.detector = {score_counts(steps), score_counts(whole)};
  report.flag_everything = constant(report.detector, true);
  report.flag_nothing = constant(report.detector, false);
  std::transform(types.begin(), types.end(), report.by_type.begin(), score_counts);
  report.flag_rate = ratio(steps.tp + steps.fp, steps.tp + steps.fp + steps.tn + steps.fn);
  report.remark = remark_on(report);
  return report;
}

Json to_json(const GapReport& report) {
  Json types = Json::object();
  for (std::size_t i = 0; i < kTypes.size(); ++i) types[std::string(gap_name(kTypes[i]))] = to_json(report.by_type[i]);
  return {{"detector", to_json(report.detector)},
          {"flag_everything", to_json(report.flag_everything)},
          {"flag_nothing", to_json(report.flag_nothing)},
          {"by_type", types},
          {"flag_rate", report.flag_rate},
          {"not_judged", report.not_judged},
          {"remark", report.remark}};
}

}  // namespace harnessg::stepgap
