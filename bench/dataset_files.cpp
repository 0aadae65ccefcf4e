#include "bench/dataset_files.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "credit/metrics/evaluation_json.h"
#include "data/look_ahead.h"
#include "data/question_record.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// A file with all its bytes in view.
Result<LookAhead> open_whole(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file));
  for (bool more = true; more;) {
    HARNESSG_ASSIGN(more, source.fill());
  }
  if (const auto broken = find_invalid_utf8(source.view()))
    return fail(ErrorCode::kBadInput, "{}: byte {} is no UTF-8; convert the file to UTF-8", file.string(), *broken + 1);
  return source;
}

// Reads a table's cells one line at a time. A cell in quotation marks may hold tabs and line breaks; a mark in it
// stands there twice.
class TableReader {
 public:
  explicit TableReader(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  std::uint64_t line() const { return line_; }
  std::vector<std::string> next() {
    std::vector<std::string> cells;
    do {
      cells.push_back(cell());
    } while (take('\t'));
    take('\r');
    take('\n');
    ++line_;
    return cells;
  }

 private:
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string cell() {
    if (take('"')) return quoted();
    const std::size_t end = std::min(text_.find_first_of("\t\r\n", at_), text_.size());
    std::string plain(text_.substr(at_, end - at_));
    at_ = end;
    return plain;
  }
  std::string quoted() {
    std::string value;
    for (; !done(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      value += text_[at_];
    }
    take('"');
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

// A line's cells under the names of their columns; PopQA's page title becomes the supporting title.
Json popqa_object(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
  Json object = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = cells[i];
  if (const Json* const title = find_value(object, "s_wiki_title")) object["supporting_titles"] = {*title};
  return object;
}

// TriviaQA's published record with the keys that question_from_json knows.
Result<Json> triviaqa_object(const Json& record, const Place& place) {
  const Json* const answer = find_value(record, "Answer");
  Json object = Json::object();
  for (const auto& [key, from] : {std::pair{"id", "QuestionId"}, {"question", "Question"}}) {
    if (const Json* const value = find_value(record, from)) object[key] = *value;
  }
  if (!answer) return object;  // of a test set
  if (!answer->is_object())
    return fail(ErrorCode::kBadInput, "{}:{}: \"Answer\" is no object; fetch the file again", place.file, place.number);
  object["answers"] = Json::array();
  for (const std::string_view key : {"Value", "Aliases", "HumanAnswers", "NormalizedAliases"}) {
    const Json* const value = find_value(*answer, key);
    if (value && value->is_string()) object["answers"].push_back(*value);
    if (value && value->is_array()) object["answers"].insert(object["answers"].end(), value->begin(), value->end());
  }
  return object;
}

}  // namespace

Status add_triples(const Json& object, const Place& place, DatasetQuestion& question) {
  Json record = {{"_id", question.record.id}, {"answer", ""}, {"supporting_facts", Json::array()}};
  for (const std::string_view key : {"answer_id", "evidences", "evidences_id"}) {
    if (const Json* const value = find_value(object, key)) record[key] = *value;
  }
  HARNESSG_ASSIGN(metrics::GoldRecord gold, metrics::gold_record_of(record, place));
  question.answer_id = std::move(gold.answer_id);
  question.triples = std::move(gold.triples);
  return {};
}

Result<std::vector<DatasetQuestion>> read_popqa_table(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(const LookAhead source, open_whole(file));
  TableReader table(source.view());
  std::vector<std::string> columns;
  if (!table.done()) columns = table.next();
  for (const std::string_view name : {"question", "possible_answers"}) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      return fail(ErrorCode::kBadInput, "{}:1: no column \"{}\"; give PopQA's popQA.tsv", file.string(), name);
  }
  std::vector<DatasetQuestion> questions;
  while (!table.done()) {
    const Place place{file.string(), table.line()};
    const std::vector<std::string> cells = table.next();
    if (cells.size() != columns.size()) {
      return fail(ErrorCode::kBadInput, "{}:{}: {} cells under {} columns; fetch the file again", place.file,
                  place.number, cells.size(), columns.size());
    }
    DatasetQuestion question;
    HARNESSG_ASSIGN(question.record, question_from_json(popqa_object(columns, cells), place));
    questions.push_back(std::move(question));
  }
  return questions;
}

Result<bool> is_published_triviaqa(const std::filesystem::path& file) {
  if (file == "-") return false;
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file));
  HARNESSG_ASSIGN(const std::optional<char> mark, source.first_mark());
  if (mark != '{') return false;
  source.take(source.view().find('{') + 1);
  HARNESSG_ASSIGN(const std::optional<char> key, source.first_mark());
  if (key != '"') return false;
  source.take(source.view().find('"'));
  constexpr std::string_view kKey = "\"Data\"";
  while (source.view().size() < kKey.size()) {
    HARNESSG_ASSIGN(const bool more, source.fill());
    if (!more) return false;
  }
  return source.view().substr(0, kKey.size()) == kKey;
}

Result<std::vector<DatasetQuestion>> read_published_triviaqa(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(const LookAhead source, open_whole(file));
  std::vector<DatasetQuestion> questions;
  Status status;
  const auto use = [&](const Json& record) -> Status {
    const Place place{file.string(), questions.size() + 1};
    HARNESSG_ASSIGN(const Json object, triviaqa_object(record, place));
    DatasetQuestion question;
    HARNESSG_ASSIGN(question.record, question_from_json(object, place));
    questions.push_back(std::move(question));
    return {};
  };
  // A record ends two levels below the file; it is used and dropped.
  const auto callback = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth != 2 || event != Json::parse_event_t::object_end) return true;
    if (status) status = use(value);
    return false;
  };
  try {
    if (Json::parse(source.view(), callback).is_discarded())
      return fail(ErrorCode::kBadInput, "{}: is no JSON object; fetch the file again", file.string());
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kBadInput, "{}: record {} is no JSON; fetch the file again ({})", file.string(),
                questions.size() + 1, error.what());
  }
  if (!status) return tl::unexpected<Error>(status.error());
  return questions;
}

}  // namespace harnessg::bench
