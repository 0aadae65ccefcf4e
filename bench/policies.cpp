#include "bench/policies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <tuple>

#include "data/splitmix.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

bool is_last_turn(const Environment& environment, const Episode& episode) {
  return episode.turn() + 1 >= environment.config().turn_budget;
}

bool searches(const Action& action) { return action.kind == ActionKind::kSelect || action.kind == ActionKind::kLookup; }

std::size_t first_of(const Menu& menu, ActionKind kind) {
  const auto at = std::find_if(menu.begin(), menu.end(), [&](const Action& action) { return action.kind == kind; });
  return at == menu.end() ? kNone : static_cast<std::size_t>(at - menu.begin());
}

// Answer; directly after the first view, where there is none, the first AnswerWith.
std::size_t answer_position(const Menu& menu) {
  const std::size_t answer = first_of(menu, ActionKind::kAnswer);
  return answer != kNone ? answer : std::min(first_of(menu, ActionKind::kAnswerWith), menu.size() - 1);
}

class Random final : public Policy {
 public:
  Random(const Environment& environment, bool only_search) : environment_(environment), only_search_(only_search) {}
  std::string_view name() const override { return only_search_ ? "random-search" : "random"; }

  Result<Choice> choose(const Episode& episode) const override {
    const Menu& menu = episode.menu();
    if (is_last_turn(environment_, episode)) return Choice{answer_position(menu)};
    const std::uint64_t bits = SplitMix::at(episode.seed(), episode.turn());
    if (!only_search_) return Choice{bits % menu.size()};
    const std::uint64_t count = static_cast<std::uint64_t>(std::count_if(menu.begin(), menu.end(), searches));
    if (count == 0) return Choice{answer_position(menu), true};
    std::uint64_t left = bits % count;
    std::size_t position = 0;
    while (!searches(menu[position]) || left-- > 0) ++position;
    return Choice{position};
  }

 private:
  const Environment& environment_;
  const bool only_search_;
};

class FirstLookup final : public Policy {
 public:
  explicit FirstLookup(const Environment& environment) : environment_(environment) {}
  std::string_view name() const override { return "first-lookup"; }

  Result<Choice> choose(const Episode& episode) const override {
    const Menu& menu = episode.menu();
    if (is_last_turn(environment_, episode)) return Choice{answer_position(menu)};
    const std::size_t lookup = first_of(menu, ActionKind::kLookup);
    return lookup != kNone ? Choice{lookup} : Choice{answer_position(menu), true};
  }

 private:
  const Environment& environment_;
};

// Select and Lookup by turns, each time what matches the question best.
class Greedy final : public Policy {
 public:
  Greedy(std::string_view name, const Environment& environment, std::unique_ptr<Relevance> relevance)
      : name_(name), environment_(environment), relevance_(std::move(relevance)) {}
  std::string_view name() const override { return name_; }

  Result<Choice> choose(const Episode& episode) const override {
    const bool selected = episode.state().acted && episode.state().last.kind == ActionKind::kSelect;
    if (is_last_turn(environment_, episode)) {
      const std::size_t best_answer = best(episode, ActionKind::kAnswerWith);
      return Choice{best_answer != kNone ? best_answer : answer_position(episode.menu())};
    }
    std::array<ActionKind, 2> order{ActionKind::kSelect, ActionKind::kLookup};
    if (selected) std::swap(order[0], order[1]);
    for (const ActionKind kind : order) {
      const std::size_t position = best(episode, kind);
      if (position != kNone) return Choice{position};
    }
    return Choice{answer_position(episode.menu()), true};
  }

 private:
  std::size_t best(const Episode& episode, ActionKind kind) const {
    std::vector<std::uint32_t> ids;
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < episode.menu().size(); ++i) {
      if (episode.menu()[i].kind != kind) continue;
      ids.push_back(episode.menu()[i].target);
      positions.push_back(i);
    }
    if (ids.empty()) return kNone;
    Query query{episode.question().query.vector, {}};
    if (relevance_->scoring() == Scoring::kLexical)
      query = {{}, environment_.index().lexicon().query(episode.question().text)};
    std::vector<float> scores(ids.size());
    relevance_->score(query, kind == ActionKind::kLookup ? NodeKind::kEntity : NodeKind::kSentence, ids, scores);
    std::size_t at = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
      if (ranks_before({ids[i], scores[i]}, {ids[at], scores[at]})) at = i;
    }
    return positions[at];
  }

  const std::string_view name_;
  const Environment& environment_;
  const std::unique_ptr<Relevance> relevance_;
};

class PreviewGreedy final : public Policy {
 public:
  PreviewGreedy(const Environment& environment, std::shared_ptr<const Scorer> scorer)
      : environment_(environment), scorer_(std::move(scorer)) {}
  std::string_view name() const override { return "preview-greedy"; }

  Result<Choice> choose(const Episode& episode) const override {
    if (is_last_turn(environment_, episode)) return Choice{answer_position(episode.menu())};
    HARNESSG_ASSIGN(const std::vector<Outcome> outcomes, environment_.preview_all(episode));
    HARNESSG_ASSIGN(const std::vector<double> scores, score(episode, outcomes));
    std::size_t best = kNone;
    std::tuple<double, std::size_t> worth{-1.0, 0};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const std::tuple<double, std::size_t> other{scores[i], outcomes[i].new_sentences.size()};
      if (!searches(episode.menu()[i]) || (best != kNone && other <= worth)) continue;
      best = i;
      worth = other;
    }
    return best != kNone ? Choice{best} : Choice{answer_position(episode.menu()), true};
  }

 private:
  // Of what would have been seen after each action; 0 where the scorer has no score (a question without answers).
  Result<std::vector<double>> score(const Episode& episode, const std::vector<Outcome>& outcomes) const {
    const Graph& graph = environment_.index().graph();
    const std::vector<std::string> aliases = answer_aliases(episode.question().answers);
    std::vector<std::string_view> seen;
    for (const SentenceId s : episode.seen()) seen.push_back(graph.text(s));
    std::vector<std::vector<std::string_view>> contexts(outcomes.size(), seen);
    std::vector<ScoreRequest> requests;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      for (const SentenceId s : outcomes[i].new_sentences) contexts[i].push_back(graph.text(s));
      requests.push_back({episode.question().text, contexts[i], aliases});
    }
    HARNESSG_ASSIGN(const std::vector<Score> scored, checked_scores(*scorer_, requests));
    std::vector<double> scores;
    for (const Score& score : scored) {
      if (!score && score.error().reason != NotScoredReason::kNoAlias)
        return fail(ErrorCode::kUnavailable, "scorer {}: {}", scorer_->name(), score.error().message);
      scores.push_back(score ? *score : 0.0);
    }
    return scores;
  }

  const Environment& environment_;
  const std::shared_ptr<const Scorer> scorer_;
};

}  // namespace

std::vector<std::string> policy_names() {
  return {"random", "random-search", "first-lookup", "lexical-greedy", "embedding-greedy", "preview-greedy"};
}

Result<std::unique_ptr<Policy>> make_policy(std::string_view name, const Environment& environment,
                                            std::shared_ptr<const Scorer> scorer) {
  const Index& index = environment.index();
  if (name == "random" || name == "random-search")
    return std::make_unique<Random>(environment, name == "random-search");
  if (name == "first-lookup") return std::make_unique<FirstLookup>(environment);
  if (name == "lexical-greedy") {
    return std::make_unique<Greedy>("lexical-greedy", environment, make_lexical_relevance(index.lexicon()));
  }
  if (name == "embedding-greedy") {
    if (index.vectors() == nullptr || environment.scoring() == Scoring::kLexical) {
      return fail(ErrorCode::kInvalidArgument,
                  "embedding-greedy needs an index with vectors and dense or hybrid scoring, so that questions are "
                  "encoded");
    }
    return std::make_unique<Greedy>("embedding-greedy", environment, make_dense_relevance(*index.vectors()));
  }
  if (name == "preview-greedy") {
    if (scorer == nullptr) return fail(ErrorCode::kInvalidArgument, "preview-greedy needs a scorer; give one");
    return std::make_unique<PreviewGreedy>(environment, std::move(scorer));
  }
  return fail(ErrorCode::kInvalidArgument, "there is no policy \"{}\"; there are: {}", name,
              fmt::join(policy_names(), ", "));
}

Result<PolicyRun> run_policy(const Environment& environment, const Policy& policy, const Task& task) {
  HARNESSG_ASSIGN(Episode start, environment.reset(task));
  PolicyRun run{std::move(start)};
  while (!run.episode.over()) {
    run.menu_actions += static_cast<std::uint32_t>(run.episode.menu().size());
    ++run.menus;
    HARNESSG_ASSIGN(const Choice choice, policy.choose(run.episode));
    run.at_a_loss += choice.at_a_loss ? 1 : 0;
    HARNESSG_ASSIGN(const Outcome outcome, environment.step(run.episode, choice.position));
    if (outcome.invalid) {
      return fail(ErrorCode::kInternal, "policy {} chose A{}, which is not on the menu", policy.name(),
                  choice.position);
    }
  }
  return run;
}

EvidenceFound evidence_found(const Gold& gold, const Episode& episode) {
  return {gold.found_by_all(episode.seen()), gold.found_by_all(episode.selected())};
}

double recall(UnitMask found, UnitMask wanted) {
  if (wanted == 0) return 1.0;
  return static_cast<double>(std::popcount(found & wanted)) / std::popcount(wanted);
}

}  // namespace harnessg::bench
