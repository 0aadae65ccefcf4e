#include "credit/rewards/answer_reward.h"

#include <algorithm>

#include "credit/metrics/answer_match.h"
#include "credit/rewards/settings.h"

namespace harnessg {
namespace {

class AnswerReward final : public RewardPlugin {
 public:
  AnswerReward()
      : RewardPlugin("answer_f1", {{"f1", RewardLevel::kEpisode, 1, "token F1 against the best gold answer, 0 to 1"},
                                   {"em", RewardLevel::kEpisode, 0, "exact match with a gold answer, 0 or 1"}}) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HARNESSG_ASSIGN(EpisodeReward episode, score(inputs[i], i));
      report.episodes.push_back(std::move(episode));
    }
    return {};
  }

 private:
  static Result<EpisodeReward> score(const RewardInput& input, std::size_t position) {
    EpisodeReward episode;
    std::vector<std::string> golds;
    if (input.trace) {
      golds = input.trace->answers;
      episode.output = input.trace->answer.value_or("");
    }
    if (input.record.is_object()) {
      const Json* output = find_value(input.record, "output");
      const Json* answers = find_value(input.record, "answers");
      if ((output && !output->is_string()) || (answers && !is_list_of_strings(*answers))) {
        return fail(ErrorCode::kBadInput, "{}: \"output\" must be a string and \"answers\" a list of strings",
                    place_of(input, position));
      }
      if (output) episode.output = output->get<std::string>();
      if (answers) golds = answers->get<std::vector<std::string>>();
    }
    if (golds.empty()) {
      episode.values = {std::nullopt, std::nullopt};
      episode.not_judged = "the question has no gold answers";
      return episode;
    }
    const metrics::PartScore best = metrics::best_hotpot_answer(episode.output, golds);
    episode.values = {best.f1, best.em};
    return episode;
  }

  static bool is_list_of_strings(const Json& value) {
    return value.is_array() &&
           std::all_of(value.begin(), value.end(), [](const Json& element) { return element.is_string(); });
  }
};

}  // namespace

Result<std::unique_ptr<RewardPlugin>> make_answer_reward(const Json& settings) {
  HARNESSG_RETURN_IF_ERROR(SettingsReader(settings, "\"answer_f1\"").done());
  return std::make_unique<AnswerReward>();
}

}  // namespace harnessg
