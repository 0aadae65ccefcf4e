#include "credit/final_value.h"

#include <algorithm>
#include <map>
#include <utility>

namespace harnessg {
namespace {

using Context = std::pair<std::size_t, std::vector<SentenceId>>;  // of an episode

// Distinct contexts, and which of them each state has.
struct Contexts {
  std::vector<Context> distinct;
  std::vector<std::size_t> of_state;
};

Contexts contexts_of(std::span<const FinalState> states) {
  Contexts result;
  std::map<Context, std::size_t> places;
  for (const FinalState& state : states) {
    const auto [at, fresh] = places.try_emplace({state.episode, state.seen}, result.distinct.size());
    if (fresh) result.distinct.push_back(at->first);
    result.of_state.push_back(at->second);
  }
  return result;
}

class AnswerValue {
 public:
  AnswerValue(std::vector<GoldQuestion> questions, const Graph& graph, const Scorer& scorer)
      : questions_(std::move(questions)), graph_(&graph), scorer_(&scorer) {
    for (const GoldQuestion& question : questions_) aliases_.push_back(answer_aliases(question.answers));
  }

  Result<std::vector<Score>> operator()(std::span<const FinalState> states) const {
    const Contexts contexts = contexts_of(states);
    std::vector<std::vector<std::string_view>> texts;
    for (const Context& context : contexts.distinct) {
      auto& list = texts.emplace_back();
      for (const SentenceId s : context.second) list.push_back(graph_->text(s));
    }
    std::vector<ScoreRequest> requests;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t episode = contexts.distinct[i].first;
      requests.push_back({questions_[episode].question, texts[i], aliases_[episode]});
    }
    HARNESSG_ASSIGN(const std::vector<Score> scores, checked_scores(*scorer_, requests));
    std::vector<Score> result;
    result.reserve(states.size());
    for (const std::size_t place : contexts.of_state) result.push_back(scores[place]);
    return result;
  }

 private:
  std::vector<GoldQuestion> questions_;
  std::vector<std::vector<std::string>> aliases_;
  const Graph* graph_;
  const Scorer* scorer_;
};

Score recall(std::span<const SentenceId> gold, std::span<const SentenceId> found) {
  if (gold.empty()) {
    return tl::unexpected(NotScored{NotScoredReason::kNoAlias, "no supporting sentence of the question is known here"});
  }
  const auto hits = std::ranges::count_if(
      gold, [&](SentenceId s) { return std::find(found.begin(), found.end(), s) != found.end(); });
  return static_cast<double>(hits) / static_cast<double>(gold.size());
}

}  // namespace

FinalValue answer_value(std::vector<GoldQuestion> questions, const Graph& graph, const Scorer& scorer) {
  return AnswerValue(std::move(questions), graph, scorer);
}

FinalValue evidence_recall_value(std::vector<std::vector<SentenceId>> gold, EvidenceSet set) {
  return [gold = std::move(gold), set](std::span<const FinalState> states) -> Result<std::vector<Score>> {
    std::vector<Score> result;
    result.reserve(states.size());
    for (const FinalState& state : states) {
      result.push_back(recall(gold[state.episode], set == EvidenceSet::kSeen ? state.seen : state.selected));
    }
    return result;
  };
}

}  // namespace harnessg
