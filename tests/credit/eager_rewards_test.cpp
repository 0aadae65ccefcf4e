#include "credit/rewards/eager/rewards.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "credit/rewards/eager/output_format.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

constexpr double kExact = 1e-12;

// The first place of `text` in `whole` at or after `from`, in code points of an ASCII text.
Mention at(const std::string& whole, const std::string& text, std::size_t from = 0) {
  const std::size_t begin = whole.find(text, from);
  REQUIRE(begin != std::string::npos);
  return {text, Span{begin, begin + text.size()}};
}

const std::string kText = "The army fired on a bus in Homs and later fired on a mosque in Homs.";

EventRecord two_attacks() {
  const std::size_t second = kText.find("later");
  return {"two",
          kText,
          {{"Attack",
            at(kText, "fired"),
            {{"attacker", at(kText, "The army")}, {"target", at(kText, "bus")}, {"place", at(kText, "Homs")}}},
           {"Attack",
            at(kText, "fired", second),
            {{"target", at(kText, "mosque")}, {"place", at(kText, "Homs", second)}}}}};
}

Judgement score(const EventRecord& record, const std::string& output, const RewardOptions& options = {},
                const MatchOptions& match = {}) {
  const auto instance = Instance::make(record, match);
  REQUIRE(instance);
  return judge(*instance, parse_output(output), options);
}

void check_all(const RewardValues& rewards, double value) {
  for (std::size_t i = 0; i < kRewards; ++i)
    CHECK_MESSAGE(rewards.values[i] == doctest::Approx(value), kRewardNames[i]);
}

// One argument of one role, predicted as `predicted`.
double boundary_of(const std::string& gold, const std::string& predicted, BoundaryVariant variant) {
  const std::string text = "x " + predicted + ' ' + gold;
  const EventRecord record{"b", text, {{"E", at(text, "x"), {{"r", at(text, gold)}}}}};
  return score(record, "[E('x', r='" + predicted + "')]", {.boundary = variant}).rewards[Reward::kBoundary];
}

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
  return text;
}

}  // namespace

TEST_CASE("gold scores 1 on every reward, in any order") {
  check_all(score(two_attacks(),
                  "[Attack('fired', attacker='The army', target='bus', place='Homs'), "
                  "Attack('fired', target='mosque', place='Homs')]")
                .rewards,
            1);
  check_all(score(two_attacks(),
                  "[Attack(place='Homs', target='mosque', mention='fired'), "
                  "Attack(place='Homs', mention='fired', target='bus', attacker='The army')]")
                .rewards,
            1);
}

TEST_CASE("accuracy is the mean of six micro F1") {
  // One event of two, one argument of five, and one argument too many ("army" is no gold span).
  const Judgement judgement = score(two_attacks(), "[Attack('fired', target='bus', attacker='army')]");
  const auto f1 = [](double predicted, double gold, double matched) { return 2 * matched / (predicted + gold); };
  CHECK(judgement.counts[0] == Counts{1, 2, 1});
  CHECK(judgement.counts[1] == Counts{1, 2, 1});
  for (std::size_t i = 2; i < kMeasures; ++i) CHECK(judgement.counts[i] == Counts{2, 5, 1});
  CHECK(judgement.rewards[Reward::kAccuracy] ==
        doctest::Approx((2 * f1(1, 2, 1) + 4 * f1(2, 5, 1)) / 6).epsilon(kExact));
}

TEST_CASE("the six measures tell span, type, role and attachment apart") {
  const auto matched = [](const std::string& output) {
    const Judgement judgement = score(two_attacks(), output);
    std::vector<std::size_t> all;
    for (const Counts& counts : judgement.counts) all.push_back(counts.matched);
    return all;
  };
  CHECK(matched("[Die('fired', target='bus')]") == std::vector<std::size_t>{1, 0, 0, 0, 0, 0});
  CHECK(matched("[Attack('fired', place='bus')]") == std::vector<std::size_t>{1, 1, 1, 0, 1, 0});
  CHECK(matched("[Attack('on', target='bus')]") == std::vector<std::size_t>{0, 0, 1, 1, 0, 0});
  CHECK(matched("[Attack('fired', target=['bus', 'mosque'])]") == std::vector<std::size_t>{1, 1, 2, 2, 1, 1});
}

TEST_CASE("a string claimed twice means two places, and repeats beyond its places collapse") {
  const auto triggers = [](int times) {
    std::string output = "[";
    for (int i = 0; i < times; ++i) output += "Die('Homs'),";
    return score(two_attacks(), output + "]").counts[0];
  };
  CHECK(triggers(1) == Counts{1, 2, 0});
  CHECK(triggers(2) == Counts{2, 2, 0});
  CHECK(triggers(3) == Counts{2, 2, 0});
}

TEST_CASE("without offsets strings are compared with multiplicity") {
  const EventRecord record{"s", kText, {{"Attack", {"fired", {}}, {{"place", {"Homs", {}}}, {"place", {"Homs", {}}}}}}};
  CHECK(score(record, "[Attack('fired', place=['Homs', 'Homs'])]").counts[3] == Counts{2, 2, 2});
  CHECK(score(record, "[Attack('fired', place='Homs')]").counts[3] == Counts{1, 2, 1});
  CHECK(score(record, "[Attack('fired', place=['Homs', ' Homs', 'Homs '])]").counts[3] == Counts{3, 2, 2});
  CHECK(score(record, "[Attack('fired'), Attack('fired')]").counts[0] == Counts{2, 1, 1});
}

TEST_CASE("grounding is half triggers and half arguments") {
  const auto grounding = [](const std::string& output) {
    return score(two_attacks(), output).rewards[Reward::kGrounding];
  };
  CHECK(grounding("[Attack('fired', target=['bus', 'a  bus'])]") == 0.75);
  CHECK(grounding("[Attack('shot', target='bus')]") == 0.5);
  CHECK(grounding("[Attack('fired')]") == 0.5);
  CHECK(grounding("[Attack(target='')]") == 0);
  CHECK(grounding("[]") == 0);
}

TEST_CASE("over-generation counts extra events and arguments against gold") {
  const auto reward = [](const std::string& output) {
    return score(two_attacks(), output).rewards[Reward::kOverGeneration];
  };
  CHECK(reward("[]") == 1);
  CHECK(reward("[Attack(), Attack(), Attack(target=['a', 'b', 'c', 'd', 'e', 'f'])]") == doctest::Approx(1 - 2.0 / 7));
  CHECK(reward("[" + std::string("Attack(),") + std::string("Attack(),Attack(),Attack(),Attack(),Attack(),Attack(),") +
               "Attack(),Attack(),Attack()]") == 0);
  const EventRecord nothing{"n", kText, {}};
  CHECK(score(nothing, "[Attack()]").rewards[Reward::kOverGeneration] == 0);
  CHECK(score(nothing, "[]").rewards[Reward::kOverGeneration] == 1);
}

TEST_CASE("coverage counts events of the schemas only, up to gold's number") {
  const auto set = SchemaSet::make({{"Attack", "Attack", "", {{"target", "target", ""}}}});
  REQUIRE(set);
  const auto instance = Instance::make(two_attacks());
  REQUIRE(instance);
  const auto coverage = [&](const std::string& output) {
    return judge(*instance, parse_output(output, {.schemas = &*set, .keep_unknown = true})).rewards[Reward::kCoverage];
  };
  CHECK(coverage("[Attack(target='a'), Attack()]") == doctest::Approx((1 + 0.2) / 2));
  CHECK(coverage("[Attack(target='a'), Bombing(target='b')]") == doctest::Approx((0.5 + 0.2) / 2));
  CHECK(coverage("[Attack(target=['1', '2', '3', '4', '5', '6']), Attack(), Attack()]") == 1);
}

TEST_CASE("boundary: 3 to 4 tokens is 0.417, 20 to 21 is 0.902, exact is 1 or, as published, 0") {
  CHECK(boundary_of(words(3), words(4), BoundaryVariant::kFixed) == doctest::Approx(0.75 - 1.0 / 3).epsilon(kExact));
  CHECK(boundary_of(words(20), words(21), BoundaryVariant::kFixed) ==
        doctest::Approx(20.0 / 21 - 0.05).epsilon(kExact));
  CHECK(boundary_of(words(3), words(4), BoundaryVariant::kPaper) == doctest::Approx(0.417).epsilon(0.001));
  CHECK(boundary_of(words(20), words(21), BoundaryVariant::kPaper) == doctest::Approx(0.902).epsilon(0.001));
  CHECK(boundary_of(words(3), words(3), BoundaryVariant::kFixed) == 1);
  CHECK(boundary_of(words(3), words(3), BoundaryVariant::kPaper) == 0);
  CHECK(boundary_of(words(4), words(3), BoundaryVariant::kFixed) == 0.75);
  CHECK(boundary_of(words(1), words(3), BoundaryVariant::kFixed) == 0);
  CHECK(boundary_of("w0 w2", "w0 w1 w2", BoundaryVariant::kFixed) == doctest::Approx(2.0 / 3));
}

TEST_CASE("boundary looks only at roles that gold has") {
  const auto boundary = [](const std::string& output) {
    return score(two_attacks(), output).rewards[Reward::kBoundary];
  };
  CHECK(boundary("[Attack('fired', target='bus', weapon='gun')]") == 1);
  CHECK(boundary("[Attack('fired', target='bus', place='gun')]") == 0.5);
  CHECK(boundary("[Attack('fired', weapon='gun')]") == 0);
  CHECK(boundary("[]") == 0);
}

TEST_CASE("nothing to find and nothing claimed: accuracy and boundary 1, shares as published or granted") {
  const EventRecord nothing{"n", kText, {}};
  const RewardValues literal = score(nothing, "[]").rewards;
  CHECK(literal == RewardValues{{1, 1, 0, 1, 0, 1}});
  check_all(score(nothing, "[]", {.grant_nothing_due = true}).rewards, 1);
  CHECK(score(nothing, "[]", {.over_nothing = 0}).rewards[Reward::kAccuracy] == 0);
  const EventRecord bare{"b", kText, {{"Attack", at(kText, "fired"), {}}}};
  CHECK(score(bare, "[Attack('fired')]").rewards == RewardValues{{1, 1, 0.5, 1, 0.5, 1}});
  check_all(score(bare, "[Attack('fired')]", {.grant_nothing_due = true}).rewards, 1);
  CHECK(score(bare, "[Attack('fired', target='bus')]", {.grant_nothing_due = true}).rewards[Reward::kAccuracy] < 1);
}

TEST_CASE("what does not parse earns nothing, even where there is nothing to find") {
  for (const std::string output : {"", "none", "[Attack('fired'"}) {
    const Judgement judgement = score({"n", kText, {}}, output);
    check_all(judgement.rewards, 0);
    CHECK(judgement.failure.has_value());
  }
  CHECK(score(two_attacks(), "?").counts[0] == Counts{0, 2, 0});
}

TEST_CASE("empty instances are counted, and are events") {
  const Judgement judgement = score(two_attacks(), "[Attack(), Arrest(), Attack('fired')]");
  CHECK(judgement.empty_instances == 2);
  CHECK(judgement.events == 3);
}

TEST_CASE("a number's distance from its unit counts, unless it is asked not to") {
  const std::string text = "정부는 2조 원을 투자했다.";
  const EventRecord record{"k", text, {{"Invest", {"투자", Span{10, 12}}, {{"money", {"2조 원", Span{4, 8}}}}}}};
  for (const std::string claimed : {"2 조 원", "2조원", "２조 원"}) {
    const std::string output = "[Invest('투자', money='" + claimed + "')]";
    const RewardValues plain = score(record, output).rewards;
    CHECK(plain[Reward::kGrounding] == 0.5);
    CHECK(plain[Reward::kAccuracy] < 1);
    check_all(score(record, output, {}, {.number_spacing = true, .width = true}).rewards, 1);
  }
  CHECK(score(record, "[Invest('투자', money='2 조 엔')]", {}, {.number_spacing = true}).rewards[Reward::kGrounding] ==
        0.5);
}

TEST_CASE("match forms") {
  const MatchOptions all{.number_spacing = true, .width = true};
  CHECK(match_form("  a\t b\n", {}) == "a b");
  CHECK(match_form("1500 mg / m2", all) == "1500mg / m2");
  CHECK(match_form("2 조 원", all) == "2조원");
  CHECK(match_form("두 조 원", all) == "두 조 원");
  CHECK(match_form("5 %, $ 3, 20 °C, 3 4", all) == "5%, $ 3, 20°C, 3 4");
  CHECK(match_form("Ａ１　ｶﾞｷﾞ", all) == "A1ガギ");
  CHECK(match_form("Ａ１　ｶﾞ", {}) == "Ａ１ ｶﾞ");
}

TEST_CASE("offsets are code points, beyond the basic plane as well") {
  const std::string text = "😀😀 shot 𝔅ob, shot him 😀";
  const EventRecord right{"u", text, {{"Attack", {"shot", Span{13, 17}}, {{"target", {"him 😀", Span{18, 23}}}}}}};
  EventRecord shifted = right;
  shifted.events[0].trigger.span = Span{14, 18};
  const auto instance = Instance::make(shifted);
  REQUIRE(instance);
  CHECK(instance->faults().other_text == 1);
  const auto exact = Instance::make(right);
  REQUIRE(exact);
  CHECK(exact->faults().other_text == 0);
  check_all(score(right, "[Attack('shot', target='him \\U0001F600')]").rewards, 1);
  CHECK(Instance::make({"u", "😀", {{"A", {"x", Span{0, 2}}, {}}}}).error().code == ErrorCode::kBadInput);
}

TEST_CASE("an extraction with a hundred thousand repeats is placed in linear time") {
  std::string output = "[Attack('fired', place=[";
  for (int i = 0; i < 100'000; ++i) output += "'Homs',";
  output += "])";
  for (int i = 0; i < 100'000; ++i) output += ",Attack('fired')";
  const Judgement judgement = score(two_attacks(), output + "]");
  CHECK(judgement.counts[3] == Counts{2, 5, 2});
  CHECK(judgement.events == 100'001);
}
