#include "data/label.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/data/shared_data.h"
#include "tests/data/stored_text.h"

using namespace harnessg;

TEST_CASE("every label is found again by its name") {
  for (int i = 0; i <= static_cast<int>(Label::kEntity); ++i) {
    const Label label = static_cast<Label>(i);
    CAPTURE(label_name(label));
    CHECK(label_from_name(label_name(label)) == label);
  }
  CHECK(label_name(Label::kWorkOfArt) == "WORK_OF_ART");
  CHECK(label_name(Label::kEntity) == "ENTITY");
}

TEST_CASE("names that are no label are refused, also those in lower case") {
  CHECK_FALSE(label_from_name(""));
  CHECK_FALSE(label_from_name("person"));
  CHECK_FALSE(label_from_name("PERSONS"));
}

TEST_CASE("labels the preference list does not name rank behind DATE and before ENTITY") {
  CHECK(preferred(Label::kDate, Label::kMoney) == Label::kDate);
  CHECK(preferred(Label::kEntity, Label::kLaw) == Label::kLaw);
}

TEST_CASE("the recorded preferred labels hold") {
  const auto file = shared_data("conformance/units.jsonl");
  if (!file) return;
  int rows = 0;
  for (const auto& row : stored_json_lines(*file)) {
    if (row.at("fn") != "preferred_label") continue;
    Label best = Label::kEntity;
    std::string names;
    for (const auto& name : row.at("input")) {
      names += name.get<std::string>() + " ";
      best = preferred(best, label_from_name(name.get<std::string>()).value_or(Label::kEntity));
    }
    CAPTURE(names);
    const auto& expected = row.contains("spec_output") ? row["spec_output"] : row.at("output");
    CHECK(label_name(best) == expected.get<std::string>());
    ++rows;
  }
  CHECK(rows == 12);
}
