#include "data/corpus.h"

#include <algorithm>
#include <deque>
#include <system_error>
#include <variant>

#include "data/corpus_folder.h"
#include "data/corpus_record.h"
#include "data/json_records.h"

namespace harnessg {
namespace {

// One file to read.
struct Input {
  std::variant<std::filesystem::path, TextFile> source;  // JSON, or one text of a folder
  std::uint64_t bytes = 0;                               // as stored, 0 unknown
};

class FileCorpusReader : public CorpusReader {
 public:
  FileCorpusReader(std::vector<Input> inputs, CorpusOptions options) : inputs_(std::move(inputs)), options_(options) {}

  Result<std::optional<CorpusRecord>> next() override {
    while (true) {
      while (!waiting_.empty()) {
        Result<CorpusRecord> record = std::move(waiting_.front());
        waiting_.pop_front();
        ++number_;
        if (record) return std::move(*record);
        HARNESSG_RETURN_IF_ERROR(pass(std::move(record).error()));
      }
      if (!json_ && input_ == inputs_.size()) return std::nullopt;
      HARNESSG_RETURN_IF_ERROR(json_ ? read_record() : open_input());
    }
  }

  std::uint64_t skipped() const override { return skipped_; }
  std::string first_skipped() const override { return first_skipped_; }
  std::uint64_t bytes_read() const override { return bytes_read_ + (json_ ? json_->stored_bytes_read() : 0); }
  std::uint64_t bytes_total() const override {
    std::uint64_t total = 0;
    for (const Input& input : inputs_) {
      if (input.bytes == 0 && is_endless(input)) return 0;
      total += input.bytes;
    }
    return total;
  }

 private:
  static bool is_endless(const Input& input) {
    const auto* const file = std::get_if<std::filesystem::path>(&input.source);
    return file && *file == "-";
  }

  Status pass(Error error) {
    if (options_.on_error == OnError::kFail || error.code != ErrorCode::kBadInput)
      return tl::unexpected(std::move(error));
    if (skipped_++ == 0) first_skipped_ = std::move(error.message);
    return {};
  }

  Status open_input() {
    const Input& input = inputs_[input_++];
    if (const auto* const text = std::get_if<TextFile>(&input.source)) {
      waiting_.push_back(read_text_file(*text, options_.max_line_bytes));
      bytes_read_ += input.bytes;
      return {};
    }
    HARNESSG_ASSIGN(json_,
                    JsonRecordReader::open(std::get<std::filesystem::path>(input.source), options_.max_line_bytes));
    return {};
  }

  Status read_record() {
    Result<std::optional<JsonRecord>> record = json_->next();
    if (!record || !*record) {
      bytes_read_ += json_->stored_bytes_read();
      json_.reset();
      return record ? Status() : Status(tl::unexpected(std::move(record).error()));
    }
    JsonRecord& found = **record;
    if (!found.object) {
      waiting_.push_back(tl::unexpected(std::move(found.object).error()));
      return {};
    }
    for (Result<CorpusRecord>& paragraph : paragraphs_of(std::move(*found.object), found.place, number_ + 1))
      waiting_.push_back(std::move(paragraph));
    return {};
  }

  std::vector<Input> inputs_;
  CorpusOptions options_;
  std::size_t input_ = 0;                     // the next to open
  std::optional<JsonRecordReader> json_;      // the one that is open
  std::deque<Result<CorpusRecord>> waiting_;  // read, not given out
  std::uint64_t number_ = 0;                  // of records given out or skipped
  std::uint64_t skipped_ = 0;
  std::string first_skipped_;
  std::uint64_t bytes_read_ = 0;  // of files that are done
};

Result<std::uint64_t> stored_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return fail(ErrorCode::kNotFound, "{} is not there; check the path", file.string());
  if (error) return fail(ErrorCode::kIo, "{} cannot be looked at: {}", file.string(), error.message());
  if (!std::filesystem::is_regular_file(status)) return 0;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error) return fail(ErrorCode::kIo, "{} cannot be looked at: {}", file.string(), error.message());
  return bytes;
}

Status add_inputs(const std::filesystem::path& path, std::vector<Input>& inputs) {
  if (path == "-") {
    inputs.push_back({path, 0});
    return {};
  }
  HARNESSG_ASSIGN(const std::uint64_t bytes, stored_bytes(path));
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    inputs.push_back({path, bytes});
    return {};
  }
  HARNESSG_ASSIGN(std::vector<TextFile> files, text_files(path));
  for (TextFile& file : files) {
    HARNESSG_ASSIGN(const std::uint64_t text_bytes, stored_bytes(file.file));
    inputs.push_back({std::move(file), text_bytes});
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<CorpusReader>> CorpusReader::open(std::vector<std::filesystem::path> paths,
                                                         CorpusOptions options) {
  if (paths.empty()) return fail(ErrorCode::kInvalidArgument, "no corpus is named; give at least one file or folder");
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    return fail(ErrorCode::kInvalidArgument, "standard input (-) can be read once only; name it once");
  std::vector<Input> inputs;
  for (const std::filesystem::path& path : paths) HARNESSG_RETURN_IF_ERROR(add_inputs(path, inputs));
  return std::make_unique<FileCorpusReader>(std::move(inputs), options);
}

}  // namespace harnessg
