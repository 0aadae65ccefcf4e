#include "data/json_records.h"

#include <algorithm>

#include "data/text.h"

namespace harnessg {
namespace {

// Of "[json.exception...] parse error at line 1, column 7: syntax error ... - invalid literal; last read: '...'" the
// part that says what is wrong, without the text that was read.
std::string reason_of(std::string_view message) {
  if (const std::size_t at = message.find("column "); at != std::string_view::npos) {
    const std::size_t colon = message.find(": ", at);
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  } else if (const std::size_t end = message.find("] "); end != std::string_view::npos) {
    message.remove_prefix(end + 2);
  }
  return std::string(message.substr(0, std::min(message.find(';'), std::size_t{200})));
}

bool is_blank(const Line& line) {
  return !line.too_long && line.text.find_first_not_of(" \t\r") == std::string_view::npos;
}
bool is_blank(const ListElement&) { return false; }

// What lines and list elements have in common.
template <class Piece>
Result<Json> parse_piece(const Piece& piece, const Place& place, std::size_t limit) {
  if (piece.too_long) {
    return fail(ErrorCode::kBadInput, "{}:{}: is longer than {} bytes; shorten it or raise the limit", place.file,
                place.number, limit);
  }
  Result<Json> object = parse_object(piece.text, place);
  if (object || piece.ended) return object;
  return fail(ErrorCode::kBadInput, "{}:{}: the last record is cut short; remove it or fetch the file again",
              place.file, place.number);
}

}  // namespace

const Json* find_value(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::string> id_of(const Json& object, std::string_view key, const Place& place) {
  const Json* const id = find_value(object, key);
  if (!id) return std::string();
  if (id->is_string()) return id->get<std::string>();
  if (id->is_number()) return id->dump();
  return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" is neither string nor number but {}; give a string", place.file,
              place.number, key, id->type_name());
}

Result<Json> parse_object(std::string_view text, const Place& place) {
  if (const auto broken = find_invalid_utf8(text)) {
    return fail(ErrorCode::kBadInput, "{}:{}: byte {} is no UTF-8; convert the file to UTF-8", place.file, place.number,
                *broken + 1);
  }
  try {
    Json object = Json::parse(text);
    if (object.is_object()) return object;
    return fail(ErrorCode::kBadInput, "{}:{}: is no JSON object but {}; give one object a record", place.file,
                place.number, object.type_name());
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::kBadInput, "{}:{}: is no JSON: byte {}: {}; mend it or remove the record", place.file,
                place.number, error.byte, reason_of(error.what()));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kBadInput, "{}:{}: cannot be read as JSON: {}; mend it or remove the record", place.file,
                place.number, reason_of(error.what()));
  }
}

Result<JsonRecordReader> JsonRecordReader::open(const std::filesystem::path& file, std::size_t max_record_bytes) {
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file));
  HARNESSG_ASSIGN(const std::optional<char> mark, source.first_mark());
  if (mark == '[') return JsonRecordReader(JsonListReader(std::move(source), max_record_bytes), max_record_bytes);
  return JsonRecordReader(LineReader(std::move(source), max_record_bytes), max_record_bytes);
}

Result<std::optional<JsonRecord>> JsonRecordReader::next() {
  return std::visit(
      [this](auto& reader) -> Result<std::optional<JsonRecord>> {
        while (true) {
          HARNESSG_ASSIGN(const auto piece, reader.next());
          if (!piece) return std::nullopt;
          if (is_blank(*piece)) continue;
          const Place place{reader.name(), piece->number};
          return JsonRecord{place, parse_piece(*piece, place, limit_)};
        }
      },
      reader_);
}

std::uint64_t JsonRecordReader::stored_bytes_read() const {
  return std::visit([](const auto& reader) { return reader.stored_bytes_read(); }, reader_);
}

}  // namespace harnessg
