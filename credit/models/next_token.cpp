#include "credit/models/next_token.h"

#include <algorithm>
#include <cmath>

namespace harnessg {
namespace {

using nlohmann::json;

constexpr int kAlternatives = 5;  // as many as OpenAI's interface lists
constexpr double kSmallestGap = 0.01;
constexpr double kLargestDifference = 0.5;
constexpr std::string_view kText = "Paris is the capital of France. London is the capital of";

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return text.size() > 1 && text.front() == ' ' && std::all_of(text.begin() + 1, text.end(), is_letter);
}

double gap(const NextToken& asked) { return asked.likely.logprob - asked.unlikely.logprob; }

}  // namespace

json completion_request(std::string_view model, const json& prompt, std::size_t max_tokens) {
  json request{{"prompt", prompt}, {"max_tokens", max_tokens}, {"temperature", 0}, {"logprobs", 1}};
  if (!model.empty()) request["model"] = model;
  return request;
}

Scored<NextToken> ask_next_token(const CompletionsServer& server, std::string_view model, std::string_view prefix) {
  NextToken asked;
  asked.prompt = std::string(prefix).append(kText);
  json request = completion_request(model, asked.prompt, 1);
  request["logprobs"] = kAlternatives;
  const auto reply = server.completions(request);
  if (!reply) return tl::unexpected(reply.error());
  const auto choices = read_choices(*reply, 1);
  if (!choices) return tl::unexpected(choices.error());
  const auto& tokens = choices->front().tokens;
  if (tokens.size() != 1) {
    return not_scored(NotScoredReason::kBadReply, "the server shows {} tokens where one was asked for", tokens.size());
  }
  std::vector<TokenAlternative> words;
  for (const TokenAlternative& one : tokens.front().alternatives) {
    if (is_word(one.text)) words.push_back(one);
  }
  const auto by_logprob = [](const TokenAlternative& a, const TokenAlternative& b) { return a.logprob < b.logprob; };
  if (words.empty()) return not_scored(NotScoredReason::kBadReply, "the server lists no words that may come next");
  asked.likely = *std::max_element(words.begin(), words.end(), by_logprob);
  asked.unlikely = *std::min_element(words.begin(), words.end(), by_logprob);
  asked.with_ids = asked.likely.id && asked.unlikely.id;
  if (gap(asked) < kSmallestGap) {
    return not_scored(NotScoredReason::kBadReply, "the server lists no two words of different log-probability");
  }
  return asked;
}

bool agrees(const NextToken& asked, const TokenAlternative& token, double logprob) {
  return std::abs(token.logprob - logprob) <= std::min(kLargestDifference, gap(asked) / 3);
}

}  // namespace harnessg
