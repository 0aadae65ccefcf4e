#include "credit/rewards/search_answer_rewards.h"

#include <algorithm>
#include <array>

#include "credit/metrics/answer_match.h"
#include "credit/rewards/scope/tagged_text.h"
#include "credit/rewards/settings.h"
#include "data/text.h"

namespace harnessg {
namespace {

using scope::TagMarks;

constexpr TagMarks kInformationTag{"<information>", "</information>"};
constexpr std::array<TagMarks, 4> kSequenceTags = {scope::kThoughtTag, scope::kSearchTag, kInformationTag,
                                                   scope::kAnswerTag};
enum Place : std::size_t { kThought, kSearch, kInformation, kAnswer, kStart };

bool may_follow(std::size_t before, std::size_t next) {
  if (next == kThought) return before == kStart || before == kInformation;
  if (next == kInformation) return before == kSearch;
  return before == kThought;
}

bool holds_tag(std::string_view text) {
  return std::any_of(kSequenceTags.begin(), kSequenceTags.end(), [&](const TagMarks& tag) {
    return text.find(tag.open) != std::string_view::npos || text.find(tag.close) != std::string_view::npos;
  });
}

bool is_valid_sequence(std::string_view text) {
  std::size_t before = kStart;
  for (text = trim_space(text); !text.empty(); text = trim_space(text)) {
    std::size_t next = 0;
    while (next < kSequenceTags.size() && !text.starts_with(kSequenceTags[next].open)) ++next;
    if (next == kSequenceTags.size() || !may_follow(before, next)) return false;
    const TagMarks& tag = kSequenceTags[next];
    const std::size_t close = text.find(tag.close);
    if (close == std::string_view::npos || holds_tag(text.substr(tag.open.size(), close - tag.open.size())))
      return false;
    text.remove_prefix(close + tag.close.size());
    before = next;
  }
  return before == kAnswer;
}

std::string without_information(std::string_view text) {
  std::string rest;
  std::size_t from = 0;
  for (const std::string_view block : scope::closed_blocks(text, kInformationTag)) {
    const auto begin = static_cast<std::size_t>(block.data() - text.data());
    rest += text.substr(from, begin - from);
    from = begin + block.size();
  }
  rest += text.substr(from);
  return rest;
}

bool contains_gold(std::string_view text, std::span<const std::string> golds, bool empty_counts) {
  const std::string normal = metrics::normalise_answer(text);
  return std::any_of(golds.begin(), golds.end(), [&](const std::string& gold) {
    const std::string wanted = metrics::normalise_answer(gold);
    return (empty_counts || !wanted.empty()) && normal.find(wanted) != std::string::npos;
  });
}

bool is_full_turn(std::string_view turn, const TagMarks& tag, bool one_block) {
  if (turn.ends_with('\n')) turn.remove_suffix(1);
  const std::string between = "</think>\n" + std::string(tag.open);
  const std::size_t at = turn.find(between);
  if (!turn.starts_with(scope::kThoughtTag.open) || at == std::string_view::npos || !turn.ends_with(tag.close))
    return false;
  const std::string_view inside = turn.substr(at + between.size());
  return !one_block || inside.find(tag.close) + tag.close.size() == inside.size();
}

const Json* member(const RewardInput& input, std::string_view key) {
  return input.record.is_object() ? find_value(input.record, key) : nullptr;
}

Result<std::vector<std::string>> texts_of(const RewardInput& input, std::string_view key, std::size_t position) {
  const Json* list = member(input, key);
  if (list && list->is_array() &&
      std::all_of(list->begin(), list->end(), [](const Json& text) { return text.is_string(); })) {
    return list->get<std::vector<std::string>>();
  }
  return fail(ErrorCode::kBadInput, "{}: \"{}\" must be a list of strings", place_of(input, position), key);
}

Status score_search_r1_batch(std::span<const RewardInput> inputs, RewardReport& report) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Json* output = member(inputs[i], "output");
    if (!output || !output->is_string()) {
      return fail(ErrorCode::kBadInput, "{}: \"search_r1\" needs an \"output\", a string", place_of(inputs[i], i));
    }
    HARNESSG_ASSIGN(const std::vector<std::string> golds, texts_of(inputs[i], "answers", i));
    const SearchR1Score score = score_search_r1(output->get_ref<const std::string&>(), golds);
    EpisodeReward& episode = report.episodes.emplace_back();
    episode.output = score.answer.value_or("");
    episode.failed = !score.answer;
    episode.detail = {{"valid_sequence", score.valid_sequence}, {"retrieval_correct", score.retrieval_correct}};
    episode.values = {score.em, score.subem, score.format_em};
    if (!golds.empty()) continue;
    episode.values.assign(3, std::nullopt);
    episode.not_judged = "the question has no gold answers";
  }
  return {};
}

Status score_graph_r1_batch(std::span<const RewardInput> inputs, RewardReport& report) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    HARNESSG_ASSIGN(const std::vector<std::string> turns, texts_of(inputs[i], "turns", i));
    HARNESSG_ASSIGN(const std::vector<std::string> golds, texts_of(inputs[i], "answers", i));
    const GraphR1Score score = score_graph_r1(turns, golds);
    EpisodeReward& episode = report.episodes.emplace_back();
    episode.output = turns.empty() ? "" : turns.back();
    episode.values = {score.reward, score.format, score.f1, score.em};
    if (!golds.empty()) continue;
    episode.values.assign(4, std::nullopt);
    episode.not_judged = "the question has no gold answers";
  }
  return {};
}

}  // namespace

SearchR1Score score_search_r1(std::string_view output, std::span<const std::string> golds) {
  SearchR1Score score;
  const std::string own = scope::without_thoughts(without_information(output));
  const auto answers = scope::closed_blocks(own, scope::kAnswerTag);
  const auto retrieved = scope::closed_blocks(output, kInformationTag);
  const auto retrieves = [&](bool empty_counts) {
    return std::any_of(retrieved.begin(), retrieved.end(),
                       [&](std::string_view text) { return contains_gold(text, golds, empty_counts); });
  };
  score.valid_sequence = is_valid_sequence(output);
  score.retrieval_correct = retrieves(true);
  if (answers.empty()) return score;
  score.answer = std::string(trim_space(answers.back()));
  const std::string normal = metrics::normalise_answer(*score.answer);
  const bool right = std::any_of(golds.begin(), golds.end(),
                                 [&](const std::string& gold) { return metrics::normalise_answer(gold) == normal; });
  score.em = right ? 1 : 0;
  score.subem = contains_gold(*score.answer, golds, true) ? 1 : 0;
  if (right) {
    score.format_em = score.valid_sequence ? 1 : 0.8;
  } else if (score.valid_sequence) {
    score.format_em = 0.2 + (retrieves(false) ? 0.1 : 0);
  } else {
    score.format_em = 0.1;
  }
  return score;
}

GraphR1Score score_graph_r1(std::span<const std::string> turns, std::span<const std::string> golds) {
  GraphR1Score score;
  if (turns.empty()) return score;
  for (const std::string& turn : turns.first(turns.size() - 1)) {
    score.format += is_full_turn(turn, {"<query>", "</query>"}, true) ? 0.5 : 0;
  }
  score.format += is_full_turn(turns.back(), scope::kAnswerTag, false) ? 0.5 : 0;
  const std::string bare = scope::without_thoughts(turns.back());
  if (const auto answer = scope::first_closed_block(bare, scope::kAnswerTag); answer && !golds.empty()) {
    const metrics::PartScore best = metrics::best_hotpot_answer(trim_space(*answer), golds);
    score.em = best.em;
    score.f1 = best.f1;
  }
  score.reward = -1 + std::min(1.0, score.format) + (score.format >= 1 ? score.f1 : 0);
  return score;
}

Result<std::unique_ptr<RewardPlugin>> make_search_r1_reward(const Json& settings) {
  HARNESSG_RETURN_IF_ERROR(SettingsReader(settings, "\"search_r1\"").done());
  std::vector<RewardComponent> components = {
      {"em", RewardLevel::kEpisode, 1, "exact match of the last answer, 0 or 1"},
      {"subem", RewardLevel::kEpisode, 0, "a gold answer stands in the answer, 0 or 1"},
      {"format_em", RewardLevel::kEpisode, 0, "exact match with credit for form and retrieval, 0 to 1"}};
  return std::make_unique<CallableReward>("search_r1", std::move(components), score_search_r1_batch);
}

Result<std::unique_ptr<RewardPlugin>> make_graph_r1_reward(const Json& settings) {
  HARNESSG_RETURN_IF_ERROR(SettingsReader(settings, "\"graph_r1\"").done());
  std::vector<RewardComponent> components = {
      {"reward", RewardLevel::kEpisode, 1, "-1 + min(1, format), + F1 where the format is full, -1 to 1"},
      {"format", RewardLevel::kEpisode, 0, "0.5 a well-formed turn"},
      {"f1", RewardLevel::kEpisode, 0, "token F1 of the first answer of the last turn, 0 to 1"},
      {"em", RewardLevel::kEpisode, 0, "exact match of it, 0 or 1"}};
  return std::make_unique<CallableReward>("graph_r1", std::move(components), score_graph_r1_batch);
}

}  // namespace harnessg
