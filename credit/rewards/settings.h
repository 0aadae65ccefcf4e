// Reading a plugin's settings from JSON.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "data/json_records.h"
#include "data/result.h"

namespace harnessg {

// Takes the fields of one object; the first mistake is kept and returned by done():
//
//   SettingsReader reader(settings, "eager");
//   reader.number("over_nothing", options.over_nothing);
//   HARNESSG_RETURN_IF_ERROR(reader.done());
class SettingsReader {
 public:
  // `settings`: an object, or null for none. Kept alive by the caller. `owner` is named in messages.
  SettingsReader(const Json& settings, std::string owner);

  // Each leaves `value` as it is when the key is missing.
  void number(std::string_view key, double& value);  // finite
  void count(std::string_view key, std::size_t& value);
  void boolean(std::string_view key, bool& value);
  void text(std::string_view key, std::string& value);
  // `value` becomes the place of the word among `words`.
  void choice(std::string_view key, std::initializer_list<std::string_view> words, std::size_t& value);
  // The value itself, null when the key is missing.
  const Json* value(std::string_view key);

  // kInvalidArgument with the first mistake, or the first key that nothing asked for and the keys there are.
  Status done();

 private:
  void mistake(std::string_view key, std::string_view expected);

  const Json& settings_;
  std::string owner_;
  std::vector<std::string> known_;
  std::string mistake_;
};

}  // namespace harnessg
