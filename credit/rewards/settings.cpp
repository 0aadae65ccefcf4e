#include "credit/rewards/settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "credit/rewards/json_numbers.h"

namespace harnessg {

SettingsReader::SettingsReader(const Json& settings, std::string owner)
    : settings_(settings), owner_(std::move(owner)) {
  if (!settings.is_object() && !settings.is_null())
    mistake_ = fmt::format("the settings of {} must be an object", owner_);
}

void SettingsReader::number(std::string_view key, double& value) {
  const Json* given = this->value(key);
  if (!given) return;
  if (!given->is_number() || !std::isfinite(given->get<double>())) return mistake(key, "a finite number");
  value = given->get<double>();
}

void SettingsReader::count(std::string_view key, std::size_t& value) {
  const Json* given = this->value(key);
  if (!given) return;
  const auto number = whole_number(*given);
  if (!number) return mistake(key, "a whole number from 0");
  value = *number;
}

void SettingsReader::boolean(std::string_view key, bool& value) {
  const Json* given = this->value(key);
  if (!given) return;
  if (!given->is_boolean()) return mistake(key, "true or false");
  value = given->get<bool>();
}

void SettingsReader::text(std::string_view key, std::string& value) {
  const Json* given = this->value(key);
  if (!given) return;
  if (!given->is_string()) return mistake(key, "a string");
  value = given->get<std::string>();
}

void SettingsReader::choice(std::string_view key, std::initializer_list<std::string_view> words, std::size_t& value) {
  const Json* given = this->value(key);
  if (!given) return;
  const auto* word =
      given->is_string() ? std::find(words.begin(), words.end(), given->get_ref<const std::string&>()) : words.end();
  if (word == words.end()) return mistake(key, fmt::format("one of {}", fmt::join(words, ", ")));
  value = static_cast<std::size_t>(word - words.begin());
}

const Json* SettingsReader::value(std::string_view key) {
  known_.emplace_back(key);
  return settings_.is_object() ? find_value(settings_, key) : nullptr;
}

Status SettingsReader::done() {
  if (!mistake_.empty()) return fail(ErrorCode::kInvalidArgument, "{}", mistake_);
  if (!settings_.is_object()) return {};
  for (const auto& [key, value] : settings_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    return fail(ErrorCode::kInvalidArgument, "{} has no setting \"{}\"; there are {}", owner_, key,
                fmt::join(known_, ", "));
  }
  return {};
}

void SettingsReader::mistake(std::string_view key, std::string_view expected) {
  if (mistake_.empty()) mistake_ = fmt::format("the setting \"{}\" of {} must be {}", key, owner_, expected);
}

}  // namespace harnessg
