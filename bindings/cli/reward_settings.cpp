#include "bindings/cli/reward_settings.h"

#include <string_view>

namespace harnessg {
namespace {

constexpr std::string_view kWeights = "weights.";
constexpr std::size_t kMaxSettingsBytes = std::size_t{16} << 20;

Result<Json> read_settings(const std::string& file) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxSettingsBytes));
  HARNESSG_ASSIGN(std::optional<JsonRecord> first, reader.next());
  if (!first)
    return fail(ErrorCode::kInvalidArgument, "{}: holds no settings; write one JSON object on one line", file);
  if (!first->object) {
    return fail(ErrorCode::kInvalidArgument, "{} (settings are one JSON object on one line)",
                first->object.error().message);
  }
  return std::move(*first->object);
}

Json value_of(std::string_view text) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Json(std::string(text)) : value;
}

}  // namespace

Result<Json> reward_settings(const std::string& file, const std::vector<std::string>& assignments) {
  Json settings = Json::object();
  if (!file.empty()) {
    HARNESSG_ASSIGN(settings, read_settings(file));
  }
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorCode::kInvalidArgument, "--set needs KEY=VALUE, not \"{}\"", assignment);
    }
    const std::string key = assignment.substr(0, equals);
    const Json value = value_of(std::string_view(assignment).substr(equals + 1));
    if (!key.starts_with(kWeights)) {
      settings[key] = value;
      continue;
    }
    if (!settings.contains("weights")) settings["weights"] = Json::object();
    if (!settings["weights"].is_object()) {
      return fail(ErrorCode::kInvalidArgument, "\"weights\" must be an object to set {}", key);
    }
    settings["weights"][key.substr(kWeights.size())] = value;
  }
  return settings;
}

}  // namespace harnessg
