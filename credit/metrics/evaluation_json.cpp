#include "credit/metrics/evaluation_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace harnessg::metrics {
namespace {

tl::unexpected<Error> bad(std::string_view where, std::string_view what) {
  return fail(ErrorCode::kBadInput, "{}: {}", where, what);
}

std::string where_of(const Place& place) { return fmt::format("{}:{}", place.file, place.number); }

// A whole number, as Python's == sees it: 2, 2.0 and true (1) are some.
std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned() && value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(number) > kExact || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// The digits of a string, perhaps with a sign.
std::optional<std::int64_t> digits(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Fact fact_of(const Json& entry) {
  if (entry.is_array() && entry.size() == 2 && entry[0].is_string()) {
    if (const auto sentence = whole_number(entry[1])) return {entry[0].get<std::string>(), *sentence, ""};
  }
  return {"", 0, entry.dump()};
}

Triple triple_of(const Json& entry) {
  const auto is_string = [](const Json& part) { return part.is_string(); };
  if (entry.is_array() && entry.size() == 3 && std::all_of(entry.begin(), entry.end(), is_string))
    return {entry[0].get<std::string>(), entry[1].get<std::string>(), entry[2].get<std::string>(), ""};
  return {"", "", "", entry.dump()};
}

// The entries of a list; of an object its keys; a string is one entry.
template <class Entry, class Read>
Result<std::vector<Entry>> entries_of(const Json& value, std::string_view where, const Read& read) {
  std::vector<Entry> entries;
  if (value.is_array()) {
    for (const Json& entry : value) entries.push_back(read(entry));
  } else if (value.is_object()) {
    for (const auto& item : value.items()) entries.push_back(read(Json(item.key())));
  } else if (value.is_string()) {
    entries.push_back(read(value));
  } else {
    return bad(where, fmt::format("is no list but {}; give a list, an empty one for nothing", value.type_name()));
  }
  return entries;
}

template <class Entry>
Status all_readable(const std::vector<Entry>& entries, std::string_view where, std::string_view form) {
  const auto broken =
      std::find_if(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.unreadable.empty(); });
  if (broken == entries.end()) return {};
  return bad(where, fmt::format("{} is not {}; mend the record", broken->unreadable, form));
}

Result<std::string> string_at(const Json& object, std::string_view key, std::string_view where) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_string()) return found->get<std::string>();
  return bad(where, fmt::format("\"{}\" is {}; give a string", key,
                                found == object.end() ? "not there" : std::string(found->type_name())));
}

Result<std::vector<std::string>> strings_at(const Json& object, std::string_view key, std::string_view where) {
  std::vector<std::string> strings;
  const Json* const list = find_value(object, key);
  if (!list) return strings;
  if (!list->is_array()) return bad(where, fmt::format("\"{}\" is no list; give a list of strings", key));
  for (const Json& value : *list) {
    if (!value.is_string()) return bad(where, fmt::format("\"{}\" holds no strings only; give a list of strings", key));
    strings.push_back(value.get<std::string>());
  }
  return strings;
}

Result<const Json*> part_at(const Json& file, std::string_view key, std::string_view name) {
  const auto found = file.find(key);
  if (found != file.end() && found->is_object()) return &*found;
  return bad(name, fmt::format("no object \"{}\"; add one from question ids, empty where nothing is predicted", key));
}

std::string where_of(std::string_view name, std::string_view part, std::string_view id) {
  return fmt::format("{}: \"{}\" of \"{}\"", name, part, id);
}

Result<std::vector<Triple>> gold_triples(const Json& record, std::string_view key, std::string_view where) {
  const Json* const list = find_value(record, key);
  if (!list) return std::vector<Triple>{};
  if (!list->is_array()) return bad(where, fmt::format("\"{}\" is no list; give a list of triples", key));
  std::vector<Triple> triples;
  for (const Json& entry : *list) triples.push_back(triple_of(entry));
  HARNESSG_RETURN_IF_ERROR(all_readable(triples, where, "[subject, relation, object]"));
  return triples;
}

Status add_triple_ids(const Json& record, std::string_view where, std::vector<GoldTriple>& triples) {
  HARNESSG_ASSIGN(const std::vector<Triple> ids, gold_triples(record, "evidences_id", where));
  if (ids.empty()) return {};
  const auto same_relation = [](const Triple& id, const GoldTriple& one) { return id.relation == one.triple.relation; };
  if (!std::equal(ids.begin(), ids.end(), triples.begin(), triples.end(), same_relation))
    return bad(where, "\"evidences_id\" is not parallel to \"evidences\"; mend the record or leave the ids out");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    triples[i].subject_id = ids[i].subject;
    triples[i].object_id = ids[i].object;
  }
  return {};
}

Result<std::optional<Support>> predicted_support(const Json& value, std::string_view where) {
  if (value.is_null()) return std::nullopt;
  Support support;
  const auto add = [&support](const Json& entry) {
    if (const auto number = entry.is_string() ? digits(entry) : whole_number(entry))
      support.paragraphs.insert(*number);
    else
      support.unreadable.insert(entry.dump());
  };
  if (value.is_array()) {
    for (const Json& entry : value) add(entry);
  } else if (value.is_string()) {
    support.unreadable.insert(value.dump());
  } else {
    return bad(where,
               fmt::format("\"predicted_support_idxs\" is no list but {}; give a list of numbers", value.type_name()));
  }
  return support;
}

}  // namespace

Result<GoldRecord> gold_record_of(const Json& record, const Place& place, TwoWikiVersion version) {
  const std::string where = where_of(place);
  GoldRecord gold;
  HARNESSG_ASSIGN(gold.id, string_at(record, "_id", where));
  HARNESSG_ASSIGN(gold.answer, string_at(record, "answer", where));
  const Json* const facts = find_value(record, "supporting_facts");
  if (!facts || !facts->is_array()) return bad(where, "no list \"supporting_facts\"; give [[title, sentence], ...]");
  for (const Json& entry : *facts) gold.facts.push_back(fact_of(entry));
  HARNESSG_RETURN_IF_ERROR(all_readable(gold.facts, where, "[title, sentence]"));
  HARNESSG_ASSIGN(std::vector<Triple> triples, gold_triples(record, "evidences", where));
  for (Triple& triple : triples) gold.triples.push_back({std::move(triple), "", ""});
  if (version == TwoWikiVersion::kV1_0) return gold;
  if (find_value(record, "answer_id")) {
    HARNESSG_ASSIGN(gold.answer_id, string_at(record, "answer_id", where));
  }
  HARNESSG_RETURN_IF_ERROR(add_triple_ids(record, where, gold.triples));
  return gold;
}

Result<Predictions> predictions_of(const Json& file, std::string_view name, PredictionParts parts) {
  Predictions predictions;
  HARNESSG_ASSIGN(const Json* const answers, part_at(file, "answer", name));
  for (const auto& item : answers->items()) {
    if (!item.value().is_string()) {
      return bad(
          where_of(name, "answer", item.key()),
          fmt::format("is no string but {}; give a string, or leave the question out", item.value().type_name()));
    }
    predictions[item.key()].answer = item.value().get<std::string>();
  }
  HARNESSG_ASSIGN(const Json* const facts, part_at(file, "sp", name));
  for (const auto& item : facts->items()) {
    HARNESSG_ASSIGN(predictions[item.key()].facts,
                    entries_of<Fact>(item.value(), where_of(name, "sp", item.key()), fact_of));
  }
  if (parts == PredictionParts::kAnswerAndFacts) return predictions;
  HARNESSG_ASSIGN(const Json* const triples, part_at(file, "evidence", name));
  for (const auto& item : triples->items()) {
    HARNESSG_ASSIGN(predictions[item.key()].triples,
                    entries_of<Triple>(item.value(), where_of(name, "evidence", item.key()), triple_of));
  }
  return predictions;
}

Result<MusiqueGold> musique_gold_of(const Json& record, const Place& place) {
  const std::string where = where_of(place);
  MusiqueGold gold;
  HARNESSG_ASSIGN(gold.id, string_at(record, "id", where));
  HARNESSG_ASSIGN(std::string answer, string_at(record, "answer", where));
  HARNESSG_ASSIGN(gold.answers, strings_at(record, "answer_aliases", where));
  gold.answers.insert(gold.answers.begin(), std::move(answer));
  const Json* const answerable = find_value(record, "answerable");
  if (!answerable || !answerable->is_boolean()) return bad(where, "\"answerable\" is neither true nor false; mend it");
  gold.answerable = answerable->get<bool>();
  const Json* const paragraphs = find_value(record, "paragraphs");
  if (!paragraphs || !paragraphs->is_array())
    return bad(where, "no list \"paragraphs\"; use the file that has them, support is counted by their numbers");
  for (const Json& paragraph : *paragraphs) {
    const Json* const number = paragraph.is_object() ? find_value(paragraph, "idx") : nullptr;
    const Json* const mark = number ? find_value(paragraph, "is_supporting") : nullptr;
    if (!mark || !mark->is_boolean() || !number->is_number_integer())
      return bad(where, "a paragraph has no number \"idx\" or no \"is_supporting\"; mend the record");
    if (mark->get<bool>()) gold.support.insert(number->get<std::int64_t>());
  }
  return gold;
}

Result<MusiquePrediction> musique_prediction_of(const Json& record, const Place& place) {
  const std::string where = where_of(place);
  MusiquePrediction given;
  HARNESSG_ASSIGN(given.id, string_at(record, "id", where));
  for (const std::string_view key : {"predicted_answer", "predicted_support_idxs", "predicted_answerable"}) {
    if (!record.contains(key)) return bad(where, fmt::format("no \"{}\"; add it, null where there is nothing", key));
  }
  if (find_value(record, "predicted_answer")) {
    HARNESSG_ASSIGN(given.answer, string_at(record, "predicted_answer", where));
  }
  HARNESSG_ASSIGN(given.support, predicted_support(record["predicted_support_idxs"], where));
  const auto label = whole_number(record["predicted_answerable"]);
  if (label == 0 || label == 1) given.answerable = label == 1;
  return given;
}

Result<GivenAnswers> given_answers_of(const Json& file, std::string_view name) {
  if (!file.is_object()) return bad(name, "is no JSON object; give one from question ids to answers");
  GivenAnswers given;
  for (const auto& item : file.items()) {
    if (!item.value().is_string()) {
      return bad(
          where_of(name, "answer", item.key()),
          fmt::format("is no string but {}; give a string, or leave the question out", item.value().type_name()));
    }
    given[item.key()] = item.value().get<std::string>();
  }
  return given;
}

Status add_aliases(const Json& record, const Place& place, Aliases& aliases) {
  const std::string where = where_of(place);
  HARNESSG_ASSIGN(const std::string id, string_at(record, "Q_id", where));
  std::vector<std::string>& names = aliases[id];
  for (const std::string_view key : {"aliases", "demonyms"}) {
    HARNESSG_ASSIGN(const std::vector<std::string> more, strings_at(record, key, where));
    names.insert(names.end(), more.begin(), more.end());
  }
  return {};
}

}  // namespace harnessg::metrics
