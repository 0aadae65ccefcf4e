// Data sets as they are published: standoff annotations and CASIE's documents in folders, M2E2's list.
#include <doctest/doctest.h>

#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/instance.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

EventRecord only_record(const std::filesystem::path& path) {
  const auto records = read_event_records(path);
  REQUIRE_MESSAGE(records.has_value(), records.error().message);
  REQUIRE(records->size() == 1);
  const auto instance = Instance::make(records->front());
  REQUIRE_MESSAGE(instance.has_value(), instance.error().message);
  CHECK(instance->faults().other_text == 0);
  return records->front();
}

std::string message_of(const std::filesystem::path& path) {
  const auto records = read_event_records(path);
  REQUIRE_FALSE(records.has_value());
  return records.error().message;
}

}  // namespace

TEST_CASE("GENIA's standoff annotations are read: proteins of .a1, triggers and events of .a2") {
  const TemporaryFolder folder;
  write_bytes(folder / "PMID-1.txt", "😀 IL-2 binds p50 and p65 (RelA) in B and T cells.\n");
  write_bytes(folder / "PMID-1.a1",
              "T1\tProtein 2 6\tIL-2\nT2\tProtein 13 16\tp50\nT3\tProtein 21 24\tp65\nT4\tProtein 26 30\tRelA");
  write_bytes(folder / "PMID-1.a2",
              "*\tEquiv T3 T4\nE1\tBinding:T5 Theme:T1 Theme2:T3 \r\nT5\tBinding 7 12\tbinds\nM1\tNegation E1\n"
              "E2\tPositive_regulation:T5 Theme:E1 Cause:T2 Site:T6\nT6\tEntity 35 36;43 48\tB cells\n");
  write_bytes(folder / "README", "no document");
  const EventRecord record = only_record(folder.path());
  CHECK(record.id == "PMID-1");
  REQUIRE(record.events.size() == 2);
  CHECK(record.events[0] ==
        GoldEvent{
            "Binding",
            {"binds", Span{7, 12}},
            {{"Theme", {"IL-2", Span{2, 6}}}, {"Theme2", {"p65", Span{21, 24}}}, {"Theme2", {"RelA", Span{26, 30}}}}});
  CHECK(record.events[1] == GoldEvent{"Positive_regulation",
                                      {"binds", Span{7, 12}},
                                      {{"Cause", {"p50", Span{13, 16}}}, {"Site", {"B cells", std::nullopt}}}});
}

TEST_CASE("MLEE's annotations are in one file, and one that counts a character too many is mended") {
  const TemporaryFolder folder;
  write_bytes(folder / "d.txt", "Vessels grow.");
  write_bytes(folder / "d.ann",
              "T1\tMulti-tissue_structure 1 8\tVessels\nT2\tGrowth 8 12\tgrow\nE1\tGrowth:T2 Theme:T1\n");
  const EventRecord record = only_record(folder.path());
  CHECK(record.events.at(0) == GoldEvent{"Growth", {"grow", Span{8, 12}}, {{"Theme", {"Vessels", Span{0, 7}}}}});
}

TEST_CASE("a standoff file that is wrong is refused with its line") {
  const TemporaryFolder folder;
  CHECK(message_of(folder.path()).find("holds no document") != std::string::npos);
  write_bytes(folder / "d.txt", "Vessels grow.");
  CHECK(message_of(folder.path()).find("neither d.ann nor d.a2") != std::string::npos);
  const auto message = [&folder](std::string_view annotations) {
    write_bytes(folder / "d.ann", annotations);
    const std::string whole = message_of(folder.path());
    return whole.substr(std::min(whole.find("d.ann:"), whole.size()));
  };
  CHECK(message("T1\tGrowth 8 12\tgrow\nE1\tGrowth:T2") == "d.ann:2: there is no text-bound annotation \"T2\"");
  CHECK(message("T1\tGrowth 8\tgrow").starts_with("d.ann:1: a place is"));
  CHECK(message("T1\tGrowth 8 x\tgrow").starts_with("d.ann:1: a place is"));
  CHECK(message("T1\tGrowth").starts_with("d.ann:1: a text-bound annotation is"));
  CHECK(message("*").starts_with("d.ann:1: an equivalence is"));
  CHECK(message("\nE1").starts_with("d.ann:2: an event is"));
  CHECK(message("T1\tGrowth 8 12\tgrow\nE1\tGrowth:T1 Theme").starts_with("d.ann:2: an event is"));
}

TEST_CASE("CASIE's documents are read, one file each") {
  const TemporaryFolder folder;
  write_bytes(folder / "7.json", R"({"content": "😀 Crooks stole mails.", "sourcefile": "7.txt", "info": {},
    "cyberevent": {"hopper": [{"index": 0, "events": [{"index": "E1", "type": "Attack", "subtype": "Databreach",
      "realis": "Actual", "nugget": {"startOffset": 9, "endOffset": 14, "text": "stole", "index": "T1"},
      "argument": [
        {"startOffset": 2, "endOffset": 8, "text": "Crooks", "type": "Person", "role": {"type": "Attacker"}},
        {"startOffset": 16, "endOffset": 21, "text": "mails", "type": "Data", "role": {"type": "Compromised-Data"}}]}]}]}})");
  const EventRecord record = only_record(folder.path());
  CHECK(record.id == "7");
  CHECK(record.events.at(0) ==
        GoldEvent{"Attack:Databreach",
                  {"stole", Span{9, 14}},
                  {{"Attacker", {"Crooks", Span{2, 8}}}, {"Compromised-Data", {"mails", Span{15, 20}}}}});
  write_bytes(folder / "8.json", R"({"content": "Nothing.", "sourcefile": "8.txt"})");
  const auto both = read_event_records(folder.path());
  REQUIRE(both);
  CHECK(both->at(1).events.empty());
  write_bytes(folder / "9.json", "{");
  CHECK(message_of(folder.path()).find("9.json:1: ") != std::string::npos);
}

TEST_CASE("M2E2's list is read, tokens becoming code points") {
  const TemporaryFolder folder;
  write_bytes(folder / "text_only_event.json",
              R"([{"sentence_id": "s_1", "image": ["i.jpg"], "sentence": "Troops 😀 fired, twice.",
    "words": ["Troops", "😀", "fired", ",", "twice", "."], "golden-entity-mentions": [],
    "golden-event-mentions": [{"event_type": "Conflict:Attack", "trigger": {"start": 2, "end": 3, "text": "fired"},
      "arguments": [{"role": "Attacker", "start": 0, "end": 2, "text": "Troops 😀"}]}]}])");
  const EventRecord record = only_record(folder / "text_only_event.json");
  CHECK(record.id == "s_1");
  CHECK(record.events.at(0) ==
        GoldEvent{"Conflict:Attack", {"fired", Span{9, 14}}, {{"Attacker", {"Troops 😀", Span{0, 8}}}}});
}
