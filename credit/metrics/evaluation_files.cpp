#include "credit/metrics/evaluation_files.h"

#include <optional>
#include <string_view>

#include "data/json_records.h"
#include "data/look_ahead.h"
#include "data/text.h"

namespace harnessg::metrics {
namespace {

constexpr std::size_t kMaxRecordBytes = 64u << 20;

// Calls use(object, place) for each record; it returns a Status.
template <class Use>
Status for_each_record(const std::filesystem::path& file, const Use& use) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxRecordBytes));
  while (true) {
    HARNESSG_ASSIGN(const std::optional<JsonRecord> record, reader.next());
    if (!record) return {};
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    HARNESSG_RETURN_IF_ERROR(use(*record->object, record->place));
  }
}

template <class Value, class Read>
Result<std::vector<Value>> read_all(const std::filesystem::path& file, const Read& read) {
  std::vector<Value> values;
  HARNESSG_RETURN_IF_ERROR(for_each_record(file, [&](const Json& object, const Place& place) -> Status {
    HARNESSG_ASSIGN(Value value, read(object, place));
    values.push_back(std::move(value));
    return {};
  }));
  return values;
}

}  // namespace

Result<Json> read_json_file(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file));
  for (bool more = true; more;) {
    HARNESSG_ASSIGN(more, source.fill());
  }
  const std::string_view text = source.view();
  if (const auto broken = find_invalid_utf8(text))
    return fail(ErrorCode::kBadInput, "{}: byte {} is no UTF-8; convert the file to UTF-8", file.string(), *broken + 1);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::kBadInput, "{}: is no JSON at byte {}; mend it or fetch the file again", file.string(),
                error.byte);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kBadInput, "{}: cannot be read as JSON ({}); mend it", file.string(), error.what());
  }
}

Result<std::vector<GoldRecord>> read_gold_records(const std::filesystem::path& file, TwoWikiVersion version) {
  return read_all<GoldRecord>(
      file, [version](const Json& object, const Place& place) { return gold_record_of(object, place, version); });
}

Result<Predictions> read_predictions(const std::filesystem::path& file, PredictionParts parts) {
  HARNESSG_ASSIGN(const Json value, read_json_file(file));
  return predictions_of(value, file.string(), parts);
}

Result<Aliases> read_aliases(const std::filesystem::path& file) {
  Aliases aliases;
  HARNESSG_RETURN_IF_ERROR(for_each_record(
      file, [&aliases](const Json& object, const Place& place) { return add_aliases(object, place, aliases); }));
  return aliases;
}

Result<std::vector<MusiqueGold>> read_musique_gold(const std::filesystem::path& file) {
  return read_all<MusiqueGold>(file, musique_gold_of);
}

Result<std::vector<MusiquePrediction>> read_musique_predictions(const std::filesystem::path& file) {
  return read_all<MusiquePrediction>(file, musique_prediction_of);
}

Result<GivenAnswers> read_given_answers(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(const Json value, read_json_file(file));
  return given_answers_of(value, file.string());
}

}  // namespace harnessg::metrics
