// A reward's settings as the command line gives them.
#pragma once

#include <string>
#include <vector>

#include "data/json_records.h"
#include "data/result.h"

namespace harnessg {

// `file`: a JSON object, "" for none. Each of `assignments` is KEY=VALUE and replaces what the file says: VALUE is
// JSON, or else a string; a KEY that begins with "weights." sets a component's weight. kInvalidArgument with what is
// wrong.
Result<Json> reward_settings(const std::string& file, const std::vector<std::string>& assignments);

}  // namespace harnessg
