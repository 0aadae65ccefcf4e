#include "credit/models/token_logprobs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harnessg {
namespace {

using nlohmann::json;

constexpr double kRounding = 1e-3;  // a log-probability of single precision may come out that much above 0

auto lacks(std::string_view what) {
  return not_scored(NotScoredReason::kBadReply, "the server's reply has no {}", what);
}

std::optional<std::int64_t> id_of(const json& token) {
  const json* id = field(token, "id");
  if (id == nullptr || !id->is_number_integer()) return std::nullopt;
  return id->get<std::int64_t>();
}

Scored<std::vector<TokenLogprob>> from_content(const json& content) {
  std::vector<TokenLogprob> tokens;
  for (const json& item : content) {
    const auto text = text_field(item, "token");
    if (!text) return lacks("text of a token");
    TokenLogprob& token = tokens.emplace_back(TokenLogprob{id_of(item), *text, number_field(item, "logprob"), {}});
    const json* top = field(item, "top_logprobs");
    if (top == nullptr || !top->is_array()) continue;
    for (const json& other : *top) {
      const auto other_text = text_field(other, "token");
      const auto logprob = number_field(other, "logprob");
      if (other_text && logprob) token.alternatives.push_back({id_of(other), *other_text, *logprob});
    }
  }
  return tokens;
}

Scored<std::vector<TokenLogprob>> from_lists(const json& logprobs) {
  const json* texts = field(logprobs, "tokens");
  const json* values = field(logprobs, "token_logprobs");
  const json* tops = field(logprobs, "top_logprobs");
  if (texts == nullptr || !texts->is_array() || values == nullptr || !values->is_array()) {
    return lacks("\"tokens\" and \"token_logprobs\"");
  }
  if (texts->size() != values->size()) {
    return not_scored(NotScoredReason::kBadReply, "the server's reply has {} tokens and {} log-probabilities",
                      texts->size(), values->size());
  }
  std::vector<TokenLogprob> tokens;
  for (std::size_t i = 0; i < texts->size(); ++i) {
    const json& text = (*texts)[i];
    const json& value = (*values)[i];
    if (!text.is_string() || !(value.is_number() || value.is_null())) return lacks("readable token");
    TokenLogprob& token = tokens.emplace_back();
    token.text = text.get<std::string>();
    if (value.is_number()) token.logprob = value.get<double>();
    if (tops == nullptr || !tops->is_array() || i >= tops->size() || !(*tops)[i].is_object()) continue;
    for (const auto& [other, logprob] : (*tops)[i].items()) {
      if (logprob.is_number()) token.alternatives.push_back({std::nullopt, other, logprob.get<double>()});
    }
  }
  return tokens;
}

Scored<CompletionChoice> read_choice(const json& choice) {
  auto text = text_field(choice, "text");
  if (!text) return lacks("\"text\"");
  const json* logprobs = field(choice, "logprobs");
  if (logprobs == nullptr || !logprobs->is_object()) return lacks("\"logprobs\"");
  const json* content = field(*logprobs, "content");
  auto tokens = content != nullptr && content->is_array() ? from_content(*content) : from_lists(*logprobs);
  if (!tokens) return tl::unexpected(std::move(tokens).error());
  return CompletionChoice{*std::move(text), *std::move(tokens)};
}

// Where a choice belongs: its "index", or, without one, its place.
std::size_t index_of(const json& choice, std::size_t place) {
  const json* index = field(choice, "index");
  return index != nullptr && index->is_number_unsigned() ? index->get<std::size_t>() : place;
}

}  // namespace

Scored<std::vector<CompletionChoice>> read_choices(const json& reply, std::size_t expected) {
  const json* list = field(reply, "choices");
  if (list == nullptr || !list->is_array()) return lacks("\"choices\"");
  if (list->size() != expected) {
    return not_scored(NotScoredReason::kBadReply, "the server gives {} choices for {} prompts", list->size(), expected);
  }
  std::vector<const json*> by_index(expected, nullptr);
  for (std::size_t place = 0; place < expected; ++place) {
    const std::size_t index = index_of((*list)[place], place);
    if (index >= expected || by_index[index] != nullptr) {
      return not_scored(NotScoredReason::kBadReply, "the server's choices are not numbered 0 to {}", expected - 1);
    }
    by_index[index] = &(*list)[place];
  }
  std::vector<CompletionChoice> choices;
  for (const json* choice : by_index) {
    auto read = read_choice(*choice);
    if (!read) return tl::unexpected(std::move(read).error());
    choices.push_back(*std::move(read));
  }
  return choices;
}

Scored<double> mean_logprob(std::span<const TokenLogprob> tokens) {
  double sum = 0;
  for (const TokenLogprob& token : tokens) {
    if (!token.logprob) return lacks("log-probability of a token of the answer");
    if (!std::isfinite(*token.logprob) || *token.logprob > kRounding) {
      return not_scored(NotScoredReason::kOutOfRange, "the server gives a token of the answer the log-probability {}",
                        *token.logprob);
    }
    sum += std::min(*token.logprob, 0.0);
  }
  if (tokens.empty()) return lacks("token of the answer");
  return sum / static_cast<double>(tokens.size());
}

}  // namespace harnessg
