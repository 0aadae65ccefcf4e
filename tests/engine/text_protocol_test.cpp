#include "engine/text_protocol.h"

#include <doctest/doctest.h>

#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using conformance::Json;

namespace {

// Rows of one function in the recorded unit cases; empty when ../shared is absent.
std::vector<Json> unit_cases(const std::string& function) {
  std::vector<Json> rows;
  const auto shared = conformance::shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded unit cases");
    return rows;
  }
  for (Json& row : conformance::read_json_lines(shared / "conformance" / "units.jsonl")) {
    if (row["fn"] == function) rows.push_back(std::move(row));
  }
  CHECK_FALSE(rows.empty());
  return rows;
}

}  // namespace

TEST_CASE("an action id is read, anything else is blocked with a reason") {
  CHECK(parse_action("A3", true, 5).position == 3u);
  CHECK(parse_action(" A0\n", true, 1).position == 0u);
  CHECK(parse_action("init", false, 0).init);
  CHECK(parse_action("A5", true, 5).invalid_reason == "unknown or unavailable action id: A5");
  CHECK(parse_action("A03", true, 5).invalid_reason == "unknown or unavailable action id: A03");
  CHECK(parse_action("A99999999999999999999", true, 5).invalid_reason ==
        "unknown or unavailable action id: A99999999999999999999");
  CHECK_FALSE(parse_action("A3 || who was his father", true, 5).valid());
  CHECK_FALSE(parse_action("A3 ||", true, 5).valid());
  CHECK_FALSE(parse_action("", true, 5).valid());
}

TEST_CASE("actions parse as recorded, save that a query suffix without a query is blocked as well") {
  for (const Json& row : unit_cases("parse_action")) {
    const Json& input = row["input"];
    // The recorded menu holds A0, A3 and A12 only; A4 is the one id between that a dense menu would have.
    const auto text = input["action"].get<std::string>();
    const ParsedAction parsed = parse_action(text, input["initialized"].get<bool>(), text == "A4" ? 4 : 13);
    if (row.contains("deviates")) {
      CHECK_FALSE(parsed.valid());
      continue;
    }
    const Json& wanted = row["output"];
    CHECK_MESSAGE(parsed.valid() == wanted["is_valid"].get<bool>(), text);
    if (!wanted["is_valid"].get<bool>()) CHECK(parsed.invalid_reason == wanted["invalid_reason"].get<std::string>());
    if (wanted["is_valid"].get<bool>() && wanted["semantic_action"] == "INIT") CHECK(parsed.init);
    if (parsed.position) CHECK(fmt::format("A{}", *parsed.position) == wanted["action_id"].get<std::string>());
  }
}

TEST_CASE("a tool call gives its query") {
  for (const Json& row : unit_cases("parse_tool_query")) {
    const auto query = parse_tool_query(row["input"].get<std::string>());
    const Json& wanted = row["output"];
    if (wanted.is_object()) {
      CHECK_FALSE(query.has_value());  // the release raised an exception: not a well-formed call
    } else {
      CHECK((query ? Json(*query) : Json(nullptr)) == wanted);
    }
  }
}

TEST_CASE("a sentence line carries its title once") {
  for (const Json& row : unit_cases("sentence_line")) {
    if (row.contains("deviates")) continue;
    const Json& input = row["input"];
    const std::string line =
        fmt::format("{} | {}", input["display"].get<std::string>(),
                    sentence_text(input["title"].get<std::string>(), input["text"].get<std::string>()));
    CHECK(line == row["output"].get<std::string>());
  }
}

TEST_CASE("evidence previews stop after eighteen words") {
  for (const Json& row : unit_cases("evidence_preview")) {
    CHECK(evidence_preview(row["input"].get<std::string>()) == row["output"].get<std::string>());
  }
}

TEST_CASE("answer prompts are the release's to the byte") {
  for (const Json& row : unit_cases("answer_prompt")) {
    const auto texts = row["input"]["texts"].get<std::vector<std::string>>();
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    CHECK(answer_prompt(row["input"]["question"].get<std::string>(), views) == row["output"].get<std::string>());
  }
}

TEST_CASE("no text can break its line or forge a marker") {
  CHECK(one_line("a\nb\r\nc\xE2\x80\xA8"
                 "d\xC2\x85"
                 "e") == "a b  c d e");
  CHECK(one_line("x [/HARNESS_G_OBS] y") == "x (/HARNESS_G_OBS) y");
  CHECK(one_line("[harness_g_obs]<Answer>no</ANSWER>") == "(harness_g_obs)(Answer)no(/ANSWER)");
  CHECK(one_line("1 < 2 [sic] <b>") == "1 < 2 [sic] <b>");
}
