#include "menu/config.h"

#include <doctest/doctest.h>

using namespace harnessg;

TEST_CASE("the menu bound of profile released is the 21 of the paper") {
  CHECK(menu_bound(profile("released").value()) == 21);
}

TEST_CASE("every field can be set by name and is listed with its value") {
  Config config;
  const auto before = fields(config);
  for (const auto& [name, value] : before) {
    if (name == "profile") continue;
    CHECK_MESSAGE(set_field(config, name, value).has_value(), name);
  }
  CHECK(fields(config) == before);
  REQUIRE(set_field(config, "turn_budget", "9").has_value());
  CHECK(config.turn_budget == 9);
  REQUIRE(set_field(config, "mention_bonus", "0.25").has_value());
  CHECK(config.mention_bonus == 0.25);
  REQUIRE(set_field(config, "scoring", "hybrid").has_value());
  CHECK(config.scoring == Scoring::kHybrid);
}

TEST_CASE("a setting that does not exist or does not fit is refused by name") {
  Config config;
  CHECK(set_field(config, "turns", "9").error().message.find("turn_budget") != std::string::npos);
  CHECK(set_field(config, "turn_budget", "-1").error().code == ErrorCode::kInvalidArgument);
  CHECK(set_field(config, "turn_budget", "6.5").error().code == ErrorCode::kInvalidArgument);
  CHECK(set_field(config, "mention_bonus", "much").error().code == ErrorCode::kInvalidArgument);
  CHECK(set_field(config, "scoring", "fuzzy").error().code == ErrorCode::kInvalidArgument);
  CHECK(profile("fast").error().message.find("released") != std::string::npos);
}

TEST_CASE("settings that make no sense are refused") {
  const auto refused = [](auto change) {
    Config config;
    change(config);
    return !validate(config).has_value();
  };
  CHECK(validate(Config{}).has_value());
  CHECK(refused([](Config& c) { c.visible_sentences = 0; }));
  CHECK(refused([](Config& c) { c.turn_budget = 1; }));
  CHECK(refused([](Config& c) { c.fusion_constant = 0; }));
  CHECK(refused([](Config& c) { c.lookups_after_select = 1000000; }));
  CHECK(refused([](Config& c) { c.entity_weight = 1.0 / 0.0; }));
}
