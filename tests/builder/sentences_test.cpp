#include "builder/sentences.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace harnessg {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> sentences;
  for (const auto& [begin, end] : split_sentences(text)) sentences.emplace_back(text.substr(begin, end - begin));
  return sentences;
}

using Sentences = std::vector<std::string>;

std::filesystem::path shared_folder() {
  const char* set = std::getenv("HARNESSG_SHARED");
  return set != nullptr ? std::filesystem::path(set) : std::filesystem::path(HARNESSG_SOURCE_DIR) / ".." / "shared";
}

std::string fold(std::string_view text) {
  std::string folded;
  for (char byte : text) {
    const bool space = byte == ' ' || byte == '\n' || byte == '\t';
    if (!space) folded += byte;
    if (space && !folded.empty() && folded.back() != ' ') folded += ' ';
  }
  if (!folded.empty() && folded.back() == ' ') folded.pop_back();
  return folded;
}

// The promise that holds for every text: ordered, trimmed, not empty, and only spaces between them.
bool covers(std::string_view text) {
  std::size_t at = 0;
  for (const auto& [begin, end] : split_sentences(text)) {
    if (begin < at || end <= begin || end > text.size() || text[begin] == ' ' || text[end - 1] == ' ') return false;
    if (text.substr(at, begin - at).find_first_not_of(' ') != std::string_view::npos) return false;
    at = end;
  }
  return text.substr(at).find_first_not_of(' ') == std::string_view::npos;
}

std::string repeat(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

}  // namespace

TEST_CASE("initials, titles and abbreviations do not end a sentence") {
  CHECK(split("Leslie H. Martinson met Dr. Smith at St. Mary. It rained.") ==
        Sentences{"Leslie H. Martinson met Dr. Smith at St. Mary.", "It rained."});
  CHECK(split("J. R. R. Tolkien read No. 5 of Vol. IV. He slept.") ==
        Sentences{"J. R. R. Tolkien read No. 5 of Vol. IV.", "He slept."});
  CHECK(split("Lt. Col. Jay-Z. Carter vs. Gen. Lee, e.g. Robert. They lost.") ==
        Sentences{"Lt. Col. Jay-Z. Carter vs. Gen. Lee, e.g. Robert.", "They lost."});
}

TEST_CASE("a dotted acronym ends a sentence only before a word that opens one") {
  CHECK(split("He lives in the U.S. Army base.") == Sentences{"He lives in the U.S. Army base."});
  CHECK(split("He lives in the U.S. The base is old.") == Sentences{"He lives in the U.S.", "The base is old."});
  CHECK(split("Directed by S. A. Chandrasekhar.") == Sentences{"Directed by S. A. Chandrasekhar."});
}

TEST_CASE("a letter that numbers a thing is no initial") {
  CHECK(split("He fell in World War I. Antel survived.") == Sentences{"He fell in World War I.", "Antel survived."});
}

TEST_CASE("a number opens a sentence unless an abbreviation stands before it") {
  CHECK(split("It ended in May. 15 people had seen it.") == Sentences{"It ended in May.", "15 people had seen it."});
  CHECK(split("He ruled (r. 491 to 518) from c. 480 on.") == Sentences{"He ruled (r. 491 to 518) from c. 480 on."});
  CHECK(split("Pi is 3.14 or so.") == Sentences{"Pi is 3.14 or so."});
}

TEST_CASE("a title with an exclamation mark carries on before a small letter") {
  CHECK(split("Teen Titans Go! is a series. It ran.") == Sentences{"Teen Titans Go! is a series.", "It ran."});
}

TEST_CASE("a short quotation stays with the words behind it, a long one ends a sentence") {
  CHECK(split("\"No.\" He said so.") == Sentences{"\"No.\" He said so."});
  CHECK(split("She called it \"the sound of the city.\" He agreed.") ==
        Sentences{"She called it \"the sound of the city.\"", "He agreed."});
}

TEST_CASE("a stray closing quotation mark belongs to the sentence before it") {
  CHECK(split("He said, “ He is risen. ” The door opened.") ==
        Sentences{"He said, “ He is risen. ”", "The door opened."});
}

TEST_CASE("Chinese and Japanese sentences end at their own marks without a space") {
  CHECK(split("鲁迅是中国作家。他生于1881年！你读过吗？没有。") ==
        Sentences{"鲁迅是中国作家。", "他生于1881年！", "你读过吗？", "没有。"});
  CHECK(split("黒澤明は映画監督である。1910年に東京で生まれた。「行こう！」と彼は言った。") ==
        Sentences{"黒澤明は映画監督である。", "1910年に東京で生まれた。", "「行こう！」と彼は言った。"});
}

TEST_CASE("Korean sentences end at a full stop") {
  CHECK(split("봉준호는 대한민국의 영화 감독이다. 그는 대구에서 태어났다. 정말인가? 그렇다.") ==
        Sentences{"봉준호는 대한민국의 영화 감독이다.", "그는 대구에서 태어났다.", "정말인가?", "그렇다."});
}

TEST_CASE("Arabic and Hindi sentences end at their own marks") {
  CHECK(split("ولد نجيب محفوظ في القاهرة. هل قرأت رواياته؟ نعم، قرأتها.") ==
        Sentences{"ولد نجيب محفوظ في القاهرة.", "هل قرأت رواياته؟", "نعم، قرأتها."});
  CHECK(split("प्रेमचंद हिन्दी के लेखक थे। उनका जन्म १८८० में हुआ। डॉ. राजेन्द्र प्रसाद राष्ट्रपति थे।") ==
        Sentences{"प्रेमचंद हिन्दी के लेखक थे।", "उनका जन्म १८८० में हुआ।", "डॉ. राजेन्द्र प्रसाद राष्ट्रपति थे।"});
}

TEST_CASE("a Thai space ends a long sentence and never stands inside a name") {
  const std::string first = "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย";
  const std::string second = "แม่น้ำเจ้าพระยาไหลผ่านเมืองทำให้แบ่งเมืองออกเป็นสองฝั่ง";
  CHECK(split(first + " " + second) == Sentences{first, second});
  CHECK(split("นายสมชาย ใจดี เกิดที่เชียงใหม่") == Sentences{"นายสมชาย ใจดี เกิดที่เชียงใหม่"});
}

TEST_CASE("Russian and German sentences keep initials, abbreviations and dates together") {
  CHECK(split("А. С. Пушкин родился в Москве. Он умер в 1837 году.") ==
        Sentences{"А. С. Пушкин родился в Москве.", "Он умер в 1837 году."});
  CHECK(split("Er starb am 3. Oktober 1990 in Berlin. Sie lebt z.B. Bücher. Das war es.") ==
        Sentences{"Er starb am 3. Oktober 1990 in Berlin.", "Sie lebt z.B. Bücher.", "Das war es."});
}

TEST_CASE("sentence splitting equals the unit cases of the conformance vectors") {
  std::ifstream file(shared_folder() / "conformance" / "units.jsonl");
  if (!file) {
    MESSAGE("skipped: no shared/conformance/units.jsonl");
    return;
  }
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    if (row["fn"] != "split_sentences") continue;
    const std::string text = fold(row["input"].get<std::string>());
    const bool deviates = row.contains("deviates");
    CAPTURE(text);
    CHECK(split(text) == row[deviates ? "spec_output" : "output"].get<Sentences>());
    ++cases;
  }
  CHECK(cases == 31);
}

TEST_CASE("sentences hold every character of real paragraphs") {
  std::size_t texts = 0;
  for (const char* name : {"2wiki", "hotpot", "musique"}) {
    std::ifstream file(shared_folder() / "conformance" / (std::string("corpus-") + name + ".jsonl"));
    for (std::string line; std::getline(file, line); ++texts) {
      const std::string text = fold(nlohmann::json::parse(line)["text"].get<std::string>());
      CAPTURE(text);
      REQUIRE(covers(text));
    }
  }
  if (texts == 0) MESSAGE("skipped: no shared/conformance/corpus-*.jsonl");
}

TEST_CASE("nothing, spaces alone and marks alone are handled") {
  CHECK(split("").empty());
  CHECK(split("   ").empty());
  for (std::string_view text : {".", "...", "?!", "\"", "()", "a", ". . .", "。。。", "\xE0\xB8\x81 \xE0\xB8\x81"}) {
    CAPTURE(text);
    CHECK(covers(text));
    CHECK(!split(text).empty());
  }
}

TEST_CASE("the time for megabytes without ordinary sentences grows with their length only") {
  const std::vector<std::string> texts = {
      repeat(".", 1'000'000),    repeat("A. ", 1'000'000),   repeat("x", 5'000'000),     repeat("a.\"b.\"", 800'000),
      repeat("! ", 1'000'000),   repeat(")", 1'000'000),     repeat(". 1 ", 1'000'000),  repeat("「。」と", 300'000),
      repeat("กก ", 600'000),    repeat(". \"", 1'000'000),  repeat("a. b ", 1'000'000), repeat("1. ", 1'000'000),
      repeat("? ” ", 1'000'000), repeat(".)) ) a ", 500'000)};
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    const bool whole = covers(text);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CAPTURE(text.substr(0, 12));
    CHECK(whole);
    CHECK(seconds.count() < 5.0);
  }
}

TEST_CASE("threads split the same text alike") {
  const std::string text = repeat("Dr. Smith left the U.S. He met J. Doe! Why? No. 5. ", 200);
  const auto expected = split_sentences(text);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = split_sentences(text); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == expected);
}

}  // namespace harnessg
