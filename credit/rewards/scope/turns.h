// What was said in a rollout, turn by turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::scope {

struct Turn {
  bool own = true;  // the policy's; else what it was shown
  std::string text;

  friend bool operator==(const Turn&, const Turn&) = default;
};

// The policy's turns, in order. A turn that was cut off is one.
std::vector<std::string_view> own_turns(const std::vector<Turn>& turns);

// A list of {"role": "assistant" or another, "content": text}. kBadInput with the place.
Result<std::vector<Turn>> turns_from_json(const Json& list, const std::string& place);

// Turns of a conversation that was flattened to text, where lines "user", "assistant" and "system" (or ChatML marks)
// part them; what stands before the first is the policy's. The release reads turns so; an answer that holds such a line
// is cut by it, so nothing else here does.
std::vector<Turn> turns_of_flat_text(std::string_view text);

}  // namespace harnessg::scope
