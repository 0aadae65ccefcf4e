#include "credit/metrics/evidence_triples.h"

#include <algorithm>
#include <optional>

#include "credit/metrics/answer_text.h"

namespace harnessg::metrics {
namespace {

using Triples = std::vector<Triple>;

Triple normalised(const Triple& triple) {
  return {normalise_triple_part(triple.subject), normalise_triple_part(triple.relation),
          normalise_triple_part(triple.object), triple.unreadable};
}

template <class Value>
void make_set(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

Triples normalised_set(std::span<const Triple> triples) {
  Triples set;
  for (const Triple& triple : triples) set.push_back(normalised(triple));
  make_set(set);
  return set;
}

// A gold triple with every name its ends go by, normalised, sorted.
struct NamedTriple {
  std::vector<std::string> subjects;
  std::string relation;
  std::vector<std::string> objects;

  friend auto operator<=>(const NamedTriple&, const NamedTriple&) = default;
};

std::vector<std::string> names(const std::string& name, const std::string& id, const Aliases& aliases) {
  std::vector<std::string> all = {normalise_triple_part(name)};
  if (const auto found = aliases.find(id); found != aliases.end()) {
    for (const std::string& alias : found->second) all.push_back(normalise_triple_part(alias));
  }
  make_set(all);
  return all;
}

std::vector<NamedTriple> named_triples(std::span<const GoldTriple> gold, const Aliases& aliases) {
  std::vector<NamedTriple> named;
  for (const GoldTriple& one : gold) {
    named.push_back({names(one.triple.subject, one.subject_id, aliases), normalise_triple_part(one.triple.relation),
                     names(one.triple.object, one.object_id, aliases)});
  }
  return named;
}

bool fits(const Triple& given, const NamedTriple& gold) {
  return given.unreadable.empty() && given.relation == gold.relation &&
         std::binary_search(gold.subjects.begin(), gold.subjects.end(), given.subject) &&
         std::binary_search(gold.objects.begin(), gold.objects.end(), given.object);
}

// Largest number of pairs of a given and a gold triple that fit, each in one pair: augmenting paths.
class Matching {
 public:
  Matching(const Triples& given, const std::vector<NamedTriple>& gold)
      : given_(given), gold_(gold), partner_(gold.size()) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      visited_.assign(gold.size(), false);
      pairs_ += seat(i) ? 1 : 0;
    }
  }
  std::size_t pairs() const { return pairs_; }

 private:
  bool seat(std::size_t i) {
    for (std::size_t j = 0; j < gold_.size(); ++j) {
      if (visited_[j] || !fits(given_[i], gold_[j])) continue;
      visited_[j] = true;
      if (partner_[j] && !seat(*partner_[j])) continue;
      partner_[j] = i;
      return true;
    }
    return false;
  }

  const Triples& given_;
  const std::vector<NamedTriple>& gold_;
  std::vector<std::optional<std::size_t>> partner_;
  std::vector<bool> visited_;
  std::size_t pairs_ = 0;
};

std::size_t count_wrong(const Triples& given, const std::vector<NamedTriple>& gold) {
  return static_cast<std::size_t>(std::count_if(given.begin(), given.end(), [&gold](const Triple& triple) {
    return std::none_of(gold.begin(), gold.end(), [&](const NamedTriple& one) { return fits(triple, one); });
  }));
}

// The script's own arithmetic: what is right is counted in given triples, what there is in gold ones.
PartScore published_score(std::size_t given, std::size_t right, std::size_t gold) {
  const auto share = [right](std::size_t of) {
    return of > 0 ? static_cast<double>(right) / static_cast<double>(of) : 0;
  };
  const bool exact = given == gold && right == given;
  PartScore score{exact ? 1.0 : 0.0, 0, share(given), share(gold)};
  score.f1 = f1_of(score.precision, score.recall);
  return score;
}

}  // namespace

PartScore triples_v1_0(std::span<const Triple> given, std::span<const GoldTriple> gold) {
  const Triples left = normalised_set(given);
  Triples right;
  for (const GoldTriple& one : gold) right.push_back(normalised(one.triple));
  make_set(right);
  Triples both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  return score_of_counts(both.size(), left.size() - both.size(), right.size() - both.size());
}

PartScore triples_v1_1(std::span<const Triple> given, std::span<const GoldTriple> gold, const Aliases& aliases,
                       Counting counting) {
  const Triples left = normalised_set(given);
  std::vector<NamedTriple> right = named_triples(gold, aliases);
  if (counting == Counting::kAsPublished)
    return published_score(left.size(), left.size() - count_wrong(left, right), right.size());
  make_set(right);
  const std::size_t found = Matching(left, right).pairs();
  return score_of_counts(found, count_wrong(left, right), right.size() - found);
}

}  // namespace harnessg::metrics
