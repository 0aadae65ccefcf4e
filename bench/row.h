// What was measured of one question, and the file in which rows are kept while a benchmark runs.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/result.h"

namespace harnessg::bench {

struct Row {
  std::size_t number = 0;  // of the question in its file, from 0
  std::string id;
  std::map<std::string, double> values;       // by figure: "play/menu/random/F1" (figures.h says what each means)
  std::map<std::string, std::string> missed;  // by level: the reason

  friend bool operator==(const Row&, const Row&) = default;
};

// One JSON line. Numbers are written so that they are read back to the bit.
std::string to_json_line(const Row& row);

// Rows on disk: a first line that says what is being measured, then a row a line, in the order in which questions were
// finished. A line that was cut off by an interruption is dropped.
struct StoredRows {
  std::string header;  // "" where there is no file yet
  std::vector<Row> rows;
  std::uintmax_t bytes = 0;  // of the lines that are whole
};
// kCorrupt naming file and line. No file is no error.
Result<StoredRows> read_rows(const std::filesystem::path& file);

// Appends rows, each line flushed as it is written. One thread at a time.
class RowWriter {
 public:
  // Cuts the file to its whole lines, or begins it with the header where it is new. kIo.
  static Result<RowWriter> open(const std::filesystem::path& file, const StoredRows& stored, const std::string& header);
  Status append(const std::string& line);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  RowWriter(std::FILE* file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}

  std::unique_ptr<std::FILE, Close> file_;
  std::filesystem::path path_;
};

}  // namespace harnessg::bench
