#include "data/lines.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "data/json_list.h"
#include "tests/data/compressed.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using Texts = std::vector<std::string>;

namespace {

constexpr std::size_t kLimit = 1u << 20;

// The lines of a file, or its error as the last one.
Texts lines_of(const std::filesystem::path& file, std::size_t limit = kLimit) {
  auto reader = LineReader::open(file, limit);
  if (!reader) return {"error: " + reader.error().message};
  Texts lines;
  while (true) {
    const auto line = reader->next();
    if (!line) {
      lines.push_back("error: " + line.error().message);
      return lines;
    }
    if (!*line) return lines;
    REQUIRE((*line)->number == lines.size() + 1);
    lines.push_back((*line)->too_long ? "too long" : std::string((*line)->text));
  }
}

Texts elements_of(const std::filesystem::path& file, std::size_t limit = kLimit) {
  auto source = LookAhead::open(file);
  REQUIRE(source);
  JsonListReader reader(std::move(*source), limit);
  Texts elements;
  while (true) {
    const auto element = reader.next();
    if (!element) {
      elements.push_back("error: " + element.error().message);
      return elements;
    }
    if (!*element) return elements;
    elements.push_back((*element)->too_long ? "too long" : std::string((*element)->text));
    if (!(*element)->ended) elements.back() += " (cut)";
  }
}

// Texts of very different length, far longer than one block together; the last one has a line end.
std::string many_lines(std::size_t count, Texts& lines) {
  std::mt19937 random(7);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::string line = std::to_string(i) + ":";
    line.append(random() % (i % 100 == 0 ? 300'000 : 200), static_cast<char>('a' + i % 26));
    text += line + "\n";
    lines.push_back(std::move(line));
  }
  return text;
}

}  // namespace

TEST_CASE("plain, gzip and zstd files give the same lines") {
  const TemporaryFolder folder;
  Texts expected;
  const std::string text = many_lines(3000, expected);
  write_bytes(folder / "plain", text);
  write_bytes(folder / "a.gz", gzip_bytes(text));
  write_bytes(folder / "a.zst", zstd_bytes(text));
  write_bytes(folder / "without suffix", gzip_bytes(text));
  for (const char* name : {"plain", "a.gz", "a.zst", "without suffix"}) {
    CAPTURE(name);
    CHECK((lines_of(folder / name) == expected));
  }
}

TEST_CASE("gzip members and zstd frames that follow one another are one text") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.gz",
              gzip_bytes("one\ntw") + gzip_bytes("") + gzip_bytes("o\nthree\n") + std::string(512, '\0'));
  write_bytes(folder / "a.zst", zstd_bytes("one\ntw") + zstd_bytes("") + zstd_bytes("o\nthree\n"));
  CHECK(lines_of(folder / "a.gz") == Texts{"one", "two", "three"});
  CHECK(lines_of(folder / "a.zst") == Texts{"one", "two", "three"});
}

TEST_CASE("a compressed file cut short at any place is an error that names it") {
  const TemporaryFolder folder;
  Texts lines;
  const std::string text = many_lines(40, lines);
  for (const bool gzip : {true, false}) {
    const std::string bytes = gzip ? gzip_bytes(text) : zstd_bytes(text);
    const auto file = folder / (gzip ? "cut.gz" : "cut.zst");
    for (std::size_t size = 5; size < bytes.size(); size += size < 40 || size + 40 > bytes.size() ? 1 : 37) {
      CAPTURE(size);
      write_bytes(file, std::string_view(bytes).substr(0, size));
      const Texts found = lines_of(file);
      CHECK(found.back().starts_with("error: " + file.string() + " is cut short"));
    }
  }
}

TEST_CASE("a flipped byte of a gzip stream is found, at the latest by its checksum") {
  const TemporaryFolder folder;
  Texts lines;
  std::string bytes = gzip_bytes(many_lines(20, lines));
  for (std::size_t at = 10; at < bytes.size(); at += 101) {
    CAPTURE(at);
    std::string broken = bytes;
    broken[at] = static_cast<char>(broken[at] ^ 0x20);
    write_bytes(folder / "broken.gz", broken);
    CHECK(lines_of(folder / "broken.gz").back().find("broken.gz") != std::string::npos);
  }
  write_bytes(folder / "broken.gz", bytes + "more");
  CHECK(lines_of(folder / "broken.gz").back().find("bytes after its gzip stream") != std::string::npos);
}

TEST_CASE("a file that is not what its name says is refused") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.gz", "{}\n");
  write_bytes(folder / "a.zst", "");
  CHECK(LineReader::open(folder / "a.gz", kLimit).error().code == ErrorCode::kBadInput);
  CHECK(LineReader::open(folder / "a.zst", kLimit).error().code == ErrorCode::kBadInput);
}

TEST_CASE("a missing file and a folder are errors, not empty files") {
  const TemporaryFolder folder;
  CHECK(LineReader::open(folder / "none", kLimit).error().code == ErrorCode::kNotFound);
  CHECK(LineReader::open(folder.path(), kLimit).error().code == ErrorCode::kIo);
}

TEST_CASE("only LF ends a line") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "one\u2028still\u0085one\rone\vone\r\ntwo\n\nfour\n");
  CHECK(lines_of(folder / "a") == Texts{"one\u2028still\u0085one\rone\vone\r", "two", "", "four"});
}

TEST_CASE("the last line says whether it ended") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "one\ntwo");
  auto reader = LineReader::open(folder / "a", kLimit);
  REQUIRE(reader);
  CHECK((*reader->next())->ended);
  const auto last = reader->next();
  CHECK((*last)->text == "two");
  CHECK_FALSE((*last)->ended);
  CHECK_FALSE(*reader->next());
  CHECK_FALSE(*reader->next());
}

TEST_CASE("a line over the limit is passed over and never held whole") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "12345\n123456\nok\n" + std::string(3'000'000, 'x') + "\nend" + std::string(4, 'y'));
  CHECK(lines_of(folder / "a", 5) == Texts{"12345", "too long", "ok", "too long", "too long"});
}

TEST_CASE("a byte order mark is passed over and UTF-16 is named") {
  const TemporaryFolder folder;
  write_bytes(folder / "utf8", "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n");
  write_bytes(folder / "utf16", std::string_view("\xFF\xFE{\0}\0", 6));
  CHECK(lines_of(folder / "utf8") == Texts{"one", "\xEF\xBB\xBFtwo"});
  CHECK(lines_of(folder / "utf16")[0].find("UTF-16") != std::string::npos);
}

TEST_CASE("an empty file has no lines") {
  const TemporaryFolder folder;
  write_bytes(folder / "empty", "");
  write_bytes(folder / "empty.gz", gzip_bytes(""));
  CHECK(lines_of(folder / "empty").empty());
  CHECK(lines_of(folder / "empty.gz").empty());
}

TEST_CASE("bytes read are those of the stored file") {
  const TemporaryFolder folder;
  Texts expected;
  const std::string bytes = gzip_bytes(many_lines(2000, expected));
  write_bytes(folder / "a.gz", bytes);
  auto reader = LineReader::open(folder / "a.gz", kLimit);
  REQUIRE(reader);
  while (*reader->next()) continue;
  CHECK(reader->stored_bytes_read() == bytes.size());
}

TEST_CASE("a minus is standard input, compressed or not") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.gz", gzip_bytes("one\ntwo\n"));
  const int saved = dup(STDIN_FILENO);
  const int file = open((folder / "a.gz").c_str(), O_RDONLY);
  REQUIRE(dup2(file, STDIN_FILENO) == STDIN_FILENO);
  const Texts found = lines_of("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(file);
  CHECK(found == Texts{"one", "two"});
}

TEST_CASE("the elements of a JSON list come one by one, whatever stands in their strings") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", " [\n{\"a\": \"],}\\\"\\\\\"}, [1, [2]],\n3 ,\"x\" ]\n");
  CHECK(elements_of(folder / "a") == Texts{"{\"a\": \"],}\\\"\\\\\"}", "[1, [2]]", "3 ", "\"x\" "});
  write_bytes(folder / "a", "[]");
  CHECK(elements_of(folder / "a").empty());
}

TEST_CASE("a list much larger than a block, without line ends, is split") {
  const TemporaryFolder folder;
  Texts expected;
  many_lines(2000, expected);
  std::string list = "[";
  for (std::string& line : expected) {
    line = "{\"t\":\"" + line + "\"}";
    list += line + ",";
  }
  list.back() = ']';
  write_bytes(folder / "a.zst", zstd_bytes(list));
  CHECK((elements_of(folder / "a.zst") == expected));
}

TEST_CASE("a broken JSON list is an error with the record's number") {
  const TemporaryFolder folder;
  const auto last = [&](std::string_view text) {
    write_bytes(folder / "a", text);
    return elements_of(folder / "a").back();
  };
  CHECK(last("[{}, {}").find("(cut)") != std::string::npos);
  CHECK(last("[{\"a\": \"").find("(cut)") != std::string::npos);
  CHECK(last("[{}, {},").find(":3: the JSON list is broken: no \"]\"") != std::string::npos);
  CHECK(last("[").find("no \"]\"") != std::string::npos);
  CHECK(last("[{},]").find("\",\" after its last record") != std::string::npos);
  CHECK(last("[{}] []").find("text follows") != std::string::npos);
}

TEST_CASE("an element over the limit is passed over") {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "[{}, \"" + std::string(1'000'000, 'x') + "\", [1]]");
  CHECK(elements_of(folder / "a", 5) == Texts{"{}", "too long", "[1]"});
}
