// SCOPE's loop with the stand-ins, on a graph of four paragraphs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "credit/selfplay/loop.h"
#include "tests/credit/played_world.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;
using namespace harnessg::selfplay;

namespace {

std::unique_ptr<Environment> mills() {
  GraphPlan plan;
  plan.entities = 4;
  plan.paragraphs = {
      {"Old Mill", 0, {{"The Old Mill stands in Derwent.", {1}}, {"It was built by Ann Lee in 1820.", {2}}}},
      {"Derwent", 1, {{"Derwent is a valley of rivers.", {}}, {"Its largest works was the Old Mill.", {0}}}},
      {"Ann Lee", 2, {{"Ann Lee was an engineer.", {}}, {"She was born in Derby.", {3}}}},
      {"Derby", 3, {{"Derby is a city.", {}}, {"Near Derby lies the Derwent valley.", {1}}}}};
  return world_of(planned_tables(plan), 6);
}

LoopOptions small() {
  LoopOptions options;
  options.iterations = 2;
  options.sources = 5;
  options.rollouts = 4;
  options.seed = 11;
  return options;
}

std::string run(const Environment& world, const LoopOptions& options, const std::filesystem::path& folder) {
  const auto report = run_loop(world, stand_in_roles, options, folder);
  REQUIRE_MESSAGE(report.has_value(), report.error().message);
  return *report;
}

}  // namespace

TEST_CASE("two runs of the loop are equal, and another seed's is not") {
  const auto world = mills();
  const TemporaryFolder folder;
  const std::string report = run(*world, small(), folder.path() / "a");
  CHECK(run(*world, small(), folder.path() / "b") == report);
  const auto files = files_below(folder.path() / "a");
  CHECK(files.size() == 3);
  CHECK(files_below(folder.path() / "b") == files);
  LoopOptions other = small();
  other.seed = 12;
  run(*world, other, folder.path() / "c");
  CHECK(files_below(folder.path() / "c").at("tasks.jsonl") != files.at("tasks.jsonl"));
}

TEST_CASE("a loop that was interrupted anywhere ends as one that was not") {
  const auto world = mills();
  const TemporaryFolder folder;
  run(*world, small(), folder.path());
  const auto whole = files_below(folder.path());
  const std::size_t size = whole.at("tasks.jsonl").size();
  for (std::size_t kept = 0; kept <= size; kept += 1 + size / 23) {
    std::filesystem::resize_file(folder.path() / "tasks.jsonl", kept);
    std::filesystem::remove(folder.path() / "report.jsonl");
    run(*world, small(), folder.path());
    CHECK(files_below(folder.path()) == whole);
  }
}

TEST_CASE("a folder of other options is refused and left alone") {
  const auto world = mills();
  const TemporaryFolder folder;
  run(*world, small(), folder.path());
  const auto whole = files_below(folder.path());
  LoopOptions other = small();
  other.rollouts = 5;
  const auto refused = run_loop(*world, stand_in_roles, other, folder.path());
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(files_below(folder.path()) == whole);
}

TEST_CASE("a task is what its provenance says") {
  const auto world = mills();
  std::size_t solved = 0;
  for (std::uint32_t source = 0; source < 10; ++source) {
    const auto text = task_line(*world, stand_in_roles, small(), 0, source, false);
    REQUIRE(text.has_value());
    const auto line = nlohmann::json::parse(*text);
    const auto& facts = line.at("provenance").at("facts");
    if (!line.contains("task")) continue;
    REQUIRE(facts.size() == 2);
    CHECK(facts[0].at("paragraph") == line.at("provenance").at("source"));
    CHECK(facts[1].at("paragraph") != facts[0].at("paragraph"));
    CHECK(line.at("rubric").size() == 4);
    if (line.at("gates_pass") != true) continue;
    CHECK(line.at("rollouts").size() == 4);
    if (!line.at("mean_score").is_number()) continue;
    const double mean = line.at("mean_score");
    CHECK(line.at("kept") == (mean >= 0.2 && mean <= 0.8));
    ++solved;
  }
  CHECK(solved > 0);
}

TEST_CASE("the stand-in gates refuse a task without a name and one of another document") {
  const auto score = [](Role role, std::string text) {
    return stand_in_roles(std::vector<RoleCall>{{role, text}})->at(0);
  };
  CHECK(score(Role::kNameGate, "<question>What is it about?</question>") == "<score>0</score>");
  CHECK(score(Role::kNameGate, "<question>What is Derwent?</question>") == "<score>1</score>");
  const std::string question = "<question>What is Derwent?</question>";
  CHECK(score(Role::kSourceGate, question + "<document>Derwent is a valley.</document>") == "<score>1</score>");
  CHECK(score(Role::kSourceGate, question + "<document>Derby is a city.</document>") == "<score>0</score>");
}

TEST_CASE("options out of range and unknown policies are refused") {
  LoopOptions options = small();
  options.sources = 0;
  CHECK(!check(options));
  options = small();
  options.solver = "best";
  CHECK(!check(options));
}

TEST_CASE("a model of the roles that leaves a call without a reply is an error of the loop") {
  const auto world = mills();
  const TemporaryFolder folder;
  const RoleModel silent = [](std::span<const RoleCall>) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{};
  };
  CHECK(!run_loop(*world, silent, small(), folder.path()));
}
