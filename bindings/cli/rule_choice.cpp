#include "bindings/cli/rule_choice.h"

namespace harnessg {

Result<Config> choose_rules(const std::string& profile_name, std::span<const std::string> settings,
                            const std::optional<std::string>& scoring) {
  HARNESSG_ASSIGN(Config config, profile(profile_name));
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorCode::kInvalidArgument, "--set {} has no \"=\"; write --set name=value", setting);
    }
    HARNESSG_RETURN_IF_ERROR(
        set_field(config, std::string_view(setting).substr(0, equals), std::string_view(setting).substr(equals + 1)));
  }
  if (scoring) {
    const std::optional<Scoring> before = config.scoring;
    HARNESSG_RETURN_IF_ERROR(set_field(config, "scoring", *scoring));
    if (before && before != config.scoring) {
      return fail(ErrorCode::kInvalidArgument, "--scoring {} contradicts --set scoring={}; give one of them", *scoring,
                  scoring_name(*before));
    }
  }
  HARNESSG_RETURN_IF_ERROR(validate(config));
  return config;
}

}  // namespace harnessg
