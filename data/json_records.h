// The JSON objects of a file, whether it holds one a line or one list of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "data/json_list.h"
#include "data/lines.h"
#include "data/result.h"

namespace harnessg {

using Json = nlohmann::json;

// Where a record stands: "file:number" in messages.
struct Place {
  std::string file;
  std::uint64_t number = 0;  // 1-based line; of a list's element its number in the list
};

struct JsonRecord {
  Place place;
  Result<Json> object;  // kBadInput: not usable (no JSON object, broken UTF-8, too long, cut short); the next may be
};

// One thread at a time.
class JsonRecordReader {
 public:
  // A file whose first mark is "[" is one list, another one holds lines. Errors of LookAhead::open.
  static Result<JsonRecordReader> open(const std::filesystem::path& file, std::size_t max_record_bytes);

  // nullopt at the end. Lines of white space are passed over. Errors of LineReader::next and JsonListReader::next,
  // after which there is nothing more to read.
  Result<std::optional<JsonRecord>> next();

  std::uint64_t stored_bytes_read() const;

 private:
  using Reader = std::variant<LineReader, JsonListReader>;
  JsonRecordReader(Reader reader, std::size_t limit) : reader_(std::move(reader)), limit_(limit) {}

  Reader reader_;
  std::size_t limit_;
};

// The value of a key, null where the object has none or it is JSON's null.
const Json* find_value(const Json& object, std::string_view key);

// An id as a string: of a string itself, of a number its digits. "" where there is none (missing, null, empty);
// kBadInput for other types.
Result<std::string> id_of(const Json& object, std::string_view key, const Place& place);

// `text` as a JSON object; kBadInput with the place, what is wrong and where in the text. Never throws.
Result<Json> parse_object(std::string_view text, const Place& place);

}  // namespace harnessg
