#include "credit/selfplay/policies.h"

#include <algorithm>

namespace harnessg::selfplay {
namespace {

std::size_t first_where(const Menu& menu, bool lookups) {
  const auto ends = [](const Action& a) { return a.kind == ActionKind::kAnswer || a.kind == ActionKind::kAnswerWith; };
  const auto first = std::find_if(menu.begin(), menu.end(), [&](const Action& action) {
    return lookups ? action.kind == ActionKind::kLookup : ends(action);
  });
  return static_cast<std::size_t>(first - menu.begin());
}

std::size_t ending(const Menu& menu) {
  const std::size_t position = first_where(menu, false);
  return position < menu.size() ? position : 0;
}

Result<std::size_t> random_choice(const Environment&, const Episode& episode, SplitMix& bits) {
  return static_cast<std::size_t>(bits.next() % episode.menu().size());
}

Result<std::size_t> first_lookup(const Environment&, const Episode& episode, SplitMix&) {
  const std::size_t position = first_where(episode.menu(), true);
  return position < episode.menu().size() ? position : ending(episode.menu());
}

Result<std::size_t> greedy(const Environment& environment, const Episode& episode, SplitMix&) {
  HARNESSG_ASSIGN(const std::vector<Outcome> outcomes, environment.preview_all(episode));
  const auto best = std::max_element(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
    return a.new_sentences.size() < b.new_sentences.size();
  });
  if (best == outcomes.end() || best->new_sentences.empty()) return ending(episode.menu());
  return static_cast<std::size_t>(best - outcomes.begin());
}

}  // namespace

std::vector<std::string> policy_names() { return {"first_lookup", "greedy", "random"}; }

Result<SearchPolicy> policy_named(std::string_view name) {
  if (name == "first_lookup") return SearchPolicy(first_lookup);
  if (name == "greedy") return SearchPolicy(greedy);
  if (name == "random") return SearchPolicy(random_choice);
  return fail(ErrorCode::kInvalidArgument, "there is no policy \"{}\"; there are first_lookup, greedy, random", name);
}

}  // namespace harnessg::selfplay
