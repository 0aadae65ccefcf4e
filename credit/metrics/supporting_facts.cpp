#include "credit/metrics/supporting_facts.h"

#include <algorithm>
#include <vector>

#include "credit/metrics/answer_text.h"

namespace harnessg::metrics {
namespace {

using Facts = std::vector<Fact>;

void make_set(Facts& facts) {
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
}

// Both sorted; repeats count as often as they stand there.
PartScore score(const Facts& given, const Facts& gold) {
  const auto in = [](const Facts& facts) {
    return [&facts](const Fact& fact) { return std::binary_search(facts.begin(), facts.end(), fact); };
  };
  const auto right = static_cast<std::size_t>(std::count_if(given.begin(), given.end(), in(gold)));
  const auto found = static_cast<std::size_t>(std::count_if(gold.begin(), gold.end(), in(given)));
  return score_of_counts(right, given.size() - right, gold.size() - found);
}

Facts lowered(std::span<const Fact> facts, Counting counting) {
  Facts all(facts.begin(), facts.end());
  make_set(all);
  for (Fact& fact : all) fact.title = lower_case(fact.title);
  std::sort(all.begin(), all.end());
  if (counting == Counting::kDistinct) make_set(all);
  return all;
}

}  // namespace

PartScore hotpot_facts(std::span<const Fact> given, std::span<const Fact> gold) {
  Facts left(given.begin(), given.end());
  Facts right(gold.begin(), gold.end());
  make_set(left);
  make_set(right);
  return score(left, right);
}

PartScore two_wiki_facts(std::span<const Fact> given, std::span<const Fact> gold, Counting counting) {
  return score(lowered(given, counting), lowered(gold, counting));
}

}  // namespace harnessg::metrics
