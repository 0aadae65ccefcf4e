#include "credit/rewards/reward_file.h"

#include <doctest/doctest.h>

#include <fstream>

#include "credit/rewards/registry.h"
#include "credit/rewards/reward_advantages.h"
#include "credit/rewards/reward_report.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

class RolloutFile {
 public:
  explicit RolloutFile(const std::string& text) : path_(folder_ / "rollouts.jsonl") { std::ofstream(path_) << text; }
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

std::string trace_line(const std::string& question, const std::string& answer) {
  Trace trace;
  trace.tool_version = "test";
  trace.question_id = question;
  trace.answers = {"Volga"};
  trace.ended = true;
  trace.answer = answer;
  return to_json(trace);
}

}  // namespace

TEST_CASE("a line is a record, a trace, or a record with its trace, grouped by a key of either") {
  const RolloutFile file("{\"question_id\": 7, \"output\": \"x\"}\n" + trace_line("q1", "Volga") +
                         "\n{\"trace\": " + trace_line("q1", "Don") + ", \"answers\": [\"Don\"]}\n");
  const auto rollouts = read_rollouts(file.path(), "question_id");
  REQUIRE_MESSAGE(rollouts.has_value(), rollouts.error().message);
  REQUIRE(rollouts->inputs.size() == 3);
  CHECK(rollouts->inputs[0].group == "7");
  CHECK(rollouts->inputs[0].trace == nullptr);
  CHECK(rollouts->inputs[1].group == "q1");
  CHECK(rollouts->inputs[1].record.is_null());
  CHECK(rollouts->inputs[2].group == "q1");
  CHECK(rollouts->inputs[2].trace->answer == "Don");
  CHECK(rollouts->inputs[2].record == Json{{"answers", {"Don"}}});
  CHECK(place_of(rollouts->inputs[2], 2) == file.path().string() + ":3");
}

TEST_CASE("a line that cannot be read, and one without its group, end the reading with their place") {
  const auto message = [](const std::string& text) {
    const RolloutFile file(text);
    const auto rollouts = read_rollouts(file.path(), "id");
    REQUIRE_FALSE(rollouts);
    CHECK(rollouts.error().code == ErrorCode::kBadInput);
    CHECK(rollouts.error().message.find("rollouts.jsonl:2: ") != std::string::npos);
    return rollouts.error().message;
  };
  CHECK(message("{\"id\": \"a\"}\n{\"id\": \n").find("JSON") != std::string::npos);
  CHECK(message("{\"id\": \"a\"}\n{\"output\": \"x\"}\n").find("\"id\"") != std::string::npos);
  message("{\"id\": \"a\"}\n{\"id\": \"b\", \"trace\": {\"version\": 1}}\n");
}

TEST_CASE("advantages are of groups that were judged in full, by the plugin's weights") {
  const RolloutFile file(
      "{\"g\": 1, \"output\": \"x\", \"answers\": [\"x\"]}\n{\"g\": 1, \"output\": \"y\", \"answers\": [\"x\"]}\n"
      "{\"g\": 2, \"output\": \"x\", \"answers\": [\"x\"]}\n{\"g\": 2, \"output\": \"x\"}\n");
  const auto rollouts = read_rollouts(file.path(), "g");
  REQUIRE(rollouts);
  const auto plugin = make_reward("answer_f1", {{"weights", {{"f1", 3}}}});
  REQUIRE(plugin);
  const auto report = score_rewards(**plugin, rollouts->inputs);
  REQUIRE(report);
  const auto advantages = reward_advantages(**plugin, *report);
  REQUIRE(advantages);
  CHECK(*advantages->at(0) == doctest::Approx(3).epsilon(1e-5));
  CHECK(*advantages->at(1) == doctest::Approx(-3).epsilon(1e-5));
  CHECK_FALSE(advantages->at(2).has_value());
  CHECK_FALSE(advantages->at(3).has_value());
  const Json line = Json::parse(episode_reward_json(**plugin, rollouts->inputs, *report, *advantages, 3));
  CHECK(line["total"].is_null());
  CHECK(line["components"] == Json{{"f1", nullptr}, {"em", nullptr}});
  CHECK(line["not_judged"] == "the question has no gold answers");
  CHECK(line["group"] == "2");
  const Json summary = Json::parse(reward_summary_json(**plugin, *report));
  CHECK(summary["means"]["f1"] == doctest::Approx(2.0 / 3));
  CHECK(summary["weights"] == Json{{"f1", 3.0}, {"em", 0.0}});
  CHECK(summary["monitors"]["collapse"]["total"]["groups"] == 1);
}
