// What `--profile`, `--set` and `--scoring` mean.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "data/result.h"
#include "menu/config.h"

namespace harnessg {

// The named profile with its settings ("name=value") and the scoring. kInvalidArgument: an unknown name, a value that
// makes no sense, a scoring that contradicts a setting.
Result<Config> choose_rules(const std::string& profile_name, std::span<const std::string> settings,
                            const std::optional<std::string>& scoring);

}  // namespace harnessg
