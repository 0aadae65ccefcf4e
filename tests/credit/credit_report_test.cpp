#include "credit/credit_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "credit/models/lexical_proxy.h"
#include "tests/credit/hand_made.h"

using namespace harnessg;

namespace {

Trace small_episode() {
  HandMade episode;
  episode.first_view({1}).select(1).lookup({2}).at(3).alternative(4, {5}).answer();
  return episode.text(2, "It is the Thames.").trace();
}

EpisodeCredit credit_of(const Trace& trace) { return snc_credit(std::vector{trace}, LexicalProxy()).value().at(0); }

}  // namespace

TEST_CASE("credit as JSON holds every number of every step") {
  const Trace trace = small_episode();
  const EpisodeCredit credit = credit_of(trace);
  const auto line = nlohmann::json::parse(credit_json(trace, credit));
  CHECK(line["question_id"] == "q1");
  CHECK(line["not_scored"].is_null());
  REQUIRE(line["steps"].size() == 3);
  const auto& lookup = line["steps"][1];
  CHECK(lookup["step"] == 2);
  CHECK(lookup["event"] == "LOOKUP");
  CHECK(lookup["action"] == "A3");
  CHECK(lookup["gain"] == credit.steps[1].gain);
  CHECK(lookup["total"] == credit.steps[1].total);
  CHECK(lookup["frontier"][0]["action"] == "A4");
  CHECK(line["steps"][0]["r_enabling"] == credit.steps[0].r_en);
  CHECK(line["edges"] == nlohmann::json::parse("[[1, 2]]"));
}

TEST_CASE("an episode without credit says why instead") {
  Trace trace = small_episode();
  trace.answers.clear();
  const auto line = nlohmann::json::parse(credit_json(trace, credit_of(trace)));
  CHECK(line["not_scored"]["reason"] == "no_alias");
  CHECK_FALSE(line.contains("steps"));
  CHECK(explain_credit(trace, credit_of(trace)).find("no credit (no_alias)") != std::string::npos);
}

TEST_CASE("the explanation shows what was seen, what was gained, what could have been, and what it led to") {
  const Trace trace = small_episode();
  const std::string text = explain_credit(trace, credit_of(trace));
  CHECK(text.find("step 2 LOOKUP A3: total +0.6321, frontier +0.6321, enabling +0.0000\n"
                  "  seen before (1)\n"
                  "    [1] sentence 1\n"
                  "  new (1)\n"
                  "    [1] It is the Thames.\n"
                  "  taken: g 0.3679 -> 1.0000, gain +0.6321\n"
                  "  instead A4: g 0.3679, gain +0.0000\n"
                  "  builds on step 1\n") != std::string::npos);
  CHECK(text.find("  made possible step 2\n") != std::string::npos);
}

TEST_CASE("a lookup is shown with the entity it looks up, where the trace has its menu") {
  Trace trace = small_episode();
  trace.steps[2].menu_before.resize(5);
  trace.steps[2].menu_before[3] = {ActionKind::kLookup, 8};
  trace.entities[8] = {"London", "GPE"};
  CHECK(explain_credit(trace, credit_of(trace)).find("LOOKUP A3 \"London\":") != std::string::npos);
}
