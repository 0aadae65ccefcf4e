// The four figures that every part of an evaluation has.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace harnessg::metrics {

// Fractions from 0 to 1 (the 2Wiki and SQuAD scripts print them times 100).
struct PartScore {
  double em = 0;
  double f1 = 0;
  double precision = 0;
  double recall = 0;

  friend bool operator==(const PartScore&, const PartScore&) = default;
};

// Exact match, F1, ... of what was predicted: `right` of the predicted ones are gold, `wrong` are not, `missed` gold
// ones were not predicted. Nothing gold and nothing predicted: EM 1, the rest 0.
PartScore score_of_counts(std::size_t right, std::size_t wrong, std::size_t missed);

// 2PR/(P+R), 0 where both are 0.
double f1_of(double precision, double recall);

// Products of EM, precision and recall of the parts; F1 of these products.
PartScore joint(std::initializer_list<PartScore> parts);

// Sums that become means over questions.
PartScore& operator+=(PartScore& sum, const PartScore& score);
PartScore operator/(const PartScore& sum, std::size_t count);

}  // namespace harnessg::metrics
