#include "credit/rewards/eager/data_sets.h"

#include <doctest/doctest.h>

#include <fstream>

#include "credit/rewards/eager/instance.h"
#include "credit/rewards/eager/schemas.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

const Place kPlace{"file", 7};

Result<EventRecord> read(const std::string& json) {
  const Json object = Json::parse(json);
  HARNESSG_ASSIGN(const DataSetForm form, data_set_form(object, kPlace));
  return event_record(object, form, kPlace);
}

struct Totals {
  std::size_t records = 0;
  std::size_t events = 0;
  std::size_t arguments = 0;
  GoldFaults faults;
};

Totals totals_of(const std::filesystem::path& file) {
  const auto records = read_event_records(file);
  REQUIRE_MESSAGE(records.has_value(), records.error().message);
  Totals totals;
  for (const EventRecord& record : *records) {
    const auto instance = Instance::make(record);
    REQUIRE_MESSAGE(instance.has_value(), instance.error().message);
    totals.records += 1;
    totals.events += record.events.size();
    totals.arguments += instance->arguments();
    totals.faults.mentions += instance->faults().mentions;
    totals.faults.without_span += instance->faults().without_span;
    totals.faults.not_verbatim += instance->faults().not_verbatim;
    totals.faults.other_text += instance->faults().other_text;
  }
  return totals;
}

}  // namespace

TEST_CASE("every record of PHEE is read, and its spans are where its texts are") {
  const auto dev = shared_data("data/events/phee_dev.jsonl");
  if (!dev) return;
  const Totals totals = totals_of(*dev);
  CHECK(totals.records == 961);
  CHECK(totals.events == 1003);
  CHECK(totals.arguments > 5220);
  CHECK(totals.faults.other_text == 0);
  CHECK(totals.faults.without_span == 124);
  const Totals train = totals_of(*shared_data("data/events/phee_train.jsonl.gz"));
  CHECK(train.records == 2898);
  CHECK(train.events == 3006);
  CHECK(train.faults.other_text == 0);
}

TEST_CASE("every document of WikiEvents is read, and its spans are where its texts are") {
  const auto dev = shared_data("data/events/wikievents_dev.jsonl");
  if (!dev) return;
  const Totals totals = totals_of(*dev);
  CHECK(totals.records == 20);
  CHECK(totals.events == 345);
  CHECK(totals.arguments == 428);
  CHECK(totals.faults.other_text == 0);
  CHECK(totals.faults.not_verbatim == 0);
  CHECK(totals.faults.without_span == 0);
}

TEST_CASE("PHEE's nested roles have dotted names") {
  const auto record = read(R"({"id": "1", "context": "A man got x and y.", "annotations": [{"events": [
    {"event_id": "E1", "event_type": "Adverse_event", "Trigger": {"text": [["got"]], "start": [[6]], "entity_id": ["T"]},
     "Treatment": {"text": [["x", "y"]], "start": [[10, 16]], "entity_id": ["T"],
       "Drug": {"text": [["x"], ["y"]], "start": [[10], [16]], "entity_id": ["T", "U"]},
       "Combination": [{"event_id": "E2", "event_type": "Combination",
         "Trigger": {"text": [["and"]], "start": [[12]], "entity_id": ["V"]}}]}}]}]})");
  REQUIRE_MESSAGE(record.has_value(), record.error().message);
  const GoldEvent& event = record->events.at(0);
  CHECK(event.trigger == Mention{"got", Span{6, 9}});
  REQUIRE(event.arguments.size() == 4);
  CHECK(event.arguments[0] == GoldArgument{"Treatment", {"x y", std::nullopt}});
  CHECK(event.arguments[1] == GoldArgument{"Treatment.Combination.Trigger", {"and", Span{12, 15}}});
  CHECK(event.arguments[2] == GoldArgument{"Treatment.Drug", {"x", Span{10, 11}}});
  CHECK(event.arguments[3] == GoldArgument{"Treatment.Drug", {"y", Span{16, 17}}});
}

TEST_CASE("TextEE's token offsets become code points") {
  const std::string events =
      R"("event_mentions": [{"event_type": "Attack", "trigger": {"text": "hit", "start": 1, "end": 2},
    "arguments": [{"role": "Target", "text": "the 😀 bus", "start": 2, "end": 5}]}])";
  const auto joined =
      read(R"({"doc_id": "d", "wnd_id": "d_1", "tokens": ["He", "hit", "the", "😀", "bus"], )" + events + "}");
  REQUIRE_MESSAGE(joined.has_value(), joined.error().message);
  CHECK(joined->id == "d_1");
  CHECK(joined->text == "He hit the 😀 bus");
  CHECK(joined->events[0].arguments[0].mention == Mention{"the 😀 bus", Span{7, 16}});
  CHECK(joined->events[0].trigger == Mention{"hit", Span{3, 6}});
  const auto given = read(
      R"({"doc_id": "d", "text": "He  hit the😀bus.", "tokens": ["He", "hit", "the", "😀", "bus"], )" + events + "}");
  REQUIRE(given);
  CHECK(given->events[0].arguments[0].mention == Mention{"the😀bus", Span{8, 15}});
}

TEST_CASE("a record in the own form comes back as it was") {
  const EventRecord record{
      "r",
      "a \"b\" 😀",
      {{"T", {"a", Span{0, 1}}, {{"R", {"b", std::nullopt}}, {"S", {"😀", Span{6, 7}}}}}, {"U", {"b", {}}, {}}}};
  const auto again = read(event_record_json(record));
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(*again == record);
}

TEST_CASE("a record that lacks something is refused with its place and the key") {
  const auto message = [](const std::string& json) {
    const auto record = read(json);
    REQUIRE_FALSE(record);
    CHECK(record.error().code == ErrorCode::kBadInput);
    return record.error().message;
  };
  CHECK(message("{}").starts_with("file:7: no event record"));
  CHECK(message(R"({"text": "x", "events": [{}]})") == "file:7: \"type\" is missing or no string");
  CHECK(message(R"({"text": "x", "events": [{"type": "A", "trigger": {"text": "x", "start": 0}}]})") ==
        "file:7: \"end\" is missing or no whole number from 0");
  CHECK(message(R"({"tokens": ["x"], "doc_id": "d", "event_mentions": [{"event_type": "A",
                   "trigger": {"start": 0, "end": 2}, "arguments": []}]})") == "file:7: there are no tokens 0..2");
  CHECK(message(R"({"id": "1", "context": "x", "annotations": [3]})") == "file:7: \"events\" is missing or no list");
  CHECK(message(R"({"doc_id": "1", "sentences": [[[["x", 5, 7]], "x"]], "entity_mentions": [], "event_mentions": []})")
            .find("does not follow") != std::string::npos);
}

TEST_CASE("schemas are made of records, written, read and found by class or type") {
  const std::vector<EventRecord> records = {
      {"1", "", {{"Life.Die", {}, {{"Victim", {}}, {"mention", {}}, {"class", {}}}}, {"Life_Die", {}, {}}}},
      {"2", "", {{"Life.Die", {}, {{"A.B", {}}, {"a_b", {}}}}, {"9", {}, {}}}}};
  const auto set = SchemaSet::of_records(records);
  REQUIRE_MESSAGE(set.has_value(), set.error().message);
  REQUIRE(set->size() == 3);
  CHECK(set->schemas()[0].class_name == "_9");
  CHECK(set->find("Life.Die")->class_name == "Life_Die_2");
  CHECK(set->find("Life_Die")->type == "Life_Die");
  const EventSchema& die = *set->find("Life.Die");
  REQUIRE(die.roles.size() == 5);
  CHECK(die.find_role("A.B")->field == "a_b_2");
  CHECK(die.find_role("a_b")->role == "a_b");
  CHECK(die.find_role("mention")->field == "mention_");
  CHECK(die.find_role("class_")->role == "class");
  CHECK(die.find_role("victim")->role == "Victim");
  const TemporaryFolder folder;
  std::ofstream file(folder.path() / "schemas.jsonl");
  for (const EventSchema& schema : set->schemas()) file << schema_json(schema) << '\n';
  file.close();
  const auto again = read_schemas(folder.path() / "schemas.jsonl");
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(std::vector(again->schemas().begin(), again->schemas().end()) ==
        std::vector(set->schemas().begin(), set->schemas().end()));
}

TEST_CASE("schemas that clash are refused") {
  CHECK_FALSE(SchemaSet::make({{"A", "X", "", {}}, {"B", "X", "", {}}}));
  CHECK_FALSE(SchemaSet::make({{"A", "not a name", "", {}}}));
  CHECK_FALSE(SchemaSet::make({{"A", "A", "", {{"r", "mention", ""}}}}));
  CHECK_FALSE(SchemaSet::make({{"A", "A", "", {{"r", "f", ""}, {"s", "f", ""}}}}));
}
