#include "credit/rewards/evidence_reward.h"

#include <algorithm>

#include "credit/rewards/json_numbers.h"
#include "credit/rewards/settings.h"

namespace harnessg {
namespace {

struct Fact {
  std::string paragraph;  // "" when it names a title
  std::string title;
  std::optional<std::size_t> sentence;

  bool holds(const TraceSentence& shown) const {
    const bool place = paragraph.empty() ? shown.title == title : shown.paragraph == paragraph;
    return place && (!sentence || shown.position == *sentence);
  }
};

Result<Fact> fact_of(const Json& object, const std::string& place) {
  const Json* paragraph = object.is_object() ? find_value(object, "paragraph") : nullptr;
  const Json* title = object.is_object() ? find_value(object, "title") : nullptr;
  const Json* sentence = object.is_object() ? find_value(object, "sentence") : nullptr;
  const Json* name = paragraph ? paragraph : title;
  if (!name || !name->is_string() || (sentence && !whole_number(*sentence))) {
    return fail(ErrorCode::kBadInput,
                "{}: a supporting fact needs a \"paragraph\" or a \"title\", and may have a "
                "\"sentence\", a position from 0",
                place);
  }
  Fact fact;
  (paragraph ? fact.paragraph : fact.title) = name->get<std::string>();
  if (sentence) fact.sentence = whole_number(*sentence);
  return fact;
}

class EvidenceReward final : public RewardPlugin {
 public:
  EvidenceReward()
      : RewardPlugin("evidence_recall",
                     {{"selected", RewardLevel::kEpisode, 1, "share of supporting facts selected, 0 to 1"},
                      {"seen", RewardLevel::kEpisode, 0, "share of supporting facts shown, 0 to 1"},
                      {"gain", RewardLevel::kStep, 0, "share of supporting facts that the step was first to show"}}) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HARNESSG_ASSIGN(EpisodeReward episode, score(inputs[i], i));
      report.episodes.push_back(std::move(episode));
    }
    return {};
  }

 private:
  static Result<EpisodeReward> score(const RewardInput& input, std::size_t position) {
    const Json* list = input.record.is_object() ? find_value(input.record, "supporting_facts") : nullptr;
    if (!input.trace || (list && !list->is_array())) {
      return fail(ErrorCode::kBadInput, "{}: evidence recall needs a trace, and \"supporting_facts\" as a list",
                  place_of(input, position));
    }
    std::vector<Fact> facts;
    for (const Json& element : list ? *list : Json::array()) {
      HARNESSG_ASSIGN(Fact fact, fact_of(element, place_of(input, position)));
      facts.push_back(std::move(fact));
    }
    return facts.empty() ? not_judged() : judged(*input.trace, facts);
  }

  static EpisodeReward not_judged() {
    EpisodeReward episode;
    episode.values = {std::nullopt, std::nullopt};
    episode.not_judged = "the question has no supporting facts";
    return episode;
  }

  static EpisodeReward judged(const Trace& trace, const std::vector<Fact>& facts) {
    EpisodeReward episode;
    std::vector<bool> seen(facts.size(), false);
    const auto share = [&](const std::vector<SentenceId>& sentences) {
      return found(trace, facts, sentences, nullptr) / static_cast<double>(facts.size());
    };
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      const double gain = found(trace, facts, trace.steps[i].outcome.new_sentences, &seen);
      if (gain > 0) episode.steps.push_back({i, {gain / static_cast<double>(facts.size())}});
    }
    episode.values = {share(trace.selected), share(trace.seen)};
    return episode;
  }

  // Facts that a sentence of the list holds; with `before` only those not marked there, which are then.
  static double found(const Trace& trace, const std::vector<Fact>& facts, const std::vector<SentenceId>& sentences,
                      std::vector<bool>* before) {
    double count = 0;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (before && (*before)[i]) continue;
      const bool holds = std::any_of(sentences.begin(), sentences.end(), [&](SentenceId id) {
        const auto shown = trace.sentences.find(index(id));
        return shown != trace.sentences.end() && facts[i].holds(shown->second);
      });
      count += holds ? 1 : 0;
      if (before && holds) (*before)[i] = true;
    }
    return count;
  }
};

}  // namespace

Result<std::unique_ptr<RewardPlugin>> make_evidence_reward(const Json& settings) {
  HARNESSG_RETURN_IF_ERROR(SettingsReader(settings, "\"evidence_recall\"").done());
  return std::make_unique<EvidenceReward>();
}

}  // namespace harnessg
