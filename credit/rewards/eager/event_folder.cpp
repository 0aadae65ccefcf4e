#include "credit/rewards/eager/event_folder.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/standoff.h"

namespace harnessg::eager {
namespace {

namespace fs = std::filesystem;

Result<std::string> contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad() || !in.is_open()) return fail(ErrorCode::kNotFound, "{} cannot be read", file.string());
  return bytes;
}

Result<EventRecord> document_of(const fs::path& text_file) {
  const auto beside = [&text_file](const char* ending) { return fs::path(text_file).replace_extension(ending); };
  HARNESSG_ASSIGN(std::string text, contents_of(text_file));
  fs::path named = beside(".ann");
  std::string annotations;
  if (!fs::exists(named)) {
    named = beside(".a2");
    if (!fs::exists(named)) {
      return fail(ErrorCode::kBadInput, "{} has neither {} nor {} beside it", text_file.string(),
                  beside(".ann").filename().string(), named.filename().string());
    }
    if (fs::exists(beside(".a1"))) {
      HARNESSG_ASSIGN(annotations, contents_of(beside(".a1")));
      if (!annotations.empty() && !annotations.ends_with('\n')) annotations += '\n';
    }
  }
  HARNESSG_ASSIGN(const std::string own, contents_of(named));
  return standoff_record(text_file.stem().string(), std::move(text), annotations + own, named.string());
}

Result<EventRecord> object_of(const fs::path& file) {
  HARNESSG_ASSIGN(const std::string bytes, contents_of(file));
  const Place place{file.string(), 1};
  HARNESSG_ASSIGN(const Json object, parse_object(bytes, place));
  HARNESSG_ASSIGN(const DataSetForm form, data_set_form(object, place));
  return event_record(object, form, place);
}

}  // namespace

Result<std::vector<EventRecord>> read_event_folder(const fs::path& folder) {
  std::error_code error;
  std::set<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    files.insert(at->path());
  if (error) return fail(ErrorCode::kNotFound, "{} cannot be listed: {}", folder.string(), error.message());
  std::vector<EventRecord> records;
  for (const fs::path& file : files) {
    const bool text = file.extension() == ".txt";
    if (!text && file.extension() != ".json") continue;
    HARNESSG_ASSIGN(EventRecord record, text ? document_of(file) : object_of(file));
    records.push_back(std::move(record));
  }
  if (!records.empty()) return records;
  return fail(ErrorCode::kBadInput, "{} holds no document: no .txt with .ann or .a2 beside it, and no .json",
              folder.string());
}

}  // namespace harnessg::eager
