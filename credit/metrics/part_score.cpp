#include "credit/metrics/part_score.h"

namespace harnessg::metrics {

double f1_of(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

PartScore score_of_counts(std::size_t right, std::size_t wrong, std::size_t missed) {
  const auto share = [right](std::size_t others) {
    return right + others > 0 ? static_cast<double>(right) / static_cast<double>(right + others) : 0;
  };
  return {wrong + missed == 0 ? 1.0 : 0.0, f1_of(share(wrong), share(missed)), share(wrong), share(missed)};
}

PartScore joint(std::initializer_list<PartScore> parts) {
  PartScore product{1, 0, 1, 1};
  for (const PartScore& part : parts) {
    product.em *= part.em;
    product.precision *= part.precision;
    product.recall *= part.recall;
  }
  product.f1 = f1_of(product.precision, product.recall);
  return product;
}

PartScore& operator+=(PartScore& sum, const PartScore& score) {
  sum.em += score.em;
  sum.f1 += score.f1;
  sum.precision += score.precision;
  sum.recall += score.recall;
  return sum;
}

PartScore operator/(const PartScore& sum, std::size_t count) {
  const auto n = static_cast<double>(count);
  return {sum.em / n, sum.f1 / n, sum.precision / n, sum.recall / n};
}

}  // namespace harnessg::metrics
