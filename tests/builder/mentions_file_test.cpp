#include "builder/mentions_file.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tests/builder/record_list.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

// Every row of a file with this text, or the first error.
Result<std::vector<MentionRow>> rows_of(const std::string& text) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mentions.jsonl";
  std::ofstream(file, std::ios::binary) << text;
  HARNESSG_ASSIGN(const auto reader, MentionReader::open(file));
  std::vector<MentionRow> rows;
  while (true) {
    HARNESSG_ASSIGN(std::optional<MentionRow> row, reader->next());
    if (!row) return rows;
    rows.push_back(std::move(*row));
  }
}

void check_error(const std::string& text, const std::string& place, const std::string& part) {
  const auto rows = rows_of(text);
  REQUIRE(!rows);
  CHECK(rows.error().code == ErrorCode::kBadInput);
  CHECK_MESSAGE(rows.error().message.find(place) != std::string::npos, rows.error().message);
  CHECK_MESSAGE(rows.error().message.find(part) != std::string::npos, rows.error().message);
}

constexpr const char* kGood = R"({"paragraph": "p1", "sentence": 0, "text": "Ada", "label": "PERSON"})";

}  // namespace

TEST_CASE("A mentions file is read row by row") {
  const auto rows =
      rows_of(std::string(kGood) + "\n\n" +
              R"({"paragraph": 7, "sentence": 2, "text": "Zürich", "label": "GPE", "start": 3, "end": 10, "x": 1})");
  REQUIRE_MESSAGE(rows, rows.error().message);
  REQUIRE(rows->size() == 2);
  CHECK((*rows)[0].paragraph == "p1");
  CHECK((*rows)[0].label == Label::kPerson);
  CHECK(!(*rows)[0].position);
  CHECK((*rows)[1].paragraph == "7");
  CHECK((*rows)[1].sentence == 2);
  CHECK((*rows)[1].line == 3);
  CHECK((*rows)[1].position == std::pair<std::uint32_t, std::uint32_t>{3, 10});
}

TEST_CASE("What is wrong in a mentions file is named with file and line") {
  const std::string good = std::string(kGood) + "\n";
  check_error(good + R"({"paragraph": "p1", "sentence": 0, "text": "Ada", "label": "HUMAN"})", ":2:", "\"HUMAN\"");
  check_error(good + "nonsense\n", ":2:", "no JSON object");
  check_error(good + R"({"sentence": 0, "text": "Ada", "label": "PERSON"})", ":2:", "\"paragraph\"");
  check_error(R"({"paragraph": "p", "sentence": -1, "text": "Ada", "label": "PERSON"})", ":1:", "\"sentence\"");
  check_error(R"({"paragraph": "p", "sentence": 0, "text": "Ada", "label": "PERSON", "start": 1})", ":1:", "\"end\"");
  check_error("{\"paragraph\": \"p\xff\", \"sentence\": 0, \"text\": \"Ada\", \"label\": \"PERSON\"}", ":1:", "UTF-8");
}

TEST_CASE("A missing mentions file is not found") {
  const auto reader = MentionReader::open("/nonexistent/mentions.jsonl");
  REQUIRE(!reader);
  CHECK(reader.error().code == ErrorCode::kNotFound);
}

TEST_CASE("The queue hands out the rows of each paragraph in turn") {
  MentionList list({mention("a", 0, "x1"), mention("a", 1, "x2"), mention("c", 0, "x3")});
  MentionQueue queue(list);
  CHECK(queue.take("a").value().size() == 2);
  CHECK(queue.take("b").value().empty());
  CHECK(queue.waiting().value()->paragraph == "c");
  CHECK(queue.take("c").value().size() == 1);
  CHECK(queue.waiting().value() == nullptr);
}

TEST_CASE("Positions are checked against the bytes of the sentence") {
  const std::string text = "Ça va. Zürich est belle.";
  const SentenceRanges sentences = {{0, 7}, {8, 25}};
  MentionRow row = mention("p", 1, "Zürich", Label::kGpe);
  row.position = {0, 7};
  row.file = "m";
  row.line = 4;
  const auto placed = place_mentions(std::vector{row}, text, sentences);
  REQUIRE_MESSAGE(placed, placed.error().message);
  CHECK((*placed)[0].empty());
  CHECK((*placed)[1] == std::vector<Mention>{{"Zürich", Label::kGpe, 0, 7}});
  row.position = {0, 6};
  CHECK(place_mentions(std::vector{row}, text, sentences).error().message.find("m:4:") == 0);
  row.position = {12, 40};
  CHECK(!place_mentions(std::vector{row}, text, sentences));
}

TEST_CASE("A surface without a position need not stand in its sentence") {
  const auto placed = place_mentions(std::vector{mention("p", 0, "Elsewhere")}, "One.", {{0, 4}});
  REQUIRE(placed);
  CHECK((*placed)[0][0].surface == "Elsewhere");
}

TEST_CASE("A sentence that the paragraph does not have is an error") {
  const auto placed = place_mentions(std::vector{mention("p", 1, "Ada")}, "One.", {{0, 4}});
  REQUIRE(!placed);
  CHECK(placed.error().code == ErrorCode::kBadInput);
  CHECK(placed.error().message.find("no sentence 1") != std::string::npos);
}
