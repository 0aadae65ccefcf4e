#include "builder/recogniser.h"

#include <doctest/doctest.h>

#include <algorithm>
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

std::vector<Mention> recognise(std::string_view sentence, std::string_view title = "") {
  const std::string_view sentences[] = {sentence};
  return recognise_by_rules(title, sentences).front();
}

// "surface|LABEL" of every mention.
std::vector<std::string> listed(std::string_view sentence, std::string_view title = "") {
  std::vector<std::string> mentions;
  for (const Mention& mention : recognise(sentence, title)) {
    mentions.push_back(mention.surface + "|" + std::string(label_name(mention.label)));
  }
  return mentions;
}

using Mentions = std::vector<std::string>;

bool has(const std::vector<std::string>& mentions, std::string_view mention) {
  return std::find(mentions.begin(), mentions.end(), mention) != mentions.end();
}

std::filesystem::path shared_folder() {
  const char* set = std::getenv("HARNESSG_SHARED");
  return set != nullptr ? std::filesystem::path(set) : std::filesystem::path(HARNESSG_SOURCE_DIR) / ".." / "shared";
}

std::string repeat(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

}  // namespace

TEST_CASE("capitalised spans are joined over particles, initials, hyphens and ampersands") {
  CHECK(has(listed("He met Ludwig van der Rohe there."), "Ludwig van der Rohe|ENTITY"));
  CHECK(has(listed("It was read by J. R. R. Tolkien aloud."), "J. R. R. Tolkien|PERSON"));
  CHECK(has(listed("The song by Simon & Garfunkel ended."), "Simon & Garfunkel|ENTITY"));
  CHECK(has(listed("They walked to Vitry-sur-Seine today."), "Vitry-sur-Seine|ENTITY"));
  CHECK(has(listed("She won the Nobel Prize in Literature once."), "Nobel Prize in Literature|ENTITY"));
  CHECK(has(listed("A speech by Martin Luther King, Jr. followed."), "Martin Luther King, Jr.|ENTITY"));
}

TEST_CASE("a sentence's common first word is no name") {
  CHECK(listed("However, nothing came.").empty());
  CHECK(listed("Located there, it fell.").empty());
  CHECK(listed("Students are here.").empty());
  CHECK(listed("In Gothenburg it rained.") == Mentions{"Gothenburg|ENTITY"});
  CHECK(listed("Porcaro is known.") == Mentions{"Porcaro|ENTITY"});
  CHECK(listed("I'm afraid of it.").empty());
}

TEST_CASE("a possessive ends a name unless the kind of thing follows") {
  CHECK(listed("It is Anna's book.") == Mentions{"Anna|ENTITY"});
  CHECK(listed("They saw Ravel’s house.") == Mentions{"Ravel|ENTITY"});
  CHECK(has(listed("He went to King's College then."), "King's College|ORG"));
}

TEST_CASE("months and weekdays alone are not names, nationalities are NORP") {
  CHECK(listed("He came in May on Tuesday.").empty());
  CHECK(listed("She is a South Korean and British singer.") == Mentions{"South Korean|NORP", "British|NORP"});
  CHECK(has(listed("The husband of Theresa May spoke."), "Theresa May|ENTITY"));
}

TEST_CASE("dates and numbers are typed") {
  CHECK(listed("born on 11 May 1982 there") == Mentions{"11 May 1982|DATE"});
  CHECK(listed("born on May 11, 1982 there") == Mentions{"May 11, 1982|DATE"});
  CHECK(listed("in the 1990s and the 18th century") == Mentions{"1990s|DATE", "18th century|DATE"});
  CHECK(listed("from 1991–94 on") == Mentions{"1991–94|DATE"});
  CHECK(listed("in 1982 then").empty());
  CHECK(listed("it cost $5 million and €3bn") == Mentions{"$5 million|MONEY", "€3bn|MONEY"});
  CHECK(listed("about 10% or ten percent of 5 km") == Mentions{"10%|PERCENT", "ten percent|PERCENT", "5 km|QUANTITY"});
  CHECK(listed("the first of two at 7:45 p.m.") == Mentions{"first|ORDINAL", "two|CARDINAL", "7:45 p.m.|TIME"});
  CHECK(listed("in 309 BC for thirty years") == Mentions{"309 BC|DATE", "thirty years|DATE"});
}

TEST_CASE("persons are told by titles, life dates, roles and lists") {
  CHECK(has(listed("Then Dr. Jane Smith spoke."), "Jane Smith|PERSON"));
  CHECK(has(listed("Then Queen Elizabeth II spoke."), "Queen Elizabeth II|PERSON"));
  CHECK(has(listed("Carmine Appice (born December 15, 1946) is a drummer."), "Carmine Appice|PERSON"));
  CHECK(has(listed("Jane Roe was an American author."), "Jane Roe|PERSON"));
  CHECK(has(listed("It was said by NHL Commissioner Gary Bettman."), "Gary Bettman|PERSON"));
  const Mentions cast = listed("a film starring Evelyn Ankers, Rose Roe and John Doe");
  CHECK(has(cast, "Evelyn Ankers|PERSON"));
  CHECK(has(cast, "Rose Roe|PERSON"));
  CHECK(has(cast, "John Doe|PERSON"));
}

TEST_CASE("organisations, places, buildings, events are told by their words, others stay ENTITY") {
  CHECK(has(listed("He left Stanford University then."), "Stanford University|ORG"));
  CHECK(has(listed("He crossed the Yellow River then."), "Yellow River|LOC"));
  CHECK(has(listed("He climbed Mount Kenya then."), "Mount Kenya|LOC"));
  CHECK(has(listed("He lived in Gorgan County then."), "Gorgan County|GPE"));
  CHECK(has(listed("He saw the Tower Bridge then."), "Tower Bridge|FAC"));
  CHECK(has(listed("He fell in the Battle of Hastings then."), "Battle of Hastings|EVENT"));
  CHECK(has(listed("She was born in Lund then."), "Lund|GPE"));
  CHECK(has(listed("He liked Steely Dan then."), "Steely Dan|ENTITY"));
}

TEST_CASE("beside a ruler the realm is a mention of its own") {
  const Mentions mentions = listed("a daughter of William II of Württemberg then");
  CHECK(has(mentions, "William II of Württemberg|ENTITY"));
  CHECK(has(mentions, "Württemberg|ENTITY"));
  CHECK(!has(listed("the Bank of England then"), "England|GPE"));
}

TEST_CASE("quoted titles are works of art without their quotation marks") {
  CHECK(listed("the album \"Katy Lied\" was loud") == Mentions{"Katy Lied|WORK_OF_ART"});
  CHECK(listed("the album “The Grand Illusion,” was loud") == Mentions{"The Grand Illusion|WORK_OF_ART"});
  CHECK(listed("the film\" Bo' Selecta\" and\" The Inbetweeners\".") ==
        Mentions{"Bo' Selecta|WORK_OF_ART", "The Inbetweeners|WORK_OF_ART"});
  CHECK(listed("he said \"it is not so\" and left").empty());
}

TEST_CASE("scripts without case give quoted and dotted names only") {
  CHECK(listed("鲁迅写了《狂人日记》和《阿Q正传》。") == Mentions{"狂人日记|WORK_OF_ART", "阿Q正传|WORK_OF_ART"});
  CHECK(listed("彼はマイケル・ジャクソンの歌を聞いた。") == Mentions{"マイケル・ジャクソン|ENTITY"});
  CHECK(listed("映画『七人の侍』は有名だ。") == Mentions{"七人の侍|WORK_OF_ART"});
  CHECK(listed("봉준호는 대한민국의 영화 감독이다.").empty());
  CHECK(listed("كتب نجيب محفوظ رواية «أولاد حارتنا» عام.") == Mentions{"أولاد حارتنا|ENTITY"});
}

TEST_CASE("names with Cyrillic and accented letters are found") {
  CHECK(has(listed("Потом пришёл Лев Толстой домой."), "Лев Толстой|ENTITY"));
  CHECK(has(listed("then Éric Ömer-Şahin came"), "Éric Ömer-Şahin|ENTITY"));
}

TEST_CASE("the title is one name wherever it stands") {
  CHECK(has(listed("A Lady to Love is a film.", "A Lady to Love"), "A Lady to Love|ENTITY"));
  CHECK(has(listed("Theodred II was a bishop.", "Theodred II (Bishop of Elmham)"), "Theodred II|ENTITY"));
}

TEST_CASE("a surface and label is listed once a sentence") { CHECK(listed("then Anna saw Anna and Anna").size() == 1); }

TEST_CASE("positions are those of the surfaces, in order, on real sentences, whatever the threads") {
  std::size_t sentences = 0;
  for (const char* name : {"2wiki", "hotpot", "musique"}) {
    std::ifstream file(shared_folder() / "conformance" / (std::string("corpus-") + name + ".jsonl"));
    for (std::string line; std::getline(file, line); ++sentences) {
      const nlohmann::json row = nlohmann::json::parse(line);
      const std::string text = row["text"].get<std::string>();
      const std::string title = row["title"].get<std::string>();
      std::vector<Mention> other;
      std::thread thread([&] { other = recognise(text, title); });
      const std::vector<Mention> mentions = recognise(text, title);
      thread.join();
      CAPTURE(text);
      REQUIRE(mentions == other);
      std::uint32_t last = 0;
      for (const Mention& mention : mentions) {
        REQUIRE(mention.begin >= last);
        REQUIRE(text.substr(mention.begin, mention.end - mention.begin) == mention.surface);
        last = mention.begin;
      }
    }
  }
  if (sentences == 0) MESSAGE("skipped: no shared/conformance/corpus-*.jsonl");
}

TEST_CASE("the time for one huge sentence grows with its length only") {
  const std::vector<std::string> texts = {
      repeat("A ", 500'000),       repeat("Aa of ", 300'000), repeat("\"Aa ", 300'000),     repeat("“Aa ", 200'000),
      repeat("ア・", 300'000),     repeat("x", 2'000'000),    repeat("1982 May ", 200'000), repeat("Aa (", 300'000),
      repeat("Aa's Bb ", 200'000), repeat("「あ", 200'000),   repeat("a-", 500'000),        repeat("A.", 500'000)};
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    recognise(text, "Aa of Aa");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CAPTURE(text.substr(0, 12));
    CHECK(seconds.count() < 5.0);
  }
}

TEST_CASE("every name of a sentence with very many names is listed once") {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "Name" + std::to_string(i % 500) + "x, ";
  CHECK(recognise(text).size() == 500);
}

}  // namespace harnessg
