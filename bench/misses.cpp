#include "bench/misses.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <unordered_set>

#include "data/entity_text.h"

namespace harnessg::bench {
namespace {

constexpr std::uint32_t kManyTurns = 1000;
constexpr std::uint32_t kManyLookups = 200;
constexpr std::uint32_t kManyMentions = 1000000;
constexpr std::uint32_t kManySentences = 30;
// A walk's selections at most: each may have a query of its own, which costs an encoder call.
constexpr std::size_t kSelections = 24;

struct ReasonText {
  std::string_view name;
  std::string_view description;
};
constexpr std::array<ReasonText, kMissReasons> kReasonTexts = {{
    {"not_together", "each within the turns, not all in one episode"},
    {"out_of_turns", "reached by longer episodes only"},
    {"off_menu", "its lookup is behind the cap on lookups"},
    {"over_cap", "its mention is behind an entity's cap"},
    {"ranked_below", "a candidate ranked below what is shown"},
    {"no_path", "not in the first view and no path found"},
    {"no_entity", "sentence without an entity to look up"},
    {"not_in_corpus", "gold not in the corpus"},
    {"unknown", "the search gave up"},
}};

// One walk: every lookup once, every selection once, in the order in which states offer them.
class Walk {
 public:
  Walk(const Environment& environment, const Gold& gold, UnitMask wanted, std::size_t steps)
      : environment_(environment), gold_(gold), wanted_(wanted), left_(steps) {}

  // The part of what is wanted that the walk finds.
  Result<UnitMask> run(const Task& task) {
    HARNESSG_ASSIGN(Episode start, environment_.reset(task));
    found_ = gold_.found_by_all(start.seen()) & wanted_;
    offer(std::move(start));
    for (; !queue_.empty() && found_ != wanted_ && left_ > 0; --left_) {
      const auto [from, position] = std::move(queue_.front());
      queue_.pop_front();
      Episode twin = *from;
      HARNESSG_ASSIGN(const Outcome outcome, environment_.step(twin, position));
      found_ |= gold_.found_by_all(outcome.sentences) & wanted_;
      offer(std::move(twin));
    }
    return found_;
  }

 private:
  void offer(Episode episode) {
    const auto from = std::make_shared<const Episode>(std::move(episode));
    for (std::size_t position = 0; position < from->menu().size(); ++position) {
      if (is_new(from->menu()[position])) queue_.emplace_back(from, position);
    }
  }

  bool is_new(const Action& action) {
    if (action.kind == ActionKind::kLookup) return looked_up_.insert(action.target).second;
    return action.kind == ActionKind::kSelect && selected_.size() < kSelections &&
           selected_.insert(action.target).second;
  }

  const Environment& environment_;
  const Gold& gold_;
  const UnitMask wanted_;
  std::size_t left_;
  UnitMask found_ = 0;
  std::deque<std::pair<std::shared_ptr<const Episode>, std::size_t>> queue_;
  std::unordered_set<std::uint32_t> looked_up_;
  std::unordered_set<std::uint32_t> selected_;
};

}  // namespace

std::string_view reason_name(MissReason reason) { return kReasonTexts[static_cast<std::size_t>(reason)].name; }
std::string_view reason_description(MissReason reason) {
  return kReasonTexts[static_cast<std::size_t>(reason)].description;
}

Result<MissExplainer> MissExplainer::create(const Environment& environment, std::shared_ptr<const Index> index,
                                            std::shared_ptr<const Embedder> embedder, std::size_t steps) {
  MissExplainer explainer;
  explainer.steps_ = steps;
  EnvironmentOptions options;
  options.config = environment.config();
  const auto lift = [&](MissReason reason) -> Status {
    HARNESSG_ASSIGN(auto lifted, Environment::create(index, options, embedder));
    explainer.lifted_.push_back({reason, std::move(lifted)});
    return {};
  };
  options.config.turn_budget = kManyTurns;
  HARNESSG_RETURN_IF_ERROR(lift(MissReason::kOutOfTurns));
  options.config.lookups_after_select = kManyLookups;
  options.config.lookups_otherwise = kManyLookups;
  HARNESSG_RETURN_IF_ERROR(lift(MissReason::kOffMenu));
  options.config.mention_sentences = kManyMentions;
  options.config.synonyms = kManyMentions;
  options.config.synonym_sentences = kManyMentions;
  HARNESSG_RETURN_IF_ERROR(lift(MissReason::kOverCap));
  options.config.visible_sentences = kManySentences;
  HARNESSG_RETURN_IF_ERROR(lift(MissReason::kRankedBelow));
  return explainer;
}

bool MissExplainer::has_entity(std::span<const SentenceId> sentences) const {
  const Environment& environment = *lifted_.front().environment;
  const Graph& graph = environment.index().graph();
  const auto may_be_looked_up = [&](EntityId e) { return is_lookup_target(graph.surface(e), graph.label(e)); };
  for (const SentenceId s : sentences) {
    const ParagraphId p = graph.paragraph(s);
    const std::uint32_t first = std::max(index(graph.first_sentence(p)), std::max(index(s), 1u) - 1);
    const std::uint32_t end = std::min(index(graph.end_sentence(p)), index(s) + 2);
    for (std::uint32_t row = first; row < end; ++row) {
      for (const EntityId e : graph.entities(SentenceId{row})) {
        const auto synonyms = graph.synonyms(e);
        if (may_be_looked_up(e) || std::any_of(synonyms.begin(), synonyms.end(), [&](const Synonym& synonym) {
              return may_be_looked_up(synonym.entity);
            }))
          return true;
      }
    }
  }
  return false;
}

Result<std::vector<MissReason>> MissExplainer::explain(const Task& task, const Gold& gold, UnitMask missed) const {
  std::vector<MissReason> reasons(gold.size(), MissReason::kNotTogether);
  const auto set = [&](UnitMask units, MissReason reason) {
    for (; units != 0; units &= units - 1) reasons[static_cast<std::size_t>(std::countr_zero(units))] = reason;
  };
  for (const Lifted& lifted : lifted_) {
    if (missed == 0) return reasons;
    HARNESSG_ASSIGN(const UnitMask found, Walk(*lifted.environment, gold, missed, steps_).run(task));
    set(found, lifted.reason);
    missed &= ~found;
  }
  for (; missed != 0; missed &= missed - 1) {
    const bool entity = has_entity(gold.sentences(static_cast<std::size_t>(std::countr_zero(missed))));
    set(missed & -missed, entity ? MissReason::kNoPath : MissReason::kNoEntity);
  }
  return reasons;
}

}  // namespace harnessg::bench
