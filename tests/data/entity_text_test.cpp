#include "data/entity_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "data/text.h"
#include "tests/data/shared_data.h"
#include "tests/data/stored_text.h"

using namespace harnessg;

TEST_CASE("digits only, one character, a double quote and a cut-off initial are junk") {
  for (const char* surface :
       {"1984", " 300 ", "١٩٨٤", "²", "M", "日", "Patiala\" Career", "\"Heroes\"", "Leslie H", "BMW M"}) {
    CAPTURE(surface);
    CHECK(is_junk_entity(surface, Label::kEntity));
  }
}

TEST_CASE("names with digits, initials with full stops and longer names that end in one letter are no junk") {
  for (const char* surface : {"Apollo 8", "3.14", "Leslie H.", "Where Was I", "Henry II", "日本", "C++", "Vitamin É"}) {
    CAPTURE(surface);
    CHECK_FALSE(is_junk_entity(surface, Label::kEntity));
  }
}

TEST_CASE("a surface without any letter or number is junk") {
  for (const char* surface : {"?!", "...", "—", "«»", "+/-"}) {
    CAPTURE(surface);
    CHECK(is_junk_entity(surface, Label::kEntity));
  }
}

TEST_CASE("values, groups and bare nationality adjectives are no lookup targets") {
  CHECK_FALSE(is_lookup_target("May 1990", Label::kDate));
  CHECK_FALSE(is_lookup_target("10%", Label::kPercent));
  CHECK_FALSE(is_lookup_target("Jewish", Label::kNorp));
  CHECK_FALSE(is_lookup_target("AMERICAN", Label::kEntity));
  CHECK_FALSE(is_lookup_target(" French ", Label::kPerson));
  CHECK(is_lookup_target("South Korean", Label::kEntity));  // of two words: as the release has it
  CHECK(is_lookup_target("French Revolution", Label::kEvent));
  CHECK(is_lookup_target("Paris", Label::kGpe));
}

TEST_CASE("Europe is a place, not an adjective: it may be looked up") {
  CHECK(is_lookup_target("Europe", Label::kLoc));
  CHECK_FALSE(is_lookup_target("European", Label::kEntity));
}

TEST_CASE("the recorded junk rows hold, but for the continent among the adjectives") {
  const auto file = shared_data("conformance/units.jsonl");
  if (!file) return;
  int rows = 0;
  for (const auto& row : stored_json_lines(*file)) {
    if (row.at("fn") != "junk") continue;
    const std::string surface = row.at("input").at(0);
    CAPTURE(surface);
    const std::string name = row.at("input").at(1);
    const std::string upper = name == "date" ? "DATE" : name;
    const Label label = label_from_name(upper).value_or(Label::kEntity);
    const bool europe = row.contains("deviates") && row["deviates"].at(0) == "adjective_list_contains_europe";
    CHECK(is_junk_entity(surface, label) == row.at("output").at("junk").get<bool>());
    CHECK(is_lookup_target(surface, label) == (europe || !row["output"].at("bad_lookup_target").get<bool>()));
    ++rows;
  }
  CHECK(rows == 46);
}

TEST_CASE("lookup targets of the recorded graphs are ours, but for Europe") {
  int europe = 0;
  int entities = 0;
  for (const char* set : {"2wiki", "hotpot", "musique"}) {
    const auto file = shared_data(std::string("conformance/graph-") + set + ".json.gz");
    if (!file) return;
    const auto graph = nlohmann::json::parse(stored_text(*file));
    for (const char* variant : {"spacy_dense", "rule_dense"}) {
      for (const auto& entity : graph.at("variants").at(variant).at("entities")) {
        const std::string surface = entity.at("surfaces").at(0);
        const std::string name = entity.at("label");
        const auto label = label_from_name(name);
        REQUIRE(label);
        const bool ours = is_lookup_target(surface, *label);
        ++entities;
        if (fold_case(surface) == "europe") {
          ++europe;
          CHECK(ours);
          continue;
        }
        CAPTURE(surface);
        CAPTURE(name);
        CHECK(ours == entity.at("lookup_ok").get<bool>());
      }
    }
  }
  MESSAGE(entities, " entities compared, of which ", europe, " are Europe, kept from lookup by the release only");
  CHECK(europe == 6);
}
