#include "data/text.h"

#include <doctest/doctest.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/data/shared_data.h"
#include "tests/data/stored_text.h"

using namespace harnessg;
using Texts = std::vector<std::string>;

namespace {

std::string utf8(UChar32 c) {
  char bytes[U8_MAX_LENGTH];
  std::int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, c);
  return {bytes, static_cast<std::size_t>(length)};
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

const char* const kSets[] = {"2wiki", "hotpot", "musique"};

// Calls use(entity) for each recorded entity of the two variants; false where there is no recorded data.
template <class Use>
bool for_each_recorded_entity(const Use& use) {
  for (const char* set : kSets) {
    const auto file = shared_data(std::string("conformance/graph-") + set + ".json.gz");
    if (!file) return false;
    const auto graph = nlohmann::json::parse(stored_text(*file));
    for (const char* variant : {"spacy_dense", "rule_dense"})
      for (const auto& entity : graph.at("variants").at(variant).at("entities")) use(entity);
  }
  return true;
}

// Terms by ICU's own iterator over UTF-16, cut at what is no letter, mark or digit, without any shortcut.
Texts terms_by_icu(const std::string& text) {
  UErrorCode error = U_ZERO_ERROR;
  static icu::BreakIterator* const words = icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error);
  const auto source = icu::UnicodeString::fromUTF8(fold_case(text));
  words->setText(source);
  Texts terms;
  std::int32_t begin = 0;
  for (std::int32_t end = words->next(); end != icu::BreakIterator::DONE; begin = end, end = words->next()) {
    const icu::UnicodeString word = source.tempSubStringBetween(begin, end);
    icu::UnicodeString term;
    for (std::int32_t at = 0; at <= word.length(); at = at < word.length() ? word.moveIndex32(at, 1) : at + 1) {
      const bool inside =
          at < word.length() && (U_GET_GC_MASK(word.char32At(at)) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0;
      if (inside) {
        term.append(word.char32At(at));
      } else if (!term.isEmpty()) {
        term.toUTF8String(terms.emplace_back());
        term.remove();
      }
    }
  }
  return terms;
}

}  // namespace

TEST_CASE("the version names the rules, ICU and Unicode") {
  CHECK(text_rules_version().starts_with("1 (ICU "));
  CHECK(text_rules_version().find("Unicode ") != std::string::npos);
}

TEST_CASE("the first broken byte is found") {
  CHECK_FALSE(find_invalid_utf8("plain, Ünïcode, 東京, 🎈"));
  CHECK(find_invalid_utf8("ab\xFF") == 2);
  CHECK(find_invalid_utf8("é\xC3") == 2);             // cut short
  CHECK(find_invalid_utf8("\xC0\x80") == 0);          // overlong
  CHECK(find_invalid_utf8("x\xED\xA0\x80y") == 1);    // a surrogate
  CHECK(find_invalid_utf8("\xF4\x90\x80\x80") == 0);  // past U+10FFFF
}

TEST_CASE("exactly the White_Space characters are folded") {
  for (UChar32 c = 1; c <= 0x10FFFF; ++c) {
    if (U_IS_SURROGATE(c)) continue;
    const std::string folded = fold_space("a" + utf8(c) + "b");
    if ((folded == "a b") != (u_isUWhiteSpace(c) != 0)) FAIL("code point ", c);
  }
}

TEST_CASE("white space is folded inside and dropped at both ends") {
  CHECK(fold_space("") == "");
  CHECK(fold_space(" \t\n") == "");
  CHECK(fold_space("\u3000a\u00A0\n b\u2028") == "a b");
  CHECK(fold_space("a b") == "a b");
  CHECK(fold_space("a  b") == "a b");
  CHECK(fold_space("a\tb") == "a b");
  CHECK(fold_space("a ") == "a");
  CHECK(fold_space("\u200Ba") == "\u200Ba");  // a zero-width space is no White_Space
}

TEST_CASE("words are split at white space of every kind and view the text") {
  const std::string text = " a\u2003bc\nd\u00A0";
  const auto words = split_words(text);
  CHECK(words == std::vector<std::string_view>{"a", "bc", "d"});
  CHECK(words[0].data() == text.data() + 1);
}

TEST_CASE("case folding is NFKC_Casefold") {
  CHECK(fold_case("ABC xyz 09 [") == "abc xyz 09 [");
  CHECK(fold_case("Straße") == "strasse");
  CHECK(fold_case("ﬁre Ⅳ ２") == "fire iv 2");
  CHECK(fold_case("e\u0301") == "é");
  CHECK(fold_case("so\u00ADft") == "soft");
}

TEST_CASE("surrounding marks of every script are stripped, those of a name stay") {
  CHECK(canonical_form("“Heroes”") == "heroes");
  CHECK(canonical_form("«Été»") == "été");
  CHECK(canonical_form("「東京」") == "東京");
  CHECK(canonical_form("¿Quién?") == "quién");
  CHECK(canonical_form("क्या।") == fold_case("क्या"));
  CHECK(canonical_form("—dash—") == "dash");
  CHECK(canonical_form(" ( \"U.S.\" ) ") == "u.s");
  CHECK(canonical_form("C#") == "c#");
  CHECK(canonical_form("Kyung-") == "kyung-");
  CHECK(canonical_form("…") == "…");
  CHECK(canonical_form("") == "");
}

TEST_CASE("tokens are maximal runs of letters, marks and digits of any script") {
  CHECK(alphanumeric_tokens("The U.S., 3.14!") == Texts{"the", "u", "s", "3", "14"});
  CHECK(alphanumeric_tokens("हिन्दी भाषा") == Texts{"हिन्दी", "भाषा"});
  CHECK(alphanumeric_tokens("enn bråk") == Texts{"enn", "bråk"});
  CHECK(alphanumeric_tokens("?! —").empty());
}

TEST_CASE("an identity without letters and digits is the mark itself") {
  CHECK(identity_key("÷") == "÷");
  CHECK(identity_key("…") == "…");
  CHECK(identity_key(" ") == "");
}

TEST_CASE("different titles in any script keep different identities") {
  const Texts titles = {"Москва", "Москвич", "Москва 24", "Київ 24", "東京",     "東京都", "東京 2020", "北京 2020",
                        "한국",   "한글",    "ไทย",       "ไท",      "العربية",  "العرب",  "עברית",     "עברי",
                        "हिन्दी",  "हिन्दु",    "தமிழ்",      "தமிழ",    "ქართული",  "Ελλάδα", "Ελλάς",     "Հայաստան",
                        "አማርኛ",   "ខ្មែរ",    "မြန်မာ",     "Éric",    "Ric",      "Café",   "Caf",       "÷",
                        "×",      "+",       "Ōe",        "E",       "ქართველი", "བོད་སྐད",  "ᓀᐦᐃᔭᐍᐏᐣ",   "ᏣᎳᎩ",
                        "𐌲𐌿𐍄𐌹𐍃𐌺", "𝄞𝄢",      "🎈",         "🎉",       "Zürich"};
  std::map<std::string, std::string> owner;
  for (const std::string& title : titles) {
    CAPTURE(title);
    const std::string key = identity_key(title);
    CHECK_FALSE(key.empty());
    const auto [place, fresh] = owner.emplace(key, title);
    CAPTURE(place->second);
    CHECK(fresh);
  }
}

TEST_CASE("spellings of one name share its identity") {
  CHECK(identity_key("U.S.") == identity_key("u s"));
  CHECK(identity_key("Beyonce\u0301") == identity_key("BEYONCÉ"));
  CHECK(identity_key("O’Brien") == identity_key("O'Brien"));
  CHECK(identity_key("ΣΊΣΥΦΟΣ") == identity_key("Σίσυφος"));
}

TEST_CASE("lexical terms are the words of each script's own rules") {
  CHECK(lexical_terms("The U.S. can't pay 3.14, 1,000 or e-mail_2!") ==
        Texts{"the", "u", "s", "can", "t", "pay", "3", "14", "1", "000", "or", "e", "mail", "2"});
  CHECK(lexical_terms("the director's film, l’amore") == Texts{"the", "director", "s", "film", "l", "amore"});
  CHECK(lexical_terms("Café CAFÉ") == Texts{"café", "café"});
  CHECK(lexical_terms("ภาษาไทย").size() == 2);
  CHECK(lexical_terms("私は学生です").size() > 2);
  CHECK(lexical_terms("Что это? Да!") == Texts{"что", "это", "да"});
  CHECK(lexical_terms("?! — 🎈 __").empty());
  CHECK(lexical_terms("").empty());
}

TEST_CASE("lexical terms are the same in every thread") {
  const std::string text = "Naïve words, 東京タワー and can't stop: it's 3.14 o'clock.";
  const auto expected = lexical_terms(text);
  std::vector<Texts> found(8);
  std::vector<std::thread> threads;
  for (Texts& terms : found) {
    threads.emplace_back([&terms, &text] {
      for (int i = 0; i < 200; ++i) terms = lexical_terms(text);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Texts& terms : found) CHECK(terms == expected);
}

TEST_CASE("lexical terms of short ASCII texts are ICU's, whatever stands beside what") {
  const std::string characters = "aZ0._',;:-\" @/";
  std::string text(5, ' ');
  std::uint32_t count = 1;
  for (std::size_t i = 0; i < text.size(); ++i) count *= static_cast<std::uint32_t>(characters.size());
  for (std::uint32_t number = 0; number < count; ++number) {
    std::uint32_t rest = number;
    for (char& c : text) {
      c = characters[rest % characters.size()];
      rest /= static_cast<std::uint32_t>(characters.size());
    }
    if (lexical_terms(text) != terms_by_icu(text)) FAIL("terms of ", text);
  }
}

TEST_CASE("lexical terms of every shared paragraph are ICU's") {
  int texts = 0;
  for (const char* folder : {"2wikimultihopqa", "hotpotqa", "musique"}) {
    const auto file = shared_data(std::string("data/") + folder + "/corpus.jsonl.gz");
    if (!file) return;
    for (const auto& record : stored_json_lines(*file)) {
      const std::string text = record.at("text");
      if (lexical_terms(text) != terms_by_icu(text)) FAIL("terms of ", text);
      ++texts;
    }
  }
  CHECK(texts == 12003 + 19639 + 8254);
}

TEST_CASE("the recorded canonical forms and keys hold") {
  const auto file = shared_data("conformance/units.jsonl");
  if (!file) return;
  int rows = 0;
  for (const auto& row : stored_json_lines(*file)) {
    if (row.at("fn") != "canonical_key") continue;
    const std::string surface = row.at("input");
    CAPTURE(surface);
    const auto& expected = row.contains("spec_output") ? row["spec_output"] : row.at("output");
    CHECK(canonical_form(surface) == expected.at("canonical").get<std::string>());
    CHECK(identity_key(surface) == expected.at("key").get<std::string>());
    ++rows;
  }
  CHECK(rows == 33);
}

TEST_CASE("the recorded mixed queries join our white-space separated words") {
  const auto file = shared_data("conformance/units.jsonl");
  if (!file) return;
  int rows = 0;
  for (const auto& row : stored_json_lines(*file)) {
    if (row.at("fn") != "mixquery") continue;
    const auto& input = row.at("input");
    Texts texts{input.at("question").get<std::string>()};
    for (const auto& text : input.at("selected")) texts.push_back(text);
    const auto budget = std::max(input.at("budget").get<std::size_t>(), split_words(texts[0]).size());
    std::string joined;
    std::size_t used = 0;
    for (const std::string& text : texts) {
      for (const std::string_view word : split_words(text)) {
        if (used++ < budget) joined.append(joined.empty() ? "" : " ").append(word);
      }
    }
    CHECK(joined == row.at("output").get<std::string>());
    ++rows;
  }
  CHECK(rows == 7);
}

TEST_CASE("canonical forms and keys of the recorded graphs are ours, but where the release knows ASCII only") {
  int surfaces = 0;
  std::set<std::string> others;
  const bool found = for_each_recorded_entity([&](const nlohmann::json& entity) {
    const std::string first = entity.at("surfaces").at(0);
    const std::string canonical = entity.at("canonical");
    if (canonical_form(first) != canonical) {
      CAPTURE(first);
      CHECK_FALSE(is_ascii(first));
      others.insert(first);
    }
    for (const std::string surface : entity.at("surfaces")) {
      ++surfaces;
      if (identity_key(surface) == entity.at("key").get<std::string>()) continue;
      CAPTURE(surface);
      CAPTURE(identity_key(surface));
      CHECK_FALSE(is_ascii(surface));
      others.insert(surface);
    }
  });
  if (!found) return;
  MESSAGE(surfaces, " surfaces compared; ", others.size(), " differ, each with letters or marks outside ASCII");
  CHECK(surfaces > 10000);
}
