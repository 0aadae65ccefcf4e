#include "data/questions.h"

#include <algorithm>
#include <limits>

#include "data/json_records.h"
#include "data/question_record.h"
#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::size_t kMaxRecordBytes = 64u << 20;

const Json* find_list(const Json& object, std::string_view key) {
  const Json* const value = find_value(object, key);
  return value && value->is_array() ? value : nullptr;
}

tl::unexpected<Error> bad(const Place& place, std::string_view what) {
  return fail(ErrorCode::kBadInput, "{}:{}: {}", place.file, place.number, what);
}

// A string, a number as its digits, "" where there is none.
Result<std::string> text_at(const Json& object, std::string_view key, const Place& place) {
  const Json* const value = find_value(object, key);
  if (!value) return std::string();
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number()) return value->dump();
  return bad(place, fmt::format("\"{}\" is no string but {}; give a string", key, value->type_name()));
}

Result<std::string> id_of_question(const Json& object, const Place& place) {
  for (const std::string_view key : {"_id", "id", "question_id", "qid"}) {
    HARNESSG_ASSIGN(std::string id, id_of(object, key, place));
    if (!id.empty()) return id;
  }
  return std::to_string(place.number);
}

void add_answer(std::string answer, std::vector<std::string>& answers) {
  if (fold_space(answer).empty() || std::find(answers.begin(), answers.end(), answer) != answers.end()) return;
  answers.push_back(std::move(answer));
}

// Adds the strings of a list, of one string, or of nothing.
Status add_answers(const Json* value, std::string_view key, const Place& place, std::vector<std::string>& answers) {
  if (!value) return {};
  if (value->is_string()) {
    add_answer(value->get<std::string>(), answers);
    return {};
  }
  const auto is_answer = [](const Json& answer) { return answer.is_string() || answer.is_number(); };
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), is_answer))
    return bad(place, fmt::format("\"{}\" is no list of strings; give a list of strings", key));
  for (const Json& answer : *value) add_answer(answer.is_string() ? answer.get<std::string>() : answer.dump(), answers);
  return {};
}

// PopQA's possible_answers: a list written as a JSON string.
Status add_possible_answers(const Json& object, const Place& place, std::vector<std::string>& answers) {
  const Json* const value = find_value(object, "possible_answers");
  if (!value || !value->is_string()) return add_answers(value, "possible_answers", place, answers);
  const Json list = Json::parse(value->get_ref<const std::string&>(), nullptr, false);
  if (!list.is_array()) return bad(place, "\"possible_answers\" is no JSON list in a string; give a list of strings");
  return add_answers(&list, "possible_answers", place, answers);
}

Result<std::vector<std::string>> answers_of(const Json& object, const Place& place) {
  std::vector<std::string> answers;
  HARNESSG_RETURN_IF_ERROR(add_answers(find_value(object, "answer"), "answer", place, answers));
  HARNESSG_RETURN_IF_ERROR(add_answers(find_value(object, "answers"), "answers", place, answers));
  if (const Json* const objects = find_list(object, "answers_objects")) {
    for (const Json& entry : *objects)
      if (entry.is_object()) HARNESSG_RETURN_IF_ERROR(add_answers(find_value(entry, "spans"), "spans", place, answers));
  }
  HARNESSG_RETURN_IF_ERROR(add_possible_answers(object, place, answers));
  HARNESSG_RETURN_IF_ERROR(add_answers(find_value(object, "answer_aliases"), "answer_aliases", place, answers));
  return answers;
}

Result<std::optional<std::uint32_t>> sentence_of(const Json* value, const Place& place) {
  if (!value || value->is_null()) return std::nullopt;
  if (value->is_number_integer() && *value >= 0 && *value <= std::numeric_limits<std::uint32_t>::max())
    return value->get<std::uint32_t>();
  return bad(place, "a supporting fact's sentence is no position; count sentences from 0");
}

// [title, sentence], {"paragraph", "sentence"?} or {"title", "sentence"?}
Result<SupportingFact> fact_of(const Json& value, const Place& place) {
  SupportingFact fact;
  if (value.is_array() && (value.size() == 1 || value.size() == 2) && value[0].is_string()) {
    fact.title = fold_space(value[0].get_ref<const std::string&>());
    HARNESSG_ASSIGN(fact.sentence, sentence_of(value.size() == 2 ? &value[1] : nullptr, place));
  } else if (value.is_object()) {
    HARNESSG_ASSIGN(fact.record_id, id_of(value, "paragraph", place));
    HARNESSG_ASSIGN(const std::string title, text_at(value, "title", place));
    fact.title = fold_space(title);
    HARNESSG_ASSIGN(fact.sentence, sentence_of(find_value(value, "sentence"), place));
  }
  if (!fact.title.empty() || !fact.record_id.empty()) return fact;
  return bad(
      place,
      "a supporting fact names no paragraph; give [title, sentence] or {\"paragraph\" or \"title\", \"sentence\"}");
}

// A paragraph with its text, of which `marked` ones must say is_supporting.
Status add_paragraphs(const Json* list, bool marked, const Place& place, std::vector<SupportingFact>& facts) {
  if (!list) return {};
  for (const Json& paragraph : *list) {
    if (!paragraph.is_object()) continue;  // HotpotQA's contexts: they carry no marks
    const Json* const mark = find_value(paragraph, "is_supporting");
    if (marked && (!mark || *mark != true)) continue;
    HARNESSG_ASSIGN(const std::string title, text_at(paragraph, "title", place));
    HARNESSG_ASSIGN(const std::string text,
                    text_at(paragraph, find_value(paragraph, "paragraph_text") ? "paragraph_text" : "text", place));
    facts.push_back({fold_space(title), "", fold_space(text), std::nullopt});
  }
  return {};
}

Result<std::vector<SupportingFact>> facts_of(const Json& object, const Place& place) {
  std::vector<SupportingFact> facts;
  if (const Json* const list = find_value(object, "supporting_facts")) {
    if (!list->is_array()) return bad(place, "\"supporting_facts\" is no list; give [[title, sentence], ...]");
    for (const Json& value : *list) {
      HARNESSG_ASSIGN(SupportingFact fact, fact_of(value, place));
      facts.push_back(std::move(fact));
    }
    if (!facts.empty()) return facts;
  }
  for (const std::string_view key : {"paragraphs", "contexts"})
    HARNESSG_RETURN_IF_ERROR(add_paragraphs(find_list(object, key), true, place, facts));
  if (facts.empty())
    HARNESSG_RETURN_IF_ERROR(add_paragraphs(find_list(object, "gold_paragraphs"), false, place, facts));
  const Json* const titles = find_list(object, "supporting_titles");
  if (!facts.empty() || !titles) return facts;
  for (const Json& title : *titles) {
    if (!title.is_string()) return bad(place, "a supporting title is no string; give a list of strings");
    facts.push_back({fold_space(title.get_ref<const std::string&>()), "", "", std::nullopt});
  }
  return facts;
}

Result<std::vector<DecompositionStep>> decomposition_of(const Json& object, const Place& place) {
  std::vector<DecompositionStep> steps;
  if (const Json* const hops = find_list(object, "question_decomposition")) {
    for (const Json& hop : *hops) {
      if (!hop.is_object()) return bad(place, "a step of \"question_decomposition\" is no object; mend the record");
      DecompositionStep& step = steps.emplace_back();
      HARNESSG_ASSIGN(step.question, text_at(hop, "question", place));
      HARNESSG_ASSIGN(step.answer, text_at(hop, "answer", place));
    }
  }
  if (const Json* const triples = find_list(object, "evidences")) {
    for (const Json& triple : *triples) {
      const auto is_string = [](const Json& part) { return part.is_string(); };
      if (!triple.is_array() || triple.size() != 3 || !std::all_of(triple.begin(), triple.end(), is_string))
        return bad(place, "an evidence is not [subject, relation, object]; mend the record");
      steps.push_back(
          {fmt::format("{} >> {}", triple[0].get_ref<const std::string&>(), triple[1].get_ref<const std::string&>()),
           triple[2].get<std::string>()});
    }
  }
  return steps;
}

// The data set's own word; else PopQA's relation; else the part of a MuSiQue id that counts the hops ("3hop1__...").
Result<std::string> type_of(const Json& object, const std::string& id, const Place& place) {
  HARNESSG_ASSIGN(std::string type, text_at(object, "type", place));
  if (!type.empty()) return type;
  if (find_value(object, "possible_answers")) return text_at(object, "prop", place);
  const std::size_t end = id.find("__");
  return find_value(object, "question_decomposition") && end != std::string::npos ? id.substr(0, end) : std::string();
}

}  // namespace

Result<QuestionRecord> question_from_json(const Json& object, const Place& place) {
  QuestionRecord record;
  HARNESSG_ASSIGN(record.id, id_of_question(object, place));
  HARNESSG_ASSIGN(record.question,
                  text_at(object, find_value(object, "question") ? "question" : "question_text", place));
  if (fold_space(record.question).empty()) return bad(place, "no \"question\"; add one or remove the record");
  HARNESSG_ASSIGN(record.type, type_of(object, record.id, place));
  HARNESSG_ASSIGN(record.answers, answers_of(object, place));
  const Json* const answerable = find_value(object, "answerable");
  if (answerable && !answerable->is_boolean()) return bad(place, "\"answerable\" is neither true nor false; mend it");
  record.answerable = !answerable || answerable->get<bool>();
  if (!record.answerable) record.answers.clear();
  HARNESSG_ASSIGN(record.supporting_facts, facts_of(object, place));
  HARNESSG_ASSIGN(record.decomposition, decomposition_of(object, place));
  return record;
}

Result<std::vector<QuestionRecord>> read_questions(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxRecordBytes));
  std::vector<QuestionRecord> questions;
  while (true) {
    HARNESSG_ASSIGN(const std::optional<JsonRecord> record, reader.next());
    if (!record) return questions;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    HARNESSG_ASSIGN(QuestionRecord question, question_from_json(*record->object, record->place));
    questions.push_back(std::move(question));
  }
}

}  // namespace harnessg
