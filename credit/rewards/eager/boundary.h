// The boundary reward: how tightly predicted arguments fit gold ones (arXiv 2609.29230; docs/eager.md, reward 6).
#pragma once

#include <cstddef>
#include <cstdint>

#include "credit/rewards/eager/placement.h"

namespace harnessg::eager {

enum class BoundaryVariant : std::uint8_t {
  kFixed,  // exact arguments score 1
  kPaper,  // as published: 0 unless an argument is over-extended, which ranks a slightly wide answer above an exact one
};

struct Boundary {
  std::size_t aligned = 0;        // predicted arguments with a gold argument of their role
  std::size_t over_extended = 0;  // of these: wider than the gold one they are aligned to
  double mean = 0;                // of the aligned arguments' scores; 0 without any

  bool nothing = false;  // no argument in gold and none claimed

  double fixed(double over_nothing) const { return nothing ? over_nothing : mean; }
  double paper() const { return over_extended > 0 ? mean : 0; }
};

// Words are the forms' white-space separated ones, as multisets: J = common / all. A predicted argument is aligned to
// the gold argument of its role, in any event, with the highest J (ties: the highest score), also when that is 0. Its
// score is J; when its words hold the gold's as a run and there are more of them,
// max(0, J - (|predicted| - |gold|) / max(1, |gold|)).
Boundary measure_boundary(const Instance& instance, const Placement& placement, const Extraction& extraction);

}  // namespace harnessg::eager
