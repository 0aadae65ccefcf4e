#include "bench/collapse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "credit/rewards/group_monitor.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

using SeenSet = std::vector<SentenceId>;  // ascending

// By target, so that one action under two ids is one: menus renumber at every step.
std::string form_of(const TraceStep& step) {
  const std::string_view event = event_name(step.event);
  if (!step.position || *step.position >= step.menu_before.size()) return fmt::format("{} {}", event, step.text);
  return fmt::format("{} {}", event, step.menu_before[*step.position].target);
}

double jaccard(const SeenSet& a, const SeenSet& b) {
  SeenSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  const std::size_t all = a.size() + b.size() - both.size();
  return all == 0 ? 1 : static_cast<double>(both.size()) / static_cast<double>(all);
}

// Components under "overlaps enough": each set takes the label of those it is linked to.
std::size_t linked_classes(const std::vector<SeenSet>& sets) {
  std::vector<std::size_t> label(sets.size());
  std::size_t classes = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    label[i] = i;
    ++classes;
    for (std::size_t j = 0; j < i; ++j) {
      if (label[j] == label[i] || jaccard(sets[i], sets[j]) < kAlike) continue;
      const std::size_t old = label[j];
      std::replace(label.begin(), label.begin() + static_cast<std::ptrdiff_t>(i), old, i);
      --classes;
    }
  }
  return classes;
}

}  // namespace

Played played_of(const Trace& trace) {
  Played played;
  played.seen = trace.seen;
  played.selected = trace.selected;
  played.answered = trace.answer.has_value();
  if (trace.answer) played.answer = *trace.answer;
  played.turns = trace.turns;
  std::set<std::string> asked;
  for (const TraceStep& step : trace.steps) {
    if (step.event == Event::kInit) continue;
    const std::string form = form_of(step);
    played.form += form + '\n';
    played.blocked += step.event == Event::kInvalid ? 1 : 0;
    if (step.event != Event::kLookup && step.event != Event::kQuery) continue;
    ++played.lookups;
    played.with_news += step.outcome.new_sentences.empty() ? 0 : 1;
    played.repeated += asked.insert(form).second ? 0 : 1;
  }
  return played;
}

GroupCollapse group_collapse(std::span<const Played> rollouts) {
  std::vector<SeenSet> sets;
  std::set<std::string_view> forms;
  for (const Played& played : rollouts) {
    sets.push_back(played.seen);
    std::sort(sets.back().begin(), sets.back().end());
    forms.insert(played.form);
  }
  GroupCollapse collapse;
  collapse.classes = std::set<SeenSet>(sets.begin(), sets.end()).size();
  collapse.classes_alike = linked_classes(sets);
  collapse.query_forms = static_cast<double>(forms.size()) / static_cast<double>(rollouts.size());
  return collapse;
}

bool zero_advantage(std::span<const double> rewards) {
  double mean = 0;
  for (const double reward : rewards) mean += reward / static_cast<double>(rewards.size());
  double variance = 0;
  for (const double reward : rewards)
    variance += (reward - mean) * (reward - mean) / static_cast<double>(rewards.size());
  return std::sqrt(variance) < kCollapsedDeviation;
}

}  // namespace harnessg::bench
