// The built-in policies as text: what they ask for is described at player_names() (player.h).
#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "bench/player.h"
#include "bench/reader.h"
#include "credit/models/scorer.h"
#include "data/entity_text.h"
#include "data/splitmix.h"
#include "data/text.h"
#include "engine/free_query.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kLookedAt = 8;  // candidates whose outcome is looked at

class FreePlayer final : public Player {
 public:
  // Which of the candidates to ask for; the number of candidates: answer.
  using Choose = std::function<Result<std::size_t>(const FreePlayer&, const FreeQueryEpisode&, const Gold&,
                                                   const std::vector<EntityId>&)>;

  FreePlayer(std::string_view name, Arm arm, const PlayerSetup& setup, Choose choose)
      : Player(std::string(name), arm), arm_(setup.environment, {arm == Arm::kMatched}), choose_(std::move(choose)) {}
  bool draws() const override { return name().starts_with("random"); }

  Result<Trace> play(const Task& task, const Gold& gold) const override {
    HARNESSG_ASSIGN(FreeQueryEpisode episode, arm_.reset(task));
    std::vector<EntityId> asked;
    while (!episode.over()) {
      const std::vector<EntityId> candidates = candidates_of(episode, asked);
      std::size_t choice = candidates.size();
      if (episode.turn() + 1 < arm_.environment().config().turn_budget && !candidates.empty()) {
        HARNESSG_ASSIGN(choice, choose_(*this, episode, gold, candidates));
      }
      if (choice >= candidates.size()) {
        HARNESSG_RETURN_IF_ERROR(
            arm_.answer(episode, read_answer(index(), episode.question().text, {}, episode.seen())));
        break;
      }
      asked.push_back(candidates[choice]);
      HARNESSG_ASSIGN(const QueryOutcome outcome, arm_.step(episode, query_for(episode, candidates[choice])));
    }
    return arm_.trace(episode);
  }

  const Index& index() const { return arm_.environment().index(); }
  const FreeQueryArm& queries() const { return arm_; }

  std::string query_for(const FreeQueryEpisode& episode, EntityId entity) const {
    std::string query(index().graph().surface(entity));
    if (!arm_.transition_matched()) query += " " + episode.question().text;
    return query;
  }

 private:
  std::vector<EntityId> candidates_of(const FreeQueryEpisode& episode, const std::vector<EntityId>& asked) const {
    const Graph& graph = index().graph();
    const std::vector<std::string> question = alphanumeric_tokens(episode.question().text);
    const auto is_named = [&](EntityId e) {
      const std::vector<std::string> words = alphanumeric_tokens(graph.surface(e));
      return std::search(question.begin(), question.end(), words.begin(), words.end()) != question.end();
    };
    std::vector<EntityId> candidates;
    for (const SentenceId s : episode.seen()) {
      for (const EntityId e : graph.entities(s)) {
        const bool known = std::find(asked.begin(), asked.end(), e) != asked.end() ||
                           std::find(candidates.begin(), candidates.end(), e) != candidates.end();
        if (!known && is_lookup_target(graph.surface(e), graph.label(e)) && !is_named(e)) candidates.push_back(e);
      }
    }
    return candidates;
  }

  FreeQueryArm arm_;
  Choose choose_;
};

Result<std::size_t> draw(const FreeQueryEpisode& episode, std::size_t among) {
  return SplitMix::at(episode.seed(), episode.turn()) % among;
}

// The candidate whose entity scores best against the question.
FreePlayer::Choose best_match(std::shared_ptr<const Relevance> relevance) {
  return [relevance](const FreePlayer& player, const FreeQueryEpisode& episode, const Gold&,
                     const std::vector<EntityId>& candidates) -> Result<std::size_t> {
    Query query{episode.question().query.vector, {}};
    if (relevance->scoring() == Scoring::kLexical)
      query = {{}, player.index().lexicon().query(episode.question().text)};
    std::vector<std::uint32_t> ids;
    for (const EntityId e : candidates) ids.push_back(harnessg::index(e));
    std::vector<float> scores(ids.size());
    relevance->score(query, NodeKind::kEntity, ids, scores);
    std::size_t best = 0;
    for (std::size_t i = 1; i < ids.size(); ++i)
      if (ranks_before({ids[i], scores[i]}, {ids[best], scores[best]})) best = i;
    return best;
  };
}

// The candidate, of the first few, whose query leads to the episode that `worth` values most.
using Worth = std::function<Result<double>(const FreePlayer&, const FreeQueryEpisode&, const Gold&)>;
FreePlayer::Choose best_outcome(Worth worth) {
  return [worth = std::move(worth)](const FreePlayer& player, const FreeQueryEpisode& episode, const Gold& gold,
                                    const std::vector<EntityId>& candidates) -> Result<std::size_t> {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < std::min(candidates.size(), kLookedAt); ++i) {
      FreeQueryEpisode twin = episode;
      HARNESSG_ASSIGN(const QueryOutcome outcome,
                      player.queries().step(twin, player.query_for(episode, candidates[i])));
      HARNESSG_ASSIGN(const double value, worth(player, twin, gold));
      if (value <= most) continue;
      best = i;
      most = value;
    }
    return best;
  };
}

Result<double> gold_seen(const FreePlayer&, const FreeQueryEpisode& episode, const Gold& gold) {
  return std::popcount(gold.found_by_all(episode.seen()));
}

Worth scored_by(std::shared_ptr<const Scorer> scorer) {
  return [scorer = std::move(scorer)](const FreePlayer& player, const FreeQueryEpisode& episode,
                                      const Gold&) -> Result<double> {
    std::vector<std::string_view> context;
    for (const SentenceId s : episode.seen()) context.push_back(player.index().graph().text(s));
    const std::vector<std::string> aliases = answer_aliases(episode.question().answers);
    const ScoreRequest request{episode.question().text, context, aliases};
    HARNESSG_ASSIGN(const std::vector<Score> scores, checked_scores(*scorer, std::span(&request, 1)));
    if (!scores[0] && scores[0].error().reason != NotScoredReason::kNoAlias)
      return fail(ErrorCode::kUnavailable, "scorer {}: {}", scorer->name(), scores[0].error().message);
    return scores[0] ? *scores[0] : 0.0;
  };
}

Result<FreePlayer::Choose> choice_of(std::string_view name, const PlayerSetup& setup) {
  using Candidates = std::vector<EntityId>;
  const Index& index = setup.environment->index();
  if (name == "random")
    return [](const FreePlayer&, const FreeQueryEpisode& e, const Gold&, const Candidates& c) {
      return draw(e, c.size() + 1);
    };
  if (name == "random-search")
    return [](const FreePlayer&, const FreeQueryEpisode& e, const Gold&, const Candidates& c) {
      return draw(e, c.size());
    };
  if (name == "first-lookup")
    return [](const FreePlayer&, const FreeQueryEpisode&, const Gold&, const Candidates&) -> Result<std::size_t> {
      return std::size_t{0};
    };
  if (name == "lexical-greedy") return best_match(make_lexical_relevance(index.lexicon()));
  if (name == "greedy-oracle") return best_outcome(gold_seen);
  if (name == "preview-greedy") {
    if (setup.scorer == nullptr) return fail(ErrorCode::kInvalidArgument, "preview-greedy needs a scorer; give one");
    return best_outcome(scored_by(setup.scorer));
  }
  if (index.vectors() == nullptr || setup.environment->scoring() == Scoring::kLexical) {
    return fail(ErrorCode::kInvalidArgument,
                "{} needs an index with vectors and dense or hybrid scoring, so that questions are encoded", name);
  }
  return best_match(make_dense_relevance(*index.vectors()));
}

}  // namespace

Result<std::unique_ptr<Player>> make_free_player(std::string_view name, Arm arm, const PlayerSetup& setup) {
  HARNESSG_ASSIGN(auto choose, choice_of(name, setup));
  return std::make_unique<FreePlayer>(name, arm, setup, std::move(choose));
}

}  // namespace harnessg::bench
