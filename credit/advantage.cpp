#include "credit/advantage.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace harnessg {
namespace {

Status check_offsets(std::size_t episodes, std::size_t tokens, std::span<const std::size_t> offsets) {
  if (offsets.size() != episodes + 1 || offsets.front() != 0 || offsets.back() != tokens ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    return fail(ErrorCode::kInvalidArgument,
                "{} episodes with {} tokens need {} ascending offsets from 0 to {}, of which {} were given", episodes,
                tokens, episodes + 1, tokens, offsets.size());
  }
  return {};
}

Status check(const AdvantageOptions& options) {
  const bool positive = options.clamp > 0 && options.floor > 0 && options.epsilon > 0;
  if (positive && std::isfinite(options.lambda)) return {};
  return fail(ErrorCode::kInvalidArgument,
              "clamp ({}), floor ({}) and epsilon ({}) must be above 0 and lambda ({}) finite", options.clamp,
              options.floor, options.epsilon, options.lambda);
}

}  // namespace

Result<std::vector<double>> outcome_advantages(std::span<const double> outcomes, std::span<const std::size_t> groups,
                                               double epsilon) {
  if (outcomes.size() != groups.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} outcomes need {} groups, not {}", outcomes.size(), outcomes.size(),
                groups.size());
  }
  struct Moments {
    double count = 0;
    double mean = 0;
    double squares = 0;  // of deviations from the mean
  };
  std::unordered_map<std::size_t, Moments> moments;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Moments& group = moments[groups[i]];
    group.count += 1;
    group.mean += outcomes[i];
  }
  for (auto& [group, value] : moments) value.mean /= value.count;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Moments& group = moments[groups[i]];
    group.squares += (outcomes[i] - group.mean) * (outcomes[i] - group.mean);
  }
  std::vector<double> result;
  result.reserve(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Moments& group = moments[groups[i]];
    const bool alone = group.count == 1;
    result.push_back(alone ? outcomes[i]
                           : (outcomes[i] - group.mean) / (std::sqrt(group.squares / (group.count - 1)) + epsilon));
  }
  return result;
}

Result<std::vector<double>> spread_credit(std::span<const double> credit, std::span<const ActionSpan> spans,
                                          std::size_t length) {
  if (credit.size() != spans.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} turns need {} spans, not {}", credit.size(), credit.size(),
                spans.size());
  }
  std::vector<double> tokens(length, 0.0);
  std::size_t end = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto [begin, stop] = spans[i];
    const bool empty = begin == stop;
    if (begin > stop || stop > length || (empty && credit[i] != 0) || (!empty && begin < end)) {
      return fail(ErrorCode::kInvalidArgument,
                  "the span {}..{} of turn {} must follow the one before it (which ends at {}), end by {}, and hold "
                  "something where the turn has credit",
                  begin, stop, i, end, length);
    }
    if (empty) continue;
    end = stop;
    std::fill(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(stop),
              credit[i] / static_cast<double>(stop - begin));
  }
  return tokens;
}

SncScale snc_scale(std::span<const double> tokens, double floor) {
  SncScale result;
  double mean = 0;
  for (const double token : tokens) {
    result.support += token != 0 ? 1 : 0;
    mean += token;
  }
  if (result.support > 0) {
    mean /= static_cast<double>(result.support);
    double squares = 0;
    for (const double token : tokens) squares += token != 0 ? (token - mean) * (token - mean) : 0;
    result.deviation = std::sqrt(squares / static_cast<double>(result.support));
  }
  result.scale = std::max(result.deviation, floor);
  return result;
}

std::vector<double> snc_advantages(std::span<const double> tokens, const SncScale& scale, double clamp) {
  std::vector<double> result(tokens.size());
  std::transform(tokens.begin(), tokens.end(), result.begin(),
                 [&](double token) { return std::clamp(token / scale.scale, -clamp, clamp); });
  return result;
}

std::vector<double> total_advantages(double outcome, std::span<const double> snc, double lambda) {
  std::vector<double> result(snc.size());
  std::transform(snc.begin(), snc.end(), result.begin(),
                 [&](double advantage) { return outcome + lambda * advantage; });
  return result;
}

Result<BatchAdvantages> batch_advantages(std::span<const double> outcomes, std::span<const std::size_t> groups,
                                         std::span<const double> tokens, std::span<const std::size_t> offsets,
                                         const AdvantageOptions& options) {
  HARNESSG_RETURN_IF_ERROR(check(options));
  HARNESSG_RETURN_IF_ERROR(check_offsets(outcomes.size(), tokens.size(), offsets));
  BatchAdvantages result;
  HARNESSG_ASSIGN(result.outcome, outcome_advantages(outcomes, groups, options.epsilon));
  result.scale = snc_scale(tokens, options.floor);
  result.snc = snc_advantages(tokens, result.scale, options.clamp);
  result.total.reserve(tokens.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto own = std::span<const double>(result.snc).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    const std::vector<double> total = total_advantages(result.outcome[i], own, options.lambda);
    result.total.insert(result.total.end(), total.begin(), total.end());
  }
  return result;
}

}  // namespace harnessg
