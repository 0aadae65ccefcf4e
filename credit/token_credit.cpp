#include "credit/token_credit.h"

#include <algorithm>

namespace harnessg {
namespace {

Status check_spans(std::span<const ActionSpan> spans) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto [begin, stop] = spans[i];
    if (begin == stop) continue;
    if (begin > stop || begin < end) {
      return fail(ErrorCode::kInvalidArgument,
                  "the span {}..{} of turn {} must follow the one before it, which ends at {}", begin, stop, i, end);
    }
    end = stop;
  }
  return {};
}

// `filled` are the numbers of the spans that are not empty, in order.
std::size_t owner_of(const ActionSpan& token, std::span<const ActionSpan> spans, std::span<const std::size_t> filled) {
  auto at = std::upper_bound(filled.begin(), filled.end(), token.begin,
                             [&](std::size_t begin, std::size_t span) { return begin < spans[span].end; });
  std::size_t owner = kNoSpan;
  std::size_t most = 0;
  for (; at != filled.end() && spans[*at].begin < token.end; ++at) {
    const std::size_t shared = std::min(token.end, spans[*at].end) - std::max(token.begin, spans[*at].begin);
    if (shared <= most) continue;
    most = shared;
    owner = *at;
  }
  return owner;
}

}  // namespace

Result<std::vector<std::size_t>> token_owners(std::span<const ActionSpan> spans, std::span<const ActionSpan> tokens) {
  HARNESSG_RETURN_IF_ERROR(check_spans(spans));
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].begin != spans[i].end) filled.push_back(i);
  }
  std::vector<std::size_t> owners;
  owners.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].begin > tokens[i].end) {
      return fail(ErrorCode::kInvalidArgument, "token {} ends at {}, before it begins at {}", i, tokens[i].end,
                  tokens[i].begin);
    }
    owners.push_back(tokens[i].begin == tokens[i].end ? kNoSpan : owner_of(tokens[i], spans, filled));
  }
  return owners;
}

Result<std::vector<double>> token_credit(std::span<const double> credit, std::span<const ActionSpan> spans,
                                         std::span<const ActionSpan> tokens) {
  if (credit.size() != spans.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} turns need {} spans, not {}", credit.size(), credit.size(),
                spans.size());
  }
  HARNESSG_ASSIGN(const std::vector<std::size_t> owners, token_owners(spans, tokens));
  std::vector<std::size_t> counts(spans.size(), 0);
  for (const std::size_t owner : owners) {
    if (owner != kNoSpan) ++counts[owner];
  }
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (credit[i] == 0 || counts[i] > 0) continue;
    return fail(ErrorCode::kInvalidArgument,
                "the span {}..{} of turn {} has a credit of {} and no token; give the offsets of the same text",
                spans[i].begin, spans[i].end, i, credit[i]);
  }
  std::vector<double> tokens_credit;
  tokens_credit.reserve(tokens.size());
  for (const std::size_t owner : owners) {
    tokens_credit.push_back(owner == kNoSpan ? 0 : credit[owner] / static_cast<double>(counts[owner]));
  }
  return tokens_credit;
}

}  // namespace harnessg
