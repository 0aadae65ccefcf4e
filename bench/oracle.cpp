#include "bench/oracle.h"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_set>
#include <utility>

#include "bench/lookup_bound.h"

namespace harnessg::bench {
namespace {

constexpr std::uint32_t kNoRecord = 0xFFFFFFFFu;

template <class List>
void append_ids(std::string& key, const List& ids) {
  for (const auto id : ids) {
    const std::uint32_t row = index(id);
    key.append(reinterpret_cast<const char*>(&row), sizeof(row));
  }
  key.append(4, '\xFF');  // no node has this row
}

template <class List>
auto sorted(const List& ids) {
  auto copy = ids;
  std::sort(copy.begin(), copy.end());
  return copy;
}

// All of a state that decides what can still happen, the turns left aside. The order in which sentences were first seen
// matters where menus are made from all of them.
std::string future_key(const Config& config, const State& state) {
  std::string key;
  SmallVector<SentenceId, 6> visible;
  for (const VisibleSentence& shown : state.visible) visible.push_back(shown.sentence);
  append_ids(key, visible);
  append_ids(key, state.selected);
  if (config.lookups_of_seen != 0)
    append_ids(key, state.seen);
  else
    append_ids(key, sorted(state.seen));
  append_ids(key, sorted(state.looked_up));
  key.push_back(state.acted ? '\1' : '\0');
  key.push_back(static_cast<char>(state.last.kind));
  append_ids(key, SmallVector<EntityId, 1>{EntityId{state.last.target}});
  return key;
}

class Search {
 public:
  Search(const Environment& environment, const Gold& gold, std::span<const UnitMask> goals,
         const OracleOptions& options)
      : environment_(environment),
        gold_(gold),
        goals_(goals),
        options_(options),
        bound_(environment.world(), gold, options.bound) {
    result_.goals.resize(goals.size());
  }

  Result<Reach> run(const Episode& start);

 private:
  struct Node {
    Episode episode;
    UnitMask found = 0;
    UnitMask visible = 0;
    std::uint32_t record = kNoRecord;
  };
  struct Record {
    std::uint32_t parent = kNoRecord;
    std::uint16_t position = 0;
  };

  bool selecting() const { return options_.found == Found::kSelected; }
  bool open(std::size_t goal) const { return result_.goals[goal].verdict == Verdict::kUnknown; }
  bool all_reached() const;
  bool gave_up() const { return result_.transitions > options_.transitions; }
  UnitMask visible_units(const Episode& episode) const;

  bool is_useful(const Node& node, const Action& action, std::uint32_t left);
  bool is_useful(const Node& node, const Action& action, std::uint32_t left, UnitMask missing);
  bool select_is_useful(const Node& node, const Action& action, std::int64_t spare, UnitMask missing);
  bool lookup_is_useful(const Action& action, std::int64_t spare, UnitMask missing);

  Status expand(const Node& node, std::uint32_t left, std::vector<Node>& next);
  Status take(const Node& node, std::uint16_t position, std::uint32_t left, std::vector<Node>& next);
  Status check_bound(const Action& action, const Outcome& outcome) const;
  void note(UnitMask found, const Record& last);
  void note_answers(UnitMask found, const Menu& menu, const Record& last);
  std::vector<std::uint16_t> path_to(const Record& last) const;

  const Environment& environment_;
  const Gold& gold_;
  const std::span<const UnitMask> goals_;
  const OracleOptions options_;
  LookupBound bound_;
  std::vector<Record> records_;
  std::unordered_set<std::string> visited_;
  Reach result_;
};

bool Search::all_reached() const {
  return std::all_of(result_.goals.begin(), result_.goals.end(),
                     [](const GoalReach& goal) { return goal.verdict == Verdict::kReached; });
}

UnitMask Search::visible_units(const Episode& episode) const {
  UnitMask units = 0;
  for (const VisibleSentence& shown : episode.visible()) units |= gold_.found_by(shown.sentence);
  return units;
}

bool Search::is_useful(const Node& node, const Action& action, std::uint32_t left) {
  if (action.kind != ActionKind::kSelect && action.kind != ActionKind::kLookup) return false;
  for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
    if (open(goal) && is_useful(node, action, left, goals_[goal] & ~node.found)) return true;
  }
  return false;
}

// Whether `action`, with `left` Selects and Lookups to go, can be part of finding all that is missing. `spare` counts
// the actions that need not select something missing.
bool Search::is_useful(const Node& node, const Action& action, std::uint32_t left, UnitMask missing) {
  const std::int64_t spare = selecting() ? std::int64_t{left} + 1 - std::popcount(missing) : std::int64_t{left};
  if (spare < 0) return false;
  return action.kind == ActionKind::kLookup ? lookup_is_useful(action, spare, missing)
                                            : select_is_useful(node, action, spare, missing);
}

// Seen: what is missing must come with this lookup and the spare actions after it. Selected: the same, since a lookup
// takes from view what was there.
bool Search::lookup_is_useful(const Action& action, std::int64_t spare, UnitMask missing) {
  if (spare >= 3) return true;
  if (spare < 1) return false;
  const UnitMask later = missing & ~bound_.may_show(action.entity(), missing);
  return spare == 1 ? later == 0 : bound_.one_may_show(later);
}

bool Search::select_is_useful(const Node& node, const Action& action, std::int64_t spare, UnitMask missing) {
  const UnitMask chosen = selecting() ? gold_.found_by(action.sentence()) & missing : 0;
  if (chosen == 0) --spare;
  const UnitMask to_show = missing & ~chosen & ~(selecting() ? node.visible : UnitMask{0});
  if (to_show == 0) return chosen != 0;  // otherwise there are Selects that need no lookup after them
  return spare >= 2 || (spare == 1 && bound_.one_may_show(to_show));
}

Status Search::check_bound(const Action& action, const Outcome& outcome) const {
  if (action.kind != ActionKind::kLookup) return {};
  for (const SentenceId s : outcome.sentences) {
    const UnitMask units = gold_.found_by(s);
    if (bound_.may_show(action.entity(), units) == units) continue;
    return fail(
        ErrorCode::kInternal,
        "a lookup of entity {} shows sentence {}, whose paragraph neither mentions it or a synonym of it nor is "
        "titled by it; search without the bound",
        action.target, index(s));
  }
  return {};
}

std::vector<std::uint16_t> Search::path_to(const Record& last) const {
  std::vector<std::uint16_t> path{last.position};
  for (std::uint32_t at = last.parent; at != kNoRecord; at = records_[at].parent) path.push_back(records_[at].position);
  std::reverse(path.begin(), path.end());
  return path;
}

void Search::note(UnitMask found, const Record& last) {
  for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
    if (!open(goal) || (goals_[goal] & ~found) != 0) continue;
    result_.goals[goal] = {Verdict::kReached, path_to(last)};
  }
}

// AnswerWith as the last action of all.
void Search::note_answers(UnitMask found, const Menu& menu, const Record& last) {
  if (!selecting()) return;
  for (std::size_t position = 0; position < menu.size(); ++position) {
    if (menu[position].kind != ActionKind::kAnswerWith) continue;
    const UnitMask chosen = found | gold_.found_by(menu[position].sentence());
    for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
      if (!open(goal) || (goals_[goal] & ~chosen) != 0) continue;
      GoalReach& reach = result_.goals[goal];
      reach.verdict = Verdict::kReached;
      if (last.position != kBlocked) reach.path = path_to(last);
      reach.path.push_back(static_cast<std::uint16_t>(position));
    }
  }
}

Status Search::take(const Node& node, std::uint16_t position, std::uint32_t left, std::vector<Node>& next) {
  const Action action = node.episode.menu()[position];
  const Record record{node.record, position};
  ++result_.transitions;
  Node twin{node.episode, node.found, 0, kNoRecord};
  Outcome outcome;
  if (left > 1) {
    HARNESSG_ASSIGN(outcome, environment_.step(twin.episode, position));
  } else {
    HARNESSG_ASSIGN(outcome, environment_.preview(node.episode, position));
  }
  HARNESSG_RETURN_IF_ERROR(check_bound(action, outcome));
  if (!selecting() || action.kind == ActionKind::kSelect) twin.found |= gold_.found_by_all(outcome.sentences);
  note(twin.found, record);
  note_answers(twin.found, outcome.menu, record);
  if (left <= 1 || !visited_.insert(future_key(environment_.config(), twin.episode.state())).second) return {};
  twin.visible = visible_units(twin.episode);
  twin.record = static_cast<std::uint32_t>(records_.size());
  records_.push_back(record);
  next.push_back(std::move(twin));
  return {};
}

Status Search::expand(const Node& node, std::uint32_t left, std::vector<Node>& next) {
  for (std::size_t position = 0; position < node.episode.menu().size(); ++position) {
    if (all_reached() || gave_up()) return {};
    if (!is_useful(node, node.episode.menu()[position], left)) continue;
    HARNESSG_RETURN_IF_ERROR(take(node, static_cast<std::uint16_t>(position), left, next));
  }
  return {};
}

Result<Reach> Search::run(const Episode& start) {
  const UnitMask found = selecting() ? gold_.found_by_all(start.selected()) : gold_.found_by_all(start.seen());
  for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
    if ((goals_[goal] & ~found) == 0) result_.goals[goal].verdict = Verdict::kReached;
  }
  note_answers(found, start.menu(), {kNoRecord, kBlocked});
  std::vector<Node> level;
  level.push_back({start, found, visible_units(start), kNoRecord});
  visited_.insert(future_key(environment_.config(), start.state()));
  for (std::uint32_t left = options_.actions; left > 0 && !all_reached() && !gave_up(); --left) {
    std::vector<Node> next;
    for (const Node& node : level) HARNESSG_RETURN_IF_ERROR(expand(node, left, next));
    level = std::move(next);
  }
  if (!gave_up()) {
    for (GoalReach& goal : result_.goals)
      if (goal.verdict == Verdict::kUnknown) goal.verdict = Verdict::kUnreachable;
  }
  return std::move(result_);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReached:
      return "reached";
    case Verdict::kUnreachable:
      return "unreachable";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

bool Reach::gave_up() const {
  return std::any_of(goals.begin(), goals.end(),
                     [](const GoalReach& goal) { return goal.verdict == Verdict::kUnknown; });
}

std::uint32_t actions_left(const Environment& environment, const Episode& episode) {
  const std::uint32_t budget = environment.config().turn_budget;
  return budget > episode.turn() ? budget - episode.turn() - 1 : 0;
}

Result<Reach> search(const Environment& environment, const Episode& start, const Gold& gold,
                     std::span<const UnitMask> goals, const OracleOptions& options) {
  const std::uint32_t most = actions_left(environment, start);
  if (start.over()) return fail(ErrorCode::kEnded, "the search of the episode is over; reset for a new one");
  if (options.actions > most) {
    return fail(ErrorCode::kInvalidArgument, "{} actions and an answer are more than the turn budget of {} leaves: {}",
                options.actions, environment.config().turn_budget, most);
  }
  OracleOptions resolved = options;
  if (resolved.actions == 0) resolved.actions = most;
  return Search(environment, gold, goals, resolved).run(start);
}

Result<std::size_t> greedy_choice(const Environment& environment, const Episode& episode, const Gold& gold,
                                  UnitMask goal) {
  const UnitMask seen = gold.found_by_all(episode.seen());
  HARNESSG_ASSIGN(const std::vector<Outcome> outcomes, environment.preview_all(episode));
  std::size_t best = outcomes.size();
  std::pair<int, bool> best_worth{-1, false};  // new units, whether it is a lookup
  for (std::size_t position = 0; position < outcomes.size(); ++position) {
    if (outcomes[position].ends) continue;
    const UnitMask shown = gold.found_by_all(outcomes[position].sentences) & goal & ~seen;
    const std::pair<int, bool> worth{std::popcount(shown), episode.menu()[position].kind == ActionKind::kLookup};
    if (worth <= best_worth) continue;
    best = position;
    best_worth = worth;
  }
  return best;
}

Result<UnitMask> greedy_seen(const Environment& environment, const Episode& start, const Gold& gold, UnitMask goal,
                             std::uint32_t actions) {
  if (actions == 0) actions = actions_left(environment, start);
  Episode episode = start;
  UnitMask seen = gold.found_by_all(episode.seen()) & goal;
  for (; actions > 0 && seen != goal && !episode.over(); --actions) {
    HARNESSG_ASSIGN(const std::size_t best, greedy_choice(environment, episode, gold, goal));
    if (best == episode.menu().size()) break;
    HARNESSG_ASSIGN(const Outcome outcome, environment.step(episode, best));
    seen |= gold.found_by_all(outcome.sentences) & goal;
  }
  return seen;
}

}  // namespace harnessg::bench
