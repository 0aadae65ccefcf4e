#include "credit/models/prompt_logprobs.h"

#include <algorithm>
#include <utility>

namespace harnessg {
namespace {

using nlohmann::json;
using Tokens = std::span<const TokenLogprob>;

constexpr std::size_t kJobsPerRequest = 8;

json echo_request(std::string_view model, const json& prompt) {
  json request = completion_request(model, prompt, 1);  // 0 means "as many as fit" to llama-cpp-python
  request["echo"] = true;
  return request;
}

// The last tokens whose texts are `answer`.
std::optional<Tokens> last_tokens(Tokens tokens, std::string_view answer) {
  std::string joined;
  for (std::size_t begin = tokens.size(); begin > 0 && joined.size() < answer.size();) {
    --begin;
    joined.insert(0, tokens[begin].text);
    if (joined == answer) return tokens.subspan(begin);
  }
  return std::nullopt;
}

tl::unexpected<NotScored> no_echo() {
  return not_scored(NotScoredReason::kBadReply, "the server does not repeat the prompt (\"echo\")");
}

bool begins_with(Tokens tokens, Tokens head) {
  const auto same = [](const TokenLogprob& a, const TokenLogprob& b) { return a.text == b.text; };
  return tokens.size() >= head.size() && std::equal(head.begin(), head.end(), tokens.begin(), same);
}

}  // namespace

Scored<Tokens> answer_tokens(const CompletionChoice& choice, const AnswerJob& job) {
  const std::string sent = job.prompt + job.answer;
  if (!choice.text.starts_with(sent)) return no_echo();
  const Tokens tokens(choice.tokens);
  const Tokens without_last = tokens.first(tokens.size() - std::min<std::size_t>(1, tokens.size()));
  const bool added = choice.text.size() > sent.size();
  auto found = last_tokens(added ? without_last : tokens, job.answer);
  // An end token that was added has no text; some servers list it, some do not.
  if (!found && !added) found = last_tokens(without_last, job.answer);
  if (!found) {
    return not_scored(NotScoredReason::kBadReply, "the server's last tokens are not those of \"{}\"", job.answer);
  }
  return *found;
}

Scored<std::vector<CompletionChoice>> PromptLogprobs::echo(std::span<const AnswerJob> jobs) const {
  json prompts = json::array();
  for (const AnswerJob& job : jobs) prompts.push_back(job.prompt + job.answer);
  const auto reply = server_.completions(echo_request(model_, jobs.size() == 1 ? prompts[0] : prompts));
  if (!reply) return tl::unexpected(reply.error());
  return read_choices(*reply, jobs.size());
}

// All in one request; one each where the server does not take several, which is then remembered.
Scored<std::vector<CompletionChoice>> PromptLogprobs::echo_any_number(std::span<const AnswerJob> jobs) {
  jobs_per_request_ = kJobsPerRequest;
  auto all = echo(jobs);
  if (all || all.error().reason == NotScoredReason::kTimedOut) return all;
  jobs_per_request_ = 1;
  std::vector<CompletionChoice> choices;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto one = echo(jobs.subspan(i, 1));
    if (!one) return one;
    choices.push_back(std::move(one->front()));
  }
  return choices;
}

Scored<std::unique_ptr<LogprobSource>> PromptLogprobs::probe(const CompletionsServer& server, std::string_view model,
                                                             const NextToken& asked) {
  std::unique_ptr<PromptLogprobs> source(new PromptLogprobs(server, model));
  const std::vector<AnswerJob> jobs{{asked.prompt, asked.likely.text}, {asked.prompt, asked.unlikely.text}};
  const auto choices = source->echo_any_number(jobs);
  if (!choices) return tl::unexpected(choices.error());
  for (const auto& [word, choice, job] :
       {std::tuple(asked.likely, choices->at(0), jobs[0]), std::tuple(asked.unlikely, choices->at(1), jobs[1])}) {
    const auto tokens = answer_tokens(choice, job);
    if (!tokens) return tl::unexpected(tokens.error());
    const auto logprob = mean_logprob(*tokens);
    if (!logprob) return tl::unexpected(logprob.error());
    if (tokens->size() != 1 || !agrees(asked, word, *logprob)) {
      return not_scored(NotScoredReason::kBadReply,
                        "prompt log-probabilities are not aligned with their tokens (\"{}\" has {:.3f} when it is to "
                        "come, {:.3f} in a prompt), which a prompt prefix that begins with the model's first token "
                        "may mend",
                        word.text, word.logprob, *logprob);
    }
  }
  return source;
}

std::vector<Scored<double>> PromptLogprobs::mean_logprobs(std::span<const AnswerJob> jobs) const {
  std::vector<Scored<double>> results;
  const auto choices = echo(jobs);
  if (!choices && choices.error().reason == NotScoredReason::kBadReply && jobs.size() > 1) {
    // One prompt that the server refuses must not cost the others.
    for (std::size_t i = 0; i < jobs.size(); ++i) results.push_back(mean_logprobs(jobs.subspan(i, 1)).front());
    return results;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!choices) {
      results.emplace_back(tl::unexpected(choices.error()));
    } else if (const auto tokens = answer_tokens((*choices)[i], jobs[i])) {
      results.push_back(mean_logprob(*tokens));
    } else {
      results.push_back(mean_by_counting(jobs[i]));
    }
  }
  return results;
}

// The tokens of `text`, without the one that was added.
Scored<std::vector<TokenLogprob>> PromptLogprobs::prompt_tokens(const std::string& text) const {
  const auto reply = server_.completions(echo_request(model_, text));
  if (!reply) return tl::unexpected(reply.error());
  auto choices = read_choices(*reply, 1);
  if (!choices) return tl::unexpected(std::move(choices).error());
  auto& tokens = choices->front().tokens;
  const json* usage = field(*reply, "usage");
  const double added = usage == nullptr ? -1 : number_field(*usage, "completion_tokens").value_or(-1);
  if (!choices->front().text.starts_with(text)) return no_echo();
  if ((added != 0 && added != 1) || tokens.empty()) {
    return not_scored(NotScoredReason::kBadReply, "the server does not tell the prompt's tokens from those it added");
  }
  if (added == 1) tokens.pop_back();
  return std::move(tokens);
}

// Where tokens hold parts of characters, their texts do not say which are the answer's: those that the prompt alone
// does not have.
Scored<double> PromptLogprobs::mean_by_counting(const AnswerJob& job) const {
  const auto prompt = prompt_tokens(job.prompt);
  if (!prompt) return tl::unexpected(prompt.error());
  const auto whole = prompt_tokens(job.prompt + job.answer);
  if (!whole) return tl::unexpected(whole.error());
  if (!begins_with(*whole, *prompt)) {
    return not_scored(NotScoredReason::kBadReply,
                      "the first token of \"{}\" also holds the end of the prompt; end the prompt's suffix otherwise",
                      job.answer);
  }
  return mean_logprob(Tokens(*whole).subspan(prompt->size()));
}

}  // namespace harnessg
