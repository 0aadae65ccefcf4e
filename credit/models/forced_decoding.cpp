#include "credit/models/forced_decoding.h"

#include <algorithm>
#include <utility>

#include "credit/models/answer_text.h"

namespace harnessg {
namespace {

constexpr std::size_t kLikeliest = 1'000;
constexpr std::size_t kAll = 10'000'000;
constexpr std::string_view kOpeningWord = "<answer>";

}  // namespace

Scored<ForcedDecoding::Tokens> ForcedDecoding::tokenize(std::string_view text, bool begins_prompt) const {
  const auto reply = server_.tokenize(
      {{"content", text}, {"add_special", begins_prompt}, {"parse_special", true}, {"with_pieces", true}});
  if (!reply) return tl::unexpected(reply.error());
  const nlohmann::json* list = field(*reply, "tokens");
  if (list == nullptr || !list->is_array()) {
    return not_scored(NotScoredReason::kBadReply, "the server's /tokenize gives no \"tokens\"");
  }
  Tokens tokens;
  for (const nlohmann::json& item : *list) {
    const nlohmann::json* id = field(item, "id");
    if (id == nullptr || !id->is_number_unsigned()) {
      return not_scored(NotScoredReason::kBadReply, "the server's /tokenize gives a token without \"id\"");
    }
    // "piece" is a list of bytes where it is no text.
    tokens.push_back({id->get<std::int64_t>(), text_field(item, "piece").has_value()});
  }
  return tokens;
}

// Those that follow the opening's in the tokens of both together.
Scored<ForcedDecoding::Tokens> ForcedDecoding::answer_tokens(const std::string& answer) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = answers_.find(answer); known != answers_.end()) return known->second;
  }
  auto both = tokenize(std::string(kAnswerOpening) + answer, false);
  if (!both) return both;
  const auto same = [](const Token& a, const Token& b) { return a.id == b.id; };
  if (both->size() <= opening_.size() || !std::equal(opening_.begin(), opening_.end(), both->begin(), same)) {
    return not_scored(NotScoredReason::kBadReply, "the model's tokens of \"{}{}\" do not begin with those of \"{}\"",
                      kOpeningWord, answer, kOpeningWord);
  }
  Tokens tokens(both->begin() + static_cast<std::ptrdiff_t>(opening_.size()), both->end());
  const std::lock_guard lock(mutex_);
  return answers_.try_emplace(answer, std::move(tokens)).first->second;
}

Scored<CompletionChoice> ForcedDecoding::complete(const nlohmann::json& prompt, std::span<const Token> tokens,
                                                  std::size_t alternatives) const {
  std::string grammar = "root ::=";
  for (const Token& token : tokens) grammar += fmt::format(" <[{}]>", token.id);
  nlohmann::json request = completion_request(model_, prompt, tokens.size());
  request["logprobs"] = alternatives;
  request["grammar"] = std::move(grammar);
  // A prompt taken from the cache is computed in other portions than a new one: a quantised model's log-probabilities
  // then differ by tenths, depending on what was asked before.
  request["cache_prompt"] = false;
  const auto reply = server_.completions(request);
  if (!reply) return tl::unexpected(reply.error());
  auto choices = read_choices(*reply, 1);
  if (!choices) return tl::unexpected(std::move(choices).error());
  const auto forced = [](const TokenLogprob& said, const Token& asked) { return said.id == asked.id; };
  const auto& said = choices->front().tokens;
  if (!std::equal(said.begin(), said.end(), tokens.begin(), tokens.end(), forced)) {
    return not_scored(NotScoredReason::kBadReply, "the server does not write the tokens that the grammar leaves it");
  }
  return std::move(choices->front());
}

Scored<std::vector<TokenLogprob>> ForcedDecoding::force(const nlohmann::json& prompt,
                                                        std::span<const Token> tokens) const {
  auto choice = complete(prompt, tokens, 1);
  if (!choice) return tl::unexpected(std::move(choice).error());
  return std::move(choice->tokens);
}

// The server says nothing about a token that ends within a character, so its log-probability is looked up among the
// alternatives to another token, at first the likeliest ones: the list of all is megabytes.
Scored<TokenLogprob> ForcedDecoding::look_up(const nlohmann::json& prompt, const Token& token) const {
  for (const std::size_t alternatives : {kLikeliest, kAll}) {
    auto choice = complete(prompt, std::span(opening_).first(1), alternatives);
    if (!choice) return tl::unexpected(std::move(choice).error());
    for (TokenAlternative& one : choice->tokens.front().alternatives) {
      if (one.id == token.id) return TokenLogprob{one.id, std::move(one.text), one.logprob, {}};
    }
  }
  return not_scored(NotScoredReason::kBadReply, "the server does not list token {} among the alternatives", token.id);
}

Scored<std::vector<TokenLogprob>> ForcedDecoding::force_one_by_one(const std::string& prompt,
                                                                   const Tokens& tokens) const {
  const auto before = tokenize(prompt, true);
  if (!before) return tl::unexpected(before.error());
  nlohmann::json ids = nlohmann::json::array();
  for (const Token& token : *before) ids.push_back(token.id);
  std::vector<TokenLogprob> said;
  for (const Token& token : tokens) {
    auto one = token.whole ? force(ids, {&token, 1}).map([](auto&& only) { return std::move(only.front()); })
                           : look_up(ids, token);
    if (!one) return tl::unexpected(std::move(one).error());
    said.push_back(*std::move(one));
    ids.push_back(token.id);
  }
  return said;
}

Scored<std::unique_ptr<LogprobSource>> ForcedDecoding::probe(const CompletionsServer& server, std::string_view model,
                                                             const NextToken& asked) {
  if (!asked.with_ids) {
    return not_scored(NotScoredReason::kBadReply, "the server's log-probabilities come without token ids");
  }
  std::unique_ptr<ForcedDecoding> source(new ForcedDecoding(server, model));
  auto opening = source->tokenize(kAnswerOpening, false);
  if (!opening) return tl::unexpected(std::move(opening).error());
  source->opening_ = *std::move(opening);
  if (source->opening_.empty()) {
    return not_scored(NotScoredReason::kBadReply, "the server's /tokenize gives no token for \"{}\"", kOpeningWord);
  }
  for (const TokenAlternative* word : {&asked.likely, &asked.unlikely}) {
    const Token token{*word->id, true};
    const auto said = source->force(asked.prompt, {&token, 1});
    if (!said) return tl::unexpected(said.error());
    const auto logprob = mean_logprob(*said);
    if (!logprob) return tl::unexpected(logprob.error());
    if (!agrees(asked, *word, *logprob)) {
      return not_scored(NotScoredReason::kBadReply,
                        "a grammar changes the server's log-probabilities (\"{}\" has {:.3f} without, {:.3f} with one)",
                        word->text, word->logprob, *logprob);
    }
  }
  return source;
}

Scored<double> ForcedDecoding::mean_logprob_of(const AnswerJob& job) const {
  const auto tokens = answer_tokens(job.answer);
  if (!tokens) return tl::unexpected(tokens.error());
  const bool whole = std::all_of(tokens->begin(), tokens->end(), [](const Token& token) { return token.whole; });
  const auto said = whole ? force(job.prompt, *tokens) : force_one_by_one(job.prompt, *tokens);
  if (!said) return tl::unexpected(said.error());
  return mean_logprob(*said);
}

std::vector<Scored<double>> ForcedDecoding::mean_logprobs(std::span<const AnswerJob> jobs) const {
  std::vector<Scored<double>> results;
  for (const AnswerJob& job : jobs) results.push_back(mean_logprob_of(job));
  return results;
}

}  // namespace harnessg
