#include "credit/token_credit.h"

#include <doctest/doctest.h>

#include <numeric>

#include "credit/response_spans.h"
#include "data/splitmix.h"

using namespace harnessg;

namespace {

using Spans = std::vector<ActionSpan>;

std::vector<std::size_t> owners(const Spans& spans, const Spans& tokens) { return token_owners(spans, tokens).value(); }

bool operator==(const Spans& a, const std::vector<std::pair<std::size_t, std::size_t>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].begin != b[i].first || a[i].end != b[i].second) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a token belongs to the span it lies in") {
  CHECK(owners({{2, 6}, {8, 10}}, {{0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 12}}) ==
        std::vector<std::size_t>{kNoSpan, 0, 0, kNoSpan, 1, kNoSpan});
}

TEST_CASE("a token that reaches over an edge belongs to the span, however little of it lies there") {
  // ">\n<" before the span, "></" at its end
  CHECK(owners({{10, 20}}, {{8, 11}, {11, 19}, {19, 22}}) == std::vector<std::size_t>{0, 0, 0});
}

TEST_CASE("between two spans a token goes to the one with more of it, and to the earlier one when they are equal") {
  CHECK(owners({{0, 5}, {5, 10}}, {{0, 4}, {4, 6}, {6, 10}}) == std::vector<std::size_t>{0, 0, 1});
  CHECK(owners({{0, 5}, {5, 10}}, {{0, 4}, {4, 7}, {7, 10}}) == std::vector<std::size_t>{0, 1, 1});
  CHECK(owners({{0, 5}, {6, 7}, {8, 20}}, {{4, 12}}) == std::vector<std::size_t>{2});
}

TEST_CASE("special tokens have no characters and belong to no span; tokens of one character's bytes all do") {
  CHECK(owners({{0, 4}}, {{0, 0}, {0, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 2}, {2, 4}, {0, 0}}) ==
        std::vector<std::size_t>{kNoSpan, 0, 0, 0, 0, kNoSpan, 0, kNoSpan});
}

TEST_CASE("the tokens of a span sum to its credit") {
  const auto tokens = token_credit(std::vector{0.6, 0.0, -0.3}, Spans{{0, 5}, {5, 5}, {7, 9}},
                                   Spans{{0, 0}, {0, 2}, {2, 4}, {4, 6}, {6, 7}, {7, 9}})
                          .value();
  CHECK(tokens == std::vector<double>{0, 0.6 / 3, 0.6 / 3, 0.6 / 3, 0, -0.3});
}

TEST_CASE("random spans and tokens never lose or invent credit") {
  SplitMix bits(5);
  for (int round = 0; round < 2000; ++round) {
    Spans spans;
    std::vector<double> credit;
    for (std::size_t at = 0; at < 60; at = spans.back().end) {
      const std::size_t begin = at + bits.next() % 4;
      spans.push_back({begin, begin + 3 + bits.next() % 6});
      credit.push_back(static_cast<double>(bits.next() % 100) / 50 - 1);
    }
    Spans tokens;
    for (std::size_t at = 0; at < 80; at = tokens.back().end) tokens.push_back({at, at + 1 + bits.next() % 2});
    const auto result = token_credit(credit, spans, tokens).value();
    const double expected = std::accumulate(credit.begin(), credit.end(), 0.0);
    CHECK(std::abs(std::accumulate(result.begin(), result.end(), 0.0) - expected) < 1e-12);
  }
}

TEST_CASE("credit that no token could carry is an error") {
  const auto code = [](const Spans& spans, const Spans& tokens) {
    return token_credit(std::vector<double>(spans.size(), 1.0), spans, tokens).error().code;
  };
  CHECK(code({{5, 8}}, {{0, 5}, {8, 9}}) == ErrorCode::kInvalidArgument);
  CHECK(code({{5, 5}}, {{0, 9}}) == ErrorCode::kInvalidArgument);
  CHECK(code({{5, 8}, {7, 9}}, {{0, 9}}) == ErrorCode::kInvalidArgument);
  CHECK(code({{8, 5}}, {{0, 9}}) == ErrorCode::kInvalidArgument);
  CHECK(code({{0, 5}}, {{3, 1}}) == ErrorCode::kInvalidArgument);
  CHECK_FALSE(token_credit(std::vector{1.0}, Spans{}, Spans{}).has_value());
  CHECK(token_credit(std::vector{0.0}, Spans{{5, 8}}, Spans{{0, 5}}).has_value());
}

TEST_CASE("the actions of a response are its query blocks, counted in code points") {
  const ResponseSpans spans = response_spans(
      "é<query>{\"query\": \"INIT\"}</query><knowledge>a <query>x</query></knowledge>"
      "<query>{\"query\": \"A1\"}</query><answer>東京</answer>");
  CHECK(spans.actions == std::vector<std::pair<std::size_t, std::size_t>>{{1, 33}, {74, 104}});
  CHECK(spans.observations == std::vector<std::pair<std::size_t, std::size_t>>{{33, 74}});
  CHECK(spans.answers == std::vector<std::pair<std::size_t, std::size_t>>{{104, 123}});
}

TEST_CASE("a block that is not closed is none, but an observation that is cut off goes to the end") {
  CHECK(response_spans("<query>A1 and no end").actions.empty());
  CHECK(response_spans("<answer>").answers.empty());
  const ResponseSpans cut = response_spans("<query>A1</query><knowledge>text <query>A2</query>");
  CHECK(cut.actions.size() == 1);
  CHECK(cut.observations == std::vector<std::pair<std::size_t, std::size_t>>{{17, 50}});
  CHECK(response_spans("").actions.empty());
  CHECK(response_spans("a < b <").actions.empty());
}
