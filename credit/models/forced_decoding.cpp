#include "credit/models/forced_decoding.h"

#include <algorithm>
#include <utility>

#include "credit/models/answer_text.h"

namespace harnessg {

Scored<ForcedDecoding::Tokens> ForcedDecoding::tokenize(std::string_view text) const {
  const auto reply =
      server_.tokenize({{"content", text}, {"add_special", false}, {"parse_special", true}, {"with_pieces", true}});
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
    tokens.push_back({id->get<std::int64_t>(), text_field(item, "piece").value_or("")});
  }
  return tokens;
}

// Those that follow the opening's in the tokens of both together.
Scored<ForcedDecoding::Tokens> ForcedDecoding::answer_tokens(const std::string& answer) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = answers_.find(answer); known != answers_.end()) return known->second;
  }
  auto both = tokenize(std::string(kAnswerOpening) + answer);
  if (!both) return both;
  const auto same = [](const Token& a, const Token& b) { return a.id == b.id; };
  if (both->size() <= opening_.size() || !std::equal(opening_.begin(), opening_.end(), both->begin(), same)) {
    return not_scored(NotScoredReason::kBadReply, "the model's tokens of \"{}{}\" do not begin with those of \"{}\"",
                      kAnswerOpening, answer, kAnswerOpening);
  }
  Tokens tokens(both->begin() + static_cast<std::ptrdiff_t>(opening_.size()), both->end());
  const std::lock_guard lock(mutex_);
  return answers_.try_emplace(answer, std::move(tokens)).first->second;
}

Scored<std::vector<TokenLogprob>> ForcedDecoding::force(const std::string& prompt, const Tokens& tokens) const {
  std::string grammar = "root ::=";
  for (const Token& token : tokens) grammar += fmt::format(" <[{}]>", token.id);
  nlohmann::json request = completion_request(model_, prompt, tokens.size());
  request["grammar"] = std::move(grammar);
  // A prompt taken from the cache is computed in other portions than a new one: a quantised model's log-probabilities
  // then differ by tenths, depending on what was asked before.
  request["cache_prompt"] = false;
  const auto reply = server_.completions(request);
  if (!reply) return tl::unexpected(reply.error());
  auto choices = read_choices(*reply, 1);
  if (!choices) return tl::unexpected(std::move(choices).error());
  const auto forced = [](const TokenLogprob& said, const Token& asked) { return said.id == asked.id; };
  auto& said = choices->front().tokens;
  if (!std::equal(said.begin(), said.end(), tokens.begin(), tokens.end(), forced)) {
    return not_scored(NotScoredReason::kBadReply, "the server does not write the tokens that the grammar leaves it");
  }
  return std::move(said);
}

Scored<std::unique_ptr<LogprobSource>> ForcedDecoding::probe(const CompletionsServer& server, std::string_view model,
                                                             const NextToken& asked) {
  if (!asked.with_ids) {
    return not_scored(NotScoredReason::kBadReply, "the server's log-probabilities come without token ids");
  }
  std::unique_ptr<ForcedDecoding> source(new ForcedDecoding(server, model));
  auto opening = source->tokenize(kAnswerOpening);
  if (!opening) return tl::unexpected(std::move(opening).error());
  source->opening_ = *std::move(opening);
  for (const TokenAlternative* word : {&asked.likely, &asked.unlikely}) {
    const auto said = source->force(asked.prompt, {{*word->id, word->text}});
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
  const auto said = force(job.prompt, *tokens);
  if (!said) return tl::unexpected(said.error());
  const bool space_alone = tokens->size() > 1 && tokens->front().text == " ";
  return mean_logprob(std::span(*said).subspan(space_alone ? 1 : 0));
}

std::vector<Scored<double>> ForcedDecoding::mean_logprobs(std::span<const AnswerJob> jobs) const {
  std::vector<Scored<double>> results;
  for (const AnswerJob& job : jobs) results.push_back(mean_logprob_of(job));
  return results;
}

}  // namespace harnessg
