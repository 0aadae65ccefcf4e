#include "data/corpus_record.h"

#include <algorithm>

#include "data/text.h"

namespace harnessg {
namespace {

constexpr int kMetadataLevels = 100;

// A string, white space folded; "" where there is none.
Result<std::string> text_at(const Json& object, std::string_view key, const Place& place) {
  const Json* const value = find_value(object, key);
  if (!value) return std::string();
  if (value->is_string()) return fold_space(value->get_ref<const std::string&>());
  return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" is no string but {}; give a string", place.file, place.number, key,
              value->type_name());
}

// Folded sentences without the empty ones at the end.
Result<std::vector<std::string>> sentences_of(const Json& list, const Place& place) {
  if (!list.is_array()) {
    return fail(ErrorCode::kBadInput, "{}:{}: its sentences are no list of strings but {}; give a list of strings",
                place.file, place.number, list.type_name());
  }
  std::vector<std::string> sentences;
  for (const Json& sentence : list) {
    if (!sentence.is_string()) {
      return fail(ErrorCode::kBadInput, "{}:{}: sentence {} is no string but {}; give a list of strings", place.file,
                  place.number, sentences.size(), sentence.type_name());
    }
    sentences.push_back(fold_space(sentence.get_ref<const std::string&>()));
  }
  while (!sentences.empty() && sentences.back().empty()) sentences.pop_back();
  const auto empty = std::find(sentences.begin(), sentences.end(), "");
  if (empty == sentences.end()) return sentences;
  return fail(ErrorCode::kBadInput, "{}:{}: sentence {} is empty; remove it (and count the sentences anew)", place.file,
              place.number, empty - sentences.begin());
}

std::string join(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text.append(text.empty() ? "" : " ").append(sentence);
  return text;
}

// In folded text the space is the only white space.
std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

Status check(const CorpusRecord& record, const Place& place) {
  if (record.text.empty()) {
    return fail(ErrorCode::kBadInput, "{}:{}: no \"text\" (or an empty one); add one or remove the record", place.file,
                place.number);
  }
  if (record.sentences.empty()) return {};
  if (without_spaces(join(record.sentences)) == without_spaces(record.text)) return {};
  return fail(ErrorCode::kBadInput,
              "{}:{}: the {} sentences, joined, are not the \"text\"; give one of the two or make them agree",
              place.file, place.number, record.sentences.size());
}

// Whether `value` has at most `levels` lists and objects inside one another. (Writing JSON recurses.)
bool is_within(const Json& value, int levels) {
  if (!value.is_structured()) return true;
  return levels > 0 &&
         std::all_of(value.begin(), value.end(), [levels](const Json& v) { return is_within(v, levels - 1); });
}

Result<std::string> metadata_of(Json object, const Place& place) {
  for (const char* key : {"id", "title", "text", "sentences"}) object.erase(key);
  if (object.empty()) return std::string();
  if (is_within(object, kMetadataLevels)) return object.dump();
  return fail(ErrorCode::kBadInput, "{}:{}: its metadata has more than {} levels; flatten it", place.file, place.number,
              kMetadataLevels);
}

Result<CorpusRecord> own_record(Json object, const Place& place, std::uint64_t number) {
  CorpusRecord record;
  record.file = place.file;
  record.line = place.number;
  HARNESSG_ASSIGN(record.id, id_of(object, "id", place));
  if (record.id.empty()) record.id = std::to_string(number);
  HARNESSG_ASSIGN(record.title, text_at(object, "title", place));
  HARNESSG_ASSIGN(record.text, text_at(object, "text", place));
  if (const Json* const sentences = find_value(object, "sentences")) {
    HARNESSG_ASSIGN(record.sentences, sentences_of(*sentences, place));
  }
  if (record.text.empty()) record.text = join(record.sentences);
  if (record.text.empty() && find_value(object, "question")) {
    return fail(ErrorCode::kBadInput,
                "{}:{}: is a question without contexts; a corpus is made of records with \"text\"", place.file,
                place.number);
  }
  HARNESSG_RETURN_IF_ERROR(check(record, place));
  HARNESSG_ASSIGN(record.metadata, metadata_of(std::move(object), place));
  return record;
}

// [title, [sentence, ...]]
Result<CorpusRecord> sentence_context(const Json& context, const Place& place) {
  if (!context.is_array() || context.size() != 2 || !context[0].is_string()) {
    return fail(ErrorCode::kBadInput, "{}:{}: a context is not [title, [sentence, ...]]; mend it or remove the record",
                place.file, place.number);
  }
  CorpusRecord record;
  record.title = fold_space(context[0].get_ref<const std::string&>());
  HARNESSG_ASSIGN(record.sentences, sentences_of(context[1], place));
  record.text = join(record.sentences);
  return record;
}

// {"title", "paragraph_text" or "text"}
Result<CorpusRecord> text_context(const Json& context, const Place& place) {
  if (!context.is_object()) {
    return fail(ErrorCode::kBadInput, "{}:{}: a paragraph is no object with \"title\" and \"paragraph_text\" but {}",
                place.file, place.number, context.type_name());
  }
  CorpusRecord record;
  HARNESSG_ASSIGN(record.title, text_at(context, "title", place));
  HARNESSG_ASSIGN(record.text,
                  text_at(context, find_value(context, "paragraph_text") ? "paragraph_text" : "text", place));
  return record;
}

Result<CorpusRecord> context_record(const Json& context, std::string id, const Place& place) {
  HARNESSG_ASSIGN(CorpusRecord record,
                  context.is_array() ? sentence_context(context, place) : text_context(context, place));
  record.id = std::move(id);
  record.file = place.file;
  record.line = place.number;
  HARNESSG_RETURN_IF_ERROR(check(record, place));
  return record;
}

// The key of an object's contexts, "" for a record of its own.
std::string_view contexts_key(const Json& object) {
  if (find_value(object, "text") || find_value(object, "sentences")) return "";
  for (const std::string_view key : {"context", "contexts", "paragraphs"}) {
    const Json* const contexts = find_value(object, key);
    if (contexts && contexts->is_array()) return key;
  }
  return "";
}

Result<std::string> question_id(const Json& object, const Place& place, std::uint64_t number) {
  for (const std::string_view key : {"_id", "id", "question_id"}) {
    HARNESSG_ASSIGN(std::string id, id_of(object, key, place));
    if (!id.empty()) return id;
  }
  return std::to_string(number);
}

}  // namespace

std::vector<Result<CorpusRecord>> paragraphs_of(Json object, const Place& place, std::uint64_t number) {
  std::vector<Result<CorpusRecord>> records;
  const std::string_view key = contexts_key(object);
  if (key.empty()) {
    records.push_back(own_record(std::move(object), place, number));
    return records;
  }
  const Result<std::string> id = question_id(object, place, number);
  if (!id) {
    records.emplace_back(tl::unexpected<Error>(id.error()));
    return records;
  }
  for (const Json& context : *object.find(key))
    records.push_back(context_record(context, fmt::format("{}#{}", *id, records.size()), place));
  return records;
}

Result<CorpusRecord> text_file_record(std::string_view text, std::string id, std::string title, const Place& place) {
  if (const auto broken = find_invalid_utf8(text)) {
    return fail(ErrorCode::kBadInput, "{}:{}: byte {} is no UTF-8; convert the file to UTF-8", place.file,
                1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*broken), '\n'), *broken + 1);
  }
  CorpusRecord record;
  record.id = std::move(id);
  record.title = std::move(title);
  record.text = fold_space(text);
  record.file = place.file;
  record.line = place.number;
  HARNESSG_RETURN_IF_ERROR(check(record, place));
  return record;
}

}  // namespace harnessg
