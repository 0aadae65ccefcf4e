#include "data/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "data/text.h"
#include "tests/data/compressed.h"
#include "tests/data/shared_data.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using Texts = std::vector<std::string>;

namespace {

struct Contents {
  std::vector<CorpusRecord> records;
  std::vector<Error> errors;
  std::uint64_t skipped = 0;
  std::string first_skipped;
};

Contents read_all(std::vector<std::filesystem::path> paths, CorpusOptions options = {}) {
  auto reader = CorpusReader::open(std::move(paths), options);
  REQUIRE(reader);
  Contents contents;
  while (true) {
    auto record = (*reader)->next();
    if (!record) {
      contents.errors.push_back(record.error());
      REQUIRE(contents.errors.size() < 100);
      continue;
    }
    if (!*record) break;
    contents.records.push_back(std::move(**record));
  }
  contents.skipped = (*reader)->skipped();
  contents.first_skipped = (*reader)->first_skipped();
  CHECK((*reader)->bytes_read() == (*reader)->bytes_total());
  return contents;
}

Contents read_text(std::string_view text, CorpusOptions options = {}) {
  const TemporaryFolder folder;
  write_bytes(folder / "corpus", text);
  return read_all({folder / "corpus"}, options);
}

// Reads `text`, one bad record among good ones, under both rules; the message under kFail.
std::string message_of_bad_line(const std::string& line) {
  const std::string good = "{\"id\": \"good\", \"text\": \"Good.\"}\n";
  const TemporaryFolder folder;
  write_bytes(folder / "corpus", good + line + "\n" + good);
  const Contents failed = read_all({folder / "corpus"});
  REQUIRE(failed.errors.size() == 1);
  CHECK(failed.errors[0].code == ErrorCode::kBadInput);
  CHECK(failed.records.size() == 2);
  const std::string& message = failed.errors[0].message;
  CHECK(message.starts_with((folder / "corpus").string() + ":2: "));
  CHECK_FALSE(find_invalid_utf8(message));
  const Contents skipped = read_all({folder / "corpus"}, {.on_error = OnError::kSkip});
  CHECK(skipped.errors.empty());
  CHECK(skipped.records.size() == 2);
  CHECK(skipped.skipped == 1);
  CHECK(skipped.first_skipped == message);
  return message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Reads a shared file: its number of records, each of which must keep the promises of CorpusRecord.
std::size_t checked_count(const std::filesystem::path& file) {
  auto reader = CorpusReader::open({file}, {});
  REQUIRE(reader);
  std::size_t count = 0;
  while (true) {
    const auto record = (*reader)->next();
    if (!record) FAIL(record.error().message);
    if (!*record) return count;
    ++count;
    const CorpusRecord& r = **record;
    std::string joined;
    for (const std::string& sentence : r.sentences) {
      if (sentence.empty() || sentence != fold_space(sentence)) FAIL("sentence of ", r.id);
      joined += sentence;
    }
    std::string text = r.text;
    std::erase(text, ' ');
    std::erase(joined, ' ');
    if (r.text.empty() || r.text != fold_space(r.text) || r.title != fold_space(r.title) || r.id.empty() ||
        (!r.sentences.empty() && joined != text))
      FAIL("record ", r.id);
  }
}

}  // namespace

TEST_CASE("a JSON lines record has its id, title, text, sentences, metadata and place") {
  const Contents found = read_text(
      "\n{\"year\": 1990, \"id\": 7, \"title\": \" A\\u00a0 title \", \"text\": \"One.\\n Two. \", "
      "\"sentences\": [\"One. \", \"Two.\", \"\", \" \"], \"b\": {\"c\": [null, \"é\"]}}\r\n");
  REQUIRE(found.records.size() == 1);
  const CorpusRecord& record = found.records[0];
  CHECK(record.id == "7");
  CHECK(record.title == "A title");
  CHECK(record.text == "One. Two.");
  CHECK(record.sentences == Texts{"One.", "Two."});
  CHECK(record.metadata == "{\"b\":{\"c\":[null,\"é\"]},\"year\":1990}");
  CHECK(record.line == 2);
  CHECK(record.file.ends_with("corpus"));
}

TEST_CASE("a missing title is empty and a missing id is the record's number in the stream") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "{\"text\": \"One.\"}\n{\"text\": 5}\n{\"text\": \"Two.\", \"id\": null, \"title\": null}");
  write_bytes(folder / "b", "{\"text\": \"Three.\", \"id\": \"x\"}\n{\"text\": \"Four.\", \"id\": \"\"}\n");
  const Contents found = read_all({folder / "a", folder / "b"}, {.on_error = OnError::kSkip});
  REQUIRE(found.records.size() == 4);
  CHECK(found.records[0].id == "1");
  CHECK(found.records[0].title == "");
  CHECK(found.records[0].metadata == "");
  CHECK(found.records[1].id == "3");
  CHECK(found.records[2].id == "x");
  CHECK(found.records[3].id == "5");
}

TEST_CASE("sentences alone make the text") {
  const Contents found = read_text("{\"id\": \"a\", \"sentences\": [\"One.\", \" Two.\"]}\n");
  REQUIRE(found.records.size() == 1);
  CHECK(found.records[0].text == "One. Two.");
}

TEST_CASE("a JSON list, also over several lines, is read like lines") {
  const Contents found = read_text("[\n {\"id\": 1,\n  \"text\": \"One.\"},\n{\"id\": 2, \"text\": \"Two.\"}]\n");
  REQUIRE(found.records.size() == 2);
  CHECK(found.records[1].id == "2");
  CHECK(found.records[1].line == 2);
}

TEST_CASE("contexts of HotpotQA and 2Wiki become records with their sentences") {
  const Contents found = read_text(
      "[{\"_id\": \"q\", \"question\": \"?\", \"context\": [[\"A &amp; B\", [\"One.\", \" Two.\"]], [\"C\", "
      "[\"Drei.\"]]]}]");
  REQUIRE(found.records.size() == 2);
  CHECK(found.records[0].id == "q#0");
  CHECK(found.records[0].title == "A &amp; B");
  CHECK(found.records[0].text == "One. Two.");
  CHECK(found.records[0].sentences == Texts{"One.", "Two."});
  CHECK(found.records[1].id == "q#1");
}

TEST_CASE("paragraphs of MuSiQue, IRCoT and PopQA become records") {
  const Contents found = read_text(
      "{\"id\": \"m\", \"question\": \"?\", \"paragraphs\": [{\"idx\": 0, \"title\": \"A\", \"paragraph_text\": "
      "\"One.\"}]}\n"
      "{\"question_id\": \"i\", \"contexts\": [{\"title\": \"B\", \"paragraph_text\": \"Two.\"}]}\n"
      "{\"id\": 3, \"paragraphs\": [{\"title\": \"C\", \"text\": \"Three.\"}, {\"title\": \"D\", \"text\": "
      "\"Four.\"}]}\n");
  REQUIRE(found.records.size() == 4);
  CHECK(found.records[0].id == "m#0");
  CHECK(found.records[1].id == "i#0");
  CHECK(found.records[3].id == "3#1");
  CHECK(found.records[3].text == "Four.");
  CHECK(found.records[3].metadata == "");
}

TEST_CASE("an unusable paragraph of a question does not take the others with it") {
  const std::string text =
      "{\"id\": \"m\", \"paragraphs\": [{\"title\": \"A\", \"paragraph_text\": \" \"}, 5, {\"title\": \"C\", "
      "\"paragraph_text\": \"Three.\"}]}\n";
  const Contents found = read_text(text, {.on_error = OnError::kSkip});
  REQUIRE(found.records.size() == 1);
  CHECK(found.records[0].id == "m#2");
  CHECK(found.skipped == 2);
}

TEST_CASE("a folder of text files is read in the order of its paths") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "sub/deep");
  write_bytes(folder / "Zürich.txt", "\xEF\xBB\xBFZürich is\na city.\n");
  write_bytes(folder / "Bern.txt", "Bern is a city.");
  write_bytes(folder / "sub/deep/Basel 2.txt", "Basel is a city.");
  write_bytes(folder / "notes.md", "not read");
  const Contents found = read_all({folder.path()});
  REQUIRE(found.records.size() == 3);
  CHECK(found.records[0].id == "Bern");
  CHECK(found.records[1].id == "Zürich");
  CHECK(found.records[1].title == "Zürich");
  CHECK(found.records[1].text == "Zürich is a city.");
  CHECK(found.records[2].id == "sub/deep/Basel 2");
  CHECK(found.records[2].title == "Basel 2");
  CHECK(found.records[2].file == (folder / "sub/deep/Basel 2.txt").string());
}

TEST_CASE("an empty, a broken and an over-long text file are bad records") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.txt", " \n");
  write_bytes(folder / "b.txt", "one\ntwo \xFF");
  write_bytes(folder / "c.txt", std::string(1000, 'c'));
  write_bytes(folder / "d.txt", "fine");
  const Contents found = read_all({folder.path()}, {.max_line_bytes = 100});
  REQUIRE(found.errors.size() == 3);
  CHECK(has(found.errors[0].message, "a.txt:1: no \"text\""));
  CHECK(has(found.errors[1].message, "b.txt:2: byte 9 is no UTF-8"));
  CHECK(has(found.errors[2].message, "c.txt:1: is longer than 100 bytes"));
  CHECK(found.records.size() == 1);
}

TEST_CASE("every kind of bad record is an error with file, line and mend, and can be skipped") {
  CHECK(has(message_of_bad_line("{\"text\": \"a\xFF\"}"), "byte 12 is no UTF-8"));
  CHECK(has(message_of_bad_line("{\"text\": \"a"), "is no JSON"));
  CHECK(has(message_of_bad_line("text"), "is no JSON"));
  CHECK(has(message_of_bad_line("5"), "is no JSON object but number"));
  CHECK(has(message_of_bad_line("{\"text\": \"\\ud800\"}"), "surrogate"));
  CHECK(has(message_of_bad_line("{\"text\": \"\\udc00 x\"}"), "surrogate"));
  CHECK(has(message_of_bad_line("{\"text\": \"x\", \"n\": 1e999}"), "number overflow"));
  CHECK(has(message_of_bad_line("{\"id\": 1}"), "no \"text\""));
  CHECK(has(message_of_bad_line("{\"id\": 1, \"text\": \" \\n \"}"), "no \"text\""));
  CHECK(has(message_of_bad_line("{\"id\": 1, \"question\": \"Who?\"}"), "question without contexts"));
  CHECK(has(message_of_bad_line("{\"id\": 1, \"text\": 5}"), "\"text\" is no string but number"));
  CHECK(has(message_of_bad_line("{\"id\": [1], \"text\": \"x\"}"), "\"id\" is neither string nor number but array"));
  CHECK(has(message_of_bad_line("{\"title\": true, \"text\": \"x\"}"), "\"title\" is no string but boolean"));
  CHECK(
      has(message_of_bad_line("{\"text\": \"One. Two.\", \"sentences\": [\"One.\"]}"), "joined, are not the \"text\""));
  CHECK(has(message_of_bad_line("{\"sentences\": [\"One.\", \" \", \"Two.\"]}"), "sentence 1 is empty"));
  CHECK(has(message_of_bad_line("{\"sentences\": \"One.\"}"), "no list of strings"));
  CHECK(has(message_of_bad_line("{\"sentences\": [\"One.\", 2]}"), "sentence 1 is no string"));
  CHECK(
      has(message_of_bad_line("{\"id\": \"q\", \"context\": [[\"A\"]]}"), "a context is not [title, [sentence, ...]]"));
}

TEST_CASE("deep nesting is read or refused, never a crash") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(has(message_of_bad_line("{\"text\": \"x\", \"deep\": " + deep + "}"), "more than 100 levels"));
  CHECK(has(message_of_bad_line("{\"text\": " + deep + "}"), "no string but array"));
  CHECK(has(message_of_bad_line(std::string(100'000, '[')), "is no JSON"));
}

TEST_CASE("a line over the limit is an error with its number") {
  const std::string text =
      "{\"text\": \"One.\"}\n{\"text\": \"" + std::string(500, 'x') + "\"}\n{\"text\": \"Three.\"}\n";
  const Contents found = read_text(text, {.max_line_bytes = 100});
  REQUIRE(found.errors.size() == 1);
  CHECK(has(found.errors[0].message, "corpus:2: is longer than 100 bytes"));
  CHECK(found.records.size() == 2);
}

TEST_CASE("a truncated last line is named as such; a whole one without line end is read") {
  const Contents cut = read_text("{\"text\": \"One.\"}\n{\"text\": \"Tw");
  REQUIRE(cut.errors.size() == 1);
  CHECK(has(cut.errors[0].message, "corpus:2: the last record is cut short"));
  CHECK(read_text("{\"text\": \"One.\"}").records.size() == 1);
}

TEST_CASE("a truncated list loses its last record only, and says so") {
  const Contents found = read_text("[{\"text\": \"One.\"}, {\"text\": \"Tw", {.on_error = OnError::kSkip});
  CHECK(found.records.size() == 1);
  CHECK(found.skipped == 1);
  CHECK(has(found.first_skipped, "corpus:2: the last record is cut short"));
}

TEST_CASE("a compressed file cut short is an error even where bad records are skipped") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "{\"text\": \"Sentence number " + std::to_string(i * 7919) + ".\"}\n";
  const std::string bytes = gzip_bytes(text);
  write_bytes(folder / "a.gz", bytes.substr(0, bytes.size() / 2));
  write_bytes(folder / "b", "{\"text\": \"Next.\"}\n");
  const Contents found = read_all({folder / "a.gz", folder / "b"}, {.on_error = OnError::kSkip});
  REQUIRE(found.errors.size() == 1);
  CHECK(has(found.errors[0].message, "a.gz is cut short"));
  CHECK(found.records.back().text == "Next.");
}

TEST_CASE("U+2028 and U+0085 in a text split no record") {
  const Contents found = read_text("{\"text\": \"One\u2028two\u0085three.\"}\n");
  REQUIRE(found.records.size() == 1);
  CHECK(found.records[0].text == "One two three.");
}

TEST_CASE("all paths are looked at before the first is read") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "{\"text\": \"One.\"}\n");
  std::filesystem::create_directory(folder / "empty");
  const auto missing = CorpusReader::open({folder / "a", folder / "none"}, {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::kNotFound);
  CHECK(has(missing.error().message, "none"));
  CHECK(CorpusReader::open({folder / "empty"}, {}).error().code == ErrorCode::kBadInput);
  CHECK(CorpusReader::open({}, {}).error().code == ErrorCode::kInvalidArgument);
  CHECK(CorpusReader::open({"-", "-"}, {}).error().code == ErrorCode::kInvalidArgument);
  CHECK((*CorpusReader::open({"-"}, {}))->bytes_total() == 0);
}

TEST_CASE("an empty file has no records") { CHECK(read_text("").records.empty()); }

TEST_CASE("the sample corpus is read whole, awkward records included") {
  const Contents found = read_all({std::filesystem::path(HARNESSG_SOURCE_DIR) / "data/sample/corpus.jsonl"});
  CHECK(found.errors.empty());
  CHECK(found.records.size() == 137);
}

TEST_CASE("the shared corpora are read whole") {
  const std::map<std::string, std::size_t> counts = {{"2wikimultihopqa/corpus.jsonl.gz", 12003},
                                                     {"hotpotqa/corpus.jsonl.gz", 19639},
                                                     {"musique/corpus.jsonl.gz", 8254},
                                                     {"musique/corpus_extra_distractors.jsonl", 3443}};
  for (const auto& [name, count] : counts) {
    const auto file = shared_data("data/" + name);
    if (!file) return;
    CAPTURE(name);
    CHECK(checked_count(*file) == count);
  }
}

TEST_CASE("the contexts of the shared question files are read whole") {
  const std::map<std::string, std::size_t> counts = {{"2wikimultihopqa/2wiki_dev_subset.json.gz", 6570},
                                                     {"hotpotqa/hotpot_dev_distractor_subset.json.gz", 4914},
                                                     {"hotpotqa/hotpot_dev_ircot_500.jsonl.gz", 4931},
                                                     {"musique/musique_ans_dev_subset.jsonl.gz", 5840},
                                                     {"other/popqa_1000.json.gz", 2000}};
  for (const auto& [name, count] : counts) {
    const auto file = shared_data("data/" + name);
    if (!file) return;
    CAPTURE(name);
    CHECK(checked_count(*file) == count);
  }
}

TEST_CASE("distinct titles outside the Latin script keep distinct identities, and so do accented ones") {
  std::map<std::string, std::string> owners;
  std::size_t titles = 0;
  for (const char* folder : {"2wikimultihopqa", "hotpotqa", "musique"}) {
    const auto file = shared_data(std::string("data/") + folder + "/corpus.jsonl.gz");
    if (!file) return;
    for (const CorpusRecord& record : read_all({*file}).records) {
      const bool ascii = std::all_of(record.title.begin(), record.title.end(), [](char c) { return c >= 0; });
      if (ascii) continue;
      const auto [owner, fresh] = owners.emplace(identity_key(record.title), canonical_form(record.title));
      titles += fresh;
      CAPTURE(owner->second);
      CHECK(alphanumeric_tokens(owner->second) == alphanumeric_tokens(record.title));
    }
  }
  CHECK(titles > 1000);
}
