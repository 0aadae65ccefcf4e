// Which places in the text an output's mentions mean. Outputs quote strings; gold has offsets.
//
// A string that stands in several places is taken to mean the gold one: an output cannot say which, so none is counted
// wrong for it. Claiming a string twice means two places, as long as there are two.
#pragma once

#include <cstddef>
#include <vector>

#include "credit/rewards/eager/instance.h"

namespace harnessg::eager {

struct PlacedArgument {
  NameId role = 0;      // from names().size() of the instance on: a role that its gold does not have
  StringId string = 0;  // likewise
  Spot spot;
  bool grounded = false;
};

struct PlacedEvent {
  NameId type = 0;
  StringId trigger = 0;
  Spot spot;
  bool grounded = false;
  std::size_t first_argument = 0;  // of Placement::arguments
  std::size_t last_argument = 0;   // behind its last
};

struct Placement {
  std::vector<PlacedEvent> events;  // one an extracted event, in order
  std::vector<PlacedArgument> arguments;
};

// Events: those of one type and trigger string are paired with gold events of that type and string, most equal
// arguments first (ties: fewer arguments, then earlier ones); the rest take other gold triggers of that string, then
// other places of it in the text, and the first of all these once there are no more. Arguments: the gold ones of the
// paired event with that string, same role first, then those of the same type, then the string's places in the text;
// a value claimed n times in one role takes n of them. A string that is nowhere stands for itself, as all do
// where gold has no offsets.
// So gold scores 1 in any order. Linear in the size of the extraction, for one instance. Thread-safe.
Placement place(const Instance& instance, const Extraction& extraction);

}  // namespace harnessg::eager
