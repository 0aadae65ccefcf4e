#include <algorithm>

#include "bindings/cli/credit_estimator.h"
#include "bindings/cli/credit_table.h"
#include "credit/rollout_report.h"

namespace harnessg {
namespace {

Uncredited because(const CreditItem& item, std::string reason, std::string_view message) {
  return {std::move(reason), fmt::format("{}: {}", item.place, message)};
}

}  // namespace

Result<const Environment*> RolloutEstimator::environment_for(const Trace& trace, Config config) {
  const auto known = environments_.find(trace.settings);
  if (known != environments_.end()) return known->second.get();
  HARNESSG_ASSIGN(auto embedder,
                  query_embedder(*setup_.index, config.scoring, setup_.embedder, setup_.embedder_folder));
  EnvironmentOptions options;
  options.config = std::move(config);
  HARNESSG_ASSIGN(auto environment, Environment::create(setup_.index, std::move(options), std::move(embedder)));
  return environments_.emplace(trace.settings, std::move(environment)).first->second.get();
}

std::optional<Uncredited> RolloutEstimator::why_not(const CreditItem& item) const {
  const Trace& trace = item.trace;
  if (setup_.options.alternatives == RolloutAlternatives::kFrontier && !trace.with_frontier) {
    return because(
        item, "no_frontier",
        fmt::format("the trace (question \"{}\") was recorded without its frontiers; record it by play --json "
                    "--frontier, or leave out --alternatives",
                    trace.question_id));
  }
  if (const Status same = check_same_index(*setup_.index, trace); !same) {
    return because(item, "wrong_index", same.error().message);
  }
  if (setup_.value == ValueKind::kAnswer) return std::nullopt;
  const auto question = setup_.questions->find(trace);
  if (!question) return because(item, "unknown_question", question.error().message);
  if (!facts_.resolve(**question).sentences.empty()) return std::nullopt;
  return because(item, "no_evidence",
                 fmt::format("no supporting sentence of question \"{}\" is in {}", trace.question_id,
                             setup_.index->path().string()));
}

Status RolloutEstimator::prepare(CreditItem& item, std::size_t number, Groups& groups) {
  item.uncredited = why_not(item);
  if (item.uncredited) return {};
  Result<Config> config = config_of(item.trace);
  if (!config) {
    item.uncredited = because(item, "wrong_index", config.error().message);
    return {};
  }
  HARNESSG_ASSIGN(const Environment* const environment, environment_for(item.trace, std::move(*config)));
  auto states = states_before(*environment, item.trace);
  if (!states) {
    const bool wrong = states.error().code == ErrorCode::kWrongIndex;
    item.uncredited = because(item, wrong ? "wrong_index" : "unavailable", states.error().message);
    return {};
  }
  groups[environment].push_back({number, {&item.trace, std::move(*states)}});
  return {};
}

FinalValue RolloutEstimator::value_of(std::span<CreditItem> items, std::span<const Prepared> prepared) {
  FinalValue value;
  if (setup_.value == ValueKind::kAnswer) {
    std::vector<GoldQuestion> questions;
    for (const Prepared& one : prepared) {
      questions.push_back({items[one.item].trace.question, items[one.item].trace.answers});
    }
    value = answer_value(std::move(questions), setup_.index->graph(), *setup_.scorer);
  } else {
    std::vector<std::vector<SentenceId>> gold;
    for (const Prepared& one : prepared) {
      const auto question = setup_.questions->find(items[one.item].trace);
      gold.push_back(question ? facts_.resolve(**question).sentences : std::vector<SentenceId>{});
    }
    value = evidence_recall_value(std::move(gold),
                                  setup_.value == ValueKind::kSeen ? EvidenceSet::kSeen : EvidenceSet::kSelected);
  }
  return [this, value](std::span<const FinalState> states) {
    ends_ += states.size();
    return value(states);
  };
}

Status RolloutEstimator::credit_group(const Environment& environment, std::span<CreditItem> items,
                                      std::span<const Prepared> prepared, std::vector<CreditText>& texts) {
  std::vector<ReplayedTrace> replayed;
  for (const Prepared& one : prepared) replayed.push_back(one.replayed);
  HARNESSG_ASSIGN(const std::vector<EpisodeRollout> credit,
                  rollout_credit(environment, replayed, value_of(items, prepared), setup_.options));
  for (std::size_t n = 0; n < prepared.size(); ++n) {
    CreditItem& item = items[prepared[n].item];
    if (credit[n].not_scored) {
      item.uncredited = because(item, std::string(reason_name(credit[n].not_scored->reason)),
                                "not scored: " + credit[n].not_scored->message);
      continue;
    }
    texts[prepared[n].item] = {rollout_json(item.trace, credit[n]), rollout_table(item.trace, credit[n]),
                               explain_rollout(item.trace, credit[n])};
  }
  return {};
}

Result<std::vector<CreditText>> RolloutEstimator::credit(std::span<CreditItem> items) {
  Groups groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].uncredited) HARNESSG_RETURN_IF_ERROR(prepare(items[i], i, groups));
  }
  std::vector<CreditText> texts(items.size());
  for (const auto& [environment, prepared] : groups) {
    HARNESSG_RETURN_IF_ERROR(credit_group(*environment, items, prepared, texts));
  }
  return texts;
}

std::string RolloutEstimator::effort() const {
  return fmt::format("{} rollouts of every action, {} different ends", setup_.options.rollouts, ends_);
}

}  // namespace harnessg
