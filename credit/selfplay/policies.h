// Policies that play search episodes without a model.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"
#include "data/splitmix.h"
#include "engine/environment.h"

namespace harnessg::selfplay {

// Chooses a position on the menu of an episode that is not over; the environment's errors. A function of its arguments
// alone.
using SearchPolicy = std::function<Result<std::size_t>(const Environment&, const Episode&, SplitMix&)>;

// "random": every action is as likely as any other. "first_lookup": the menu's first lookup, and where there is none
// the first action that ends the search, else the first action. "greedy": the action whose preview shows most sentences
// never seen, the first of equals; where none shows any, as "first_lookup" without lookups.
std::vector<std::string> policy_names();

// kInvalidArgument for another name, with those there are.
Result<SearchPolicy> policy_named(std::string_view name);

}  // namespace harnessg::selfplay
