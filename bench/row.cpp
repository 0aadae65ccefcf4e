#include "bench/row.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace harnessg::bench {
namespace {

using Json = nlohmann::ordered_json;

Row row_of(const Json& json) {
  Row row;
  row.number = json.at("number").get<std::size_t>();
  row.id = json.at("id").get<std::string>();
  row.values = json.at("values").get<std::map<std::string, double>>();
  row.missed = json.at("missed").get<std::map<std::string, std::string>>();
  return row;
}

}  // namespace

std::string to_json_line(const Row& row) {
  const Json json{{"number", row.number}, {"id", row.id}, {"values", row.values}, {"missed", row.missed}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<StoredRows> read_rows(const std::filesystem::path& file) {
  StoredRows stored;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return stored;
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line) && !stream.eof(); ++number) {
    if (number == 1) {
      stored.header = line;
    } else {
      try {
        stored.rows.push_back(row_of(Json::parse(line)));
      } catch (const Json::exception& reason) {
        return fail(ErrorCode::kCorrupt, "{}:{}: is no row of a benchmark ({}); begin anew in another folder",
                    file.string(), number, reason.what());
      }
    }
    stored.bytes += line.size() + 1;
  }
  if (stream.bad()) return fail(ErrorCode::kIo, "{} cannot be read; look at its rights", file.string());
  return stored;
}

Result<RowWriter> RowWriter::open(const std::filesystem::path& file, const StoredRows& stored,
                                  const std::string& header) {
  std::error_code error;
  const bool is_new = stored.bytes == 0;
  if (!is_new) std::filesystem::resize_file(file, stored.bytes, error);
  std::FILE* const opened = error ? nullptr : std::fopen(file.c_str(), is_new ? "wb" : "ab");
  if (opened == nullptr)
    return fail(ErrorCode::kIo, "{} cannot be written; look at the folder's rights", file.string());
  RowWriter writer(opened, file);
  if (is_new) HARNESSG_RETURN_IF_ERROR(writer.append(header));
  return writer;
}

Status RowWriter::append(const std::string& line) {
  const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                       std::fputc('\n', file_.get()) != EOF && std::fflush(file_.get()) == 0;
  if (!written) return fail(ErrorCode::kIo, "{} cannot be written; is the disk full?", path_.string());
  return {};
}

}  // namespace harnessg::bench
