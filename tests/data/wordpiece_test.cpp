#include "data/wordpiece.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

// Numbers are line numbers: 0 [PAD] to 4 [MASK], then 5 and on.
constexpr const char* kVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
    "play\n##ing\n##ed\ncafe\n,\n.\nu\n東\n京\nab\n##c\nPlay\nσ\n##σ\n";
constexpr std::int32_t kUnknown = 1, kBegin = 2, kEnd = 3;

using Numbers = std::vector<std::int32_t>;

Result<WordPiece> with(const TemporaryFolder& folder, const std::string& vocabulary = kVocabulary,
                       const std::string& settings = R"({"do_lower_case": true, "strip_accents": null})") {
  write_bytes(folder / "vocab.txt", vocabulary);
  write_bytes(folder / "tokenizer_config.json", settings);
  return WordPiece::load(folder.path());
}

Numbers pieces(const WordPiece& tokenizer, std::string_view text) {
  const Numbers all = tokenizer.encode(text);
  REQUIRE(all.size() >= 2);
  CHECK(all.front() == kBegin);
  CHECK(all.back() == kEnd);
  return {all.begin() + 1, all.end() - 1};
}

}  // namespace

TEST_CASE("Words are cut into the longest pieces there are") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(pieces(*t, "playing  played\tplay") == Numbers{5, 6, 5, 7, 5});
  CHECK(pieces(*t, "abc") == Numbers{14, 15});
  CHECK(pieces(*t, "abd play") == Numbers{kUnknown, 5});
  CHECK(pieces(*t, "").empty());
}

TEST_CASE("Punctuation and Chinese characters stand alone") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(pieces(*t, "play,playing.U.") == Numbers{5, 9, 5, 6, 10, 11, 10});
  CHECK(pieces(*t, "東京play") == Numbers{12, 13, 5});
}

TEST_CASE("Case and accents do not matter to an uncased model") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(pieces(*t, "CAFÉ cafe\u0301 Play") == Numbers{8, 8, 5});
  CHECK(pieces(*t, "ΣΣ") == Numbers{17, 18});  // the small sigma inside and at the end of a word
}

TEST_CASE("A cased model keeps both") {
  const TemporaryFolder folder;
  const auto t = with(folder, kVocabulary, R"({"do_lower_case": false})");
  REQUIRE(t);
  CHECK(t->rules() == WordPieceRules{false, false, true});
  CHECK(pieces(*t, "Play play café") == Numbers{16, 5, kUnknown});
}

TEST_CASE("Control characters and broken bytes vanish, every white space parts words") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(pieces(*t, std::string_view("a\u200bb\ufffd\0c", 10)) == Numbers{14, 15});
  CHECK(pieces(*t,
               "a\xFF"
               "b") == Numbers{14});
  CHECK(pieces(*t, "play\u00a0play\u2028play") == Numbers{5, 5, 5});
}

TEST_CASE("A word of more than a hundred characters is unknown") {
  const TemporaryFolder folder;
  const auto t = with(folder, std::string(kVocabulary) + "é\n##é\n", R"({"strip_accents": false})");
  REQUIRE(t);
  std::string word;
  for (int n = 0; n < 100; ++n) word += "é";
  CHECK(pieces(*t, word).size() == 100);
  CHECK(pieces(*t, word + "é") == Numbers{kUnknown});
}

TEST_CASE("Special tokens are recognised in the text, in their own spelling only") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(pieces(*t, "play[SEP]play [MASK]") == Numbers{5, kEnd, 5, 4});
  CHECK(pieces(*t, "[sep]") == Numbers{kUnknown, kUnknown, kUnknown});
}

TEST_CASE("A long text is cut at its end, special tokens counted") {
  const TemporaryFolder folder;
  const auto t = with(folder);
  REQUIRE(t);
  CHECK(t->encode("playing playing", 5) == Numbers{kBegin, 5, 6, 5, kEnd});
  CHECK(t->encode("playing [MASK]", 4) == Numbers{kBegin, 5, 6, kEnd});
  CHECK(t->encode("playing", 2) == Numbers{kBegin, kEnd});
}

TEST_CASE("The hash tells vocabularies and rules apart") {
  const TemporaryFolder folder;
  const std::string hash = with(folder)->hash();
  CHECK(with(folder)->hash() == hash);
  CHECK(with(folder, std::string(kVocabulary) + "more\n")->hash() != hash);
  CHECK(with(folder, kVocabulary, R"({"do_lower_case": false})")->hash() != hash);
}

TEST_CASE("Damaged files are named with the line") {
  const TemporaryFolder folder;
  CHECK(WordPiece::load(folder.path()).error().code == ErrorCode::kNotFound);
  CHECK(with(folder, std::string(kVocabulary) + "play\n").error().message.find("vocab.txt:20") != std::string::npos);
  CHECK(with(folder, std::string(kVocabulary) + "\xFF\n").error().message.find("vocab.txt:20") != std::string::npos);
  CHECK(with(folder, "[PAD]\n[UNK]\n[CLS]\n").error().message.find("no [SEP]") != std::string::npos);
  CHECK(with(folder, kVocabulary, "[]").error().code == ErrorCode::kBadInput);
  CHECK(with(folder, kVocabulary, R"({"do_lower_case": 1})").error().message.find("do_lower_case") !=
        std::string::npos);
}
