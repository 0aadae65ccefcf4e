// The six measures of one output against its gold.
#pragma once

#include "credit/rewards/eager/metric_counts.h"
#include "credit/rewards/eager/placement.h"

namespace harnessg::eager {

// Keys as TextEE's, of the mentions' places: sets, as far as all places in a key are places in the text; keys with a
// string in them count as often as they are claimed. Sums over instances give the figures of a data set.
MeasureCounts count_measures(const Instance& instance, const Placement& placement);

// Mean of the six F1; `over_nothing` for a measure with nothing in gold and nothing claimed.
double mean_f1(const MeasureCounts& counts, double over_nothing);

}  // namespace harnessg::eager
