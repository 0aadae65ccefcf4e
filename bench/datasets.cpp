#include "bench/datasets.h"

#include <algorithm>
#include <array>

#include "bench/dataset_files.h"
#include "data/question_record.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kMaxRecordBytes = 64u << 20;
constexpr std::array<std::string_view, 7> kNames = {"2wiki", "hotpotqa", "musique", "popqa", "nq", "triviaqa", "jsonl"};

bool ends_with_tsv(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.extension() == ".tsv";
}

// The set whose keys a record has. HotpotQA's are 2Wiki's as well.
std::optional<DatasetKind> kind_of(const Json& object) {
  const auto has = [&](const char* key) { return object.contains(key); };
  if (has("evidences") || has("evidences_id")) return DatasetKind::kTwoWiki;
  if (has("question_decomposition")) return DatasetKind::kMusique;
  if (has("possible_answers")) return DatasetKind::kPopqa;
  if (const Json* const named = find_value(object, "dataset"); named && named->is_string()) {
    const auto& name = named->get_ref<const std::string&>();
    return name == "nq_open" ? DatasetKind::kNq : dataset_from_name(name);
  }
  if (has("_id") && has("supporting_facts")) return DatasetKind::kHotpot;
  return std::nullopt;
}

// Whether a record of a file with several sets is of this one.
bool is_of(const Json& object, DatasetKind kind) {
  const Json* const named = find_value(object, "dataset");
  if (!named || !named->is_string() || kind == DatasetKind::kJsonLines) return true;
  const std::string& name = named->get_ref<const std::string&>();
  return name == dataset_name(kind) || (kind == DatasetKind::kNq && name == "nq_open");
}

std::vector<std::string> titles_of(const QuestionRecord& record) {
  std::vector<std::string> titles;
  for (const SupportingFact& fact : record.supporting_facts) {
    if (!fact.title.empty() && std::find(titles.begin(), titles.end(), fact.title) == titles.end())
      titles.push_back(fact.title);
  }
  return titles;
}

Result<std::vector<DatasetQuestion>> read_records(DatasetKind kind, const std::filesystem::path& file) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxRecordBytes));
  std::vector<DatasetQuestion> questions;
  while (true) {
    HARNESSG_ASSIGN(const std::optional<JsonRecord> record, reader.next());
    if (!record) return questions;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    const Json& object = *record->object;
    if (!is_of(object, kind)) continue;
    DatasetQuestion question;
    HARNESSG_ASSIGN(question.record, question_from_json(object, record->place));
    if (kind == DatasetKind::kTwoWiki) HARNESSG_RETURN_IF_ERROR(add_triples(object, record->place, question));
    questions.push_back(std::move(question));
  }
}

Result<std::vector<DatasetQuestion>> read_file(DatasetKind kind, const std::filesystem::path& file) {
  if (kind == DatasetKind::kPopqa && ends_with_tsv(file)) return read_popqa_table(file);
  if (kind == DatasetKind::kTriviaqa) {
    HARNESSG_ASSIGN(const bool published, is_published_triviaqa(file));
    if (published) return read_published_triviaqa(file);
  }
  return read_records(kind, file);
}

}  // namespace

std::string_view dataset_name(DatasetKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<DatasetKind> dataset_from_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<DatasetKind>(found - kNames.begin());
}

Result<DatasetKind> detect_dataset(const std::filesystem::path& file) {
  if (file == "-")
    return fail(ErrorCode::kInvalidArgument, "the format of standard input cannot be looked at first; name it");
  if (ends_with_tsv(file)) return DatasetKind::kPopqa;
  HARNESSG_ASSIGN(const bool published, is_published_triviaqa(file));
  if (published) return DatasetKind::kTriviaqa;
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxRecordBytes));
  constexpr std::size_t kLookedAt = 100;  // 2Wiki's open files begin with records that have no triples
  std::optional<DatasetKind> found;
  for (std::size_t n = 0; n < kLookedAt; ++n) {
    HARNESSG_ASSIGN(const std::optional<JsonRecord> record, reader.next());
    if (!record) break;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    const std::optional<DatasetKind> kind = kind_of(*record->object);
    if (kind && kind != DatasetKind::kHotpot) return *kind;
    if (kind) found = kind;
  }
  return found.value_or(DatasetKind::kJsonLines);
}

Result<std::vector<DatasetQuestion>> read_dataset(DatasetKind kind, const std::filesystem::path& file) {
  HARNESSG_ASSIGN(std::vector<DatasetQuestion> questions, read_file(kind, file));
  if (questions.empty()) {
    return fail(ErrorCode::kBadInput, "{}: holds no question of \"{}\"; give that data set's file", file.string(),
                dataset_name(kind));
  }
  for (DatasetQuestion& question : questions) question.titles = titles_of(question.record);
  return questions;
}

void add_answer_aliases(const metrics::Aliases& aliases, std::vector<DatasetQuestion>& questions) {
  for (DatasetQuestion& question : questions) {
    const auto found = question.answer_id.empty() ? aliases.end() : aliases.find(question.answer_id);
    if (found == aliases.end()) continue;
    std::vector<std::string>& answers = question.record.answers;
    for (const std::string& alias : found->second) {
      if (!fold_space(alias).empty() && std::find(answers.begin(), answers.end(), alias) == answers.end())
        answers.push_back(alias);
    }
  }
}

metrics::GoldRecord gold_record(const DatasetQuestion& question) {
  metrics::GoldRecord gold;
  gold.id = question.record.id;
  if (!question.record.answers.empty()) gold.answer = question.record.answers.front();
  for (const SupportingFact& fact : question.record.supporting_facts) {
    if (fact.sentence) gold.facts.push_back({fact.title, *fact.sentence, ""});
  }
  gold.answer_id = question.answer_id;
  gold.triples = question.triples;
  return gold;
}

}  // namespace harnessg::bench
