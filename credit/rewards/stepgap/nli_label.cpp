#include "credit/rewards/stepgap/nli_label.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace harnessg::stepgap {
namespace {

constexpr std::array<std::pair<std::string_view, Entailment>, 3> kLabels{{{"entailment", Entailment::kEntails},
                                                                          {"neutral", Entailment::kNeutral},
                                                                          {"contradiction", Entailment::kContradicts}}};

bool equal_in_ascii_case(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

Judged<Entailment> nli_label(std::span<const std::string> names, std::span<const double> scores) {
  const bool all_named = std::all_of(kLabels.begin(), kLabels.end(), [&](const auto& label) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return equal_in_ascii_case(name, label.first); });
  });
  if (names.size() != kLabels.size() || !all_named) {
    return tl::unexpected(
        NotJudged{NotJudgedReason::kBadReply,
                  fmt::format("the model's labels are {}; they must be entailment, neutral and contradiction", names)});
  }
  if (scores.size() != names.size() ||
      !std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); })) {
    return tl::unexpected(NotJudged{NotJudgedReason::kBadReply, "the model must give three finite scores"});
  }
  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  const std::string& name = names[static_cast<std::size_t>(best)];
  return std::find_if(kLabels.begin(), kLabels.end(),
                      [&](const auto& label) { return equal_in_ascii_case(name, label.first); })
      ->second;
}

}  // namespace harnessg::stepgap
