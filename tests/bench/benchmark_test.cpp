#include "bench/benchmark.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/reader.h"
#include "bench/report.h"
#include "credit/models/lexical_proxy.h"
#include "tests/bench/chain_world.h"
#include "tests/sample.h"

namespace harnessg::bench {
namespace {

BenchmarkWorld sample_world() {
  auto environment = Environment::create(sample_index(), {}, nullptr);
  REQUIRE(environment.has_value());
  return {sample_index(), nullptr, std::move(*environment), std::make_shared<LexicalProxy>(), {}};
}

const std::vector<DatasetQuestion>& sample_questions() {
  static const auto questions = [] {
    auto read = read_dataset(DatasetKind::kJsonLines, HARNESSG_SOURCE_DIR "/data/sample/questions.jsonl");
    REQUIRE(read.has_value());
    read->resize(6);
    return *read;
  }();
  return questions;
}

BenchmarkOptions everything() {
  BenchmarkOptions options;
  options.policies = {"random", "random-search", "first-lookup", "lexical-greedy", "preview-greedy", "greedy-oracle"};
  options.arms = {Arm::kMenu, Arm::kFree, Arm::kMatched};
  options.retrievers = {"bm25", "pagerank"};
  options.rollouts = 3;
  return options;
}

std::vector<Row> rows_of(const BenchmarkOptions& options, const std::vector<std::size_t>& done = {}) {
  const auto benchmark = Benchmark::create(sample_world(), DatasetKind::kJsonLines, options);
  REQUIRE_MESSAGE(benchmark.has_value(), benchmark.error().message);
  std::vector<Row> rows;
  const auto status = benchmark->run(
      sample_questions(), [&](std::size_t i) { return std::find(done.begin(), done.end(), i) != done.end(); },
      [&](const Row& row) -> Status {
        rows.push_back(row);
        return {};
      });
  REQUIRE_MESSAGE(status.has_value(), status.error().message);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.number < b.number; });
  return rows;
}

std::filesystem::path fresh_folder(const char* name) {
  const auto folder = std::filesystem::temp_directory_path() / "harnessg_benchmark_test" / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

TEST_CASE("Every policy is measured in every arm, the same for any number of threads") {
  BenchmarkOptions options = everything();
  options.threads = 1;
  const auto rows = rows_of(options);
  REQUIRE(rows.size() == sample_questions().size());
  for (const char* arm : {"menu", "free_query", "free_query_matched"}) {
    for (const std::string& policy : options.policies)
      CHECK(rows[0].values.contains(fmt::format("play/{}/{}/all seen, paragraphs", arm, policy)));
    CHECK(rows[0].values.contains(fmt::format("collapse/{}/random/classes", arm)));
    CHECK_FALSE(rows[0].values.contains(fmt::format("collapse/{}/first-lookup/classes", arm)));
  }
  options.threads = 4;
  CHECK(rows_of(options) == rows);
}

TEST_CASE("No policy sees more than the exact search says can be seen, and the greedy oracle most") {
  const auto rows = rows_of(everything());
  double oracle = 0;
  double random = 0;
  for (const Row& row : rows) {
    for (const auto& [name, value] : row.values) {
      if (name.starts_with("play/menu/") && name.ends_with("/all seen, paragraphs"))
        CHECK(value <= row.values.at("reach/paragraphs/seen"));
    }
    oracle += row.values.at("play/menu/greedy-oracle/recall of seen, paragraphs");
    random += row.values.at("play/menu/random/recall of seen, paragraphs");
  }
  CHECK(oracle > random);
}

TEST_CASE("An interrupted run goes on from its rows and gives the same report") {
  const BenchmarkOptions options = everything();
  const auto all = rows_of(options);
  const auto file = fresh_folder("resume") / "rows.jsonl";
  {
    auto writer = RowWriter::open(file, {}, "{\"header\": 1}");
    REQUIRE(writer.has_value());
    REQUIRE(writer->append(to_json_line(all[4])).has_value());
    REQUIRE(writer->append(to_json_line(all[1])).has_value());
  }
  const auto whole = std::filesystem::file_size(file);
  std::ofstream(file, std::ios::app) << to_json_line(all[2]).substr(0, 40);  // the power went
  auto stored = read_rows(file);
  REQUIRE(stored.has_value());
  CHECK(stored->header == "{\"header\": 1}");
  CHECK(stored->bytes == whole);
  REQUIRE(stored->rows.size() == 2);
  CHECK(stored->rows[0] == all[4]);
  auto writer = RowWriter::open(file, *stored, stored->header);
  REQUIRE(writer.has_value());
  for (const Row& row : rows_of(options, {4, 1})) REQUIRE(writer->append(to_json_line(row)).has_value());
  const auto again = read_rows(file);
  REQUIRE(again.has_value());
  const auto figures = summarise(again->rows, 5);
  const auto expected = summarise(all, 5);
  REQUIRE(figures.size() == expected.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    CHECK(figures[i].name == expected[i].name);
    CHECK(figures[i].value == expected[i].value);
    CHECK(figures[i].low == expected[i].low);
  }
}

TEST_CASE("A row that is no row is named with its line") {
  const auto file = fresh_folder("damaged") / "rows.jsonl";
  std::ofstream(file) << "{}\n{\"number\": 1}\n";
  const auto stored = read_rows(file);
  REQUIRE_FALSE(stored.has_value());
  CHECK(stored.error().code == ErrorCode::kCorrupt);
  CHECK(stored.error().message.find("rows.jsonl:2") != std::string::npos);
}

TEST_CASE("Traces that were recorded are measured like the policy that played them") {
  BenchmarkOptions options = everything();
  options.policies = {"random"};
  options.arms = {Arm::kMenu};
  const auto file = fresh_folder("recorded") / "traces.jsonl";
  {
    std::ofstream stream(file);
    options.record = [&](const std::string& line) -> Status {
      stream << line << '\n';
      return {};
    };
    rows_of(options);
  }
  options.record = nullptr;
  options.recorded = {{"before", file}};
  for (const Row& row : rows_of(options)) {
    for (const auto& [name, value] : row.values) {
      for (const std::string section : {"play/menu/", "collapse/menu/"}) {
        if (!name.starts_with(section + "random/")) continue;
        const std::string twin = section + "before/" + name.substr(section.size() + 7);
        REQUIRE(row.values.contains(twin));
        CHECK(row.values.at(twin) == doctest::Approx(value));
      }
    }
  }
  options.recorded = {{"random", file}};
  CHECK(Benchmark::create(sample_world(), DatasetKind::kJsonLines, options).error().code ==
        ErrorCode::kInvalidArgument);
}

TEST_CASE("Paired differences are of the questions that both have") {
  std::vector<Row> a(3);
  std::vector<Row> b(3);
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = {i, fmt::format("q{}", i), {{"play/menu/x/EM", 0}}, {}};
    b[i] = {i, fmt::format("q{}", i + 1), {{"play/menu/x/EM", 1}, {"other", 1}}, {}};
  }
  const auto differences = paired_differences(a, b, 0);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].questions == 2);
  CHECK(differences[0].b - differences[0].a == 1);
  CHECK(differences[0].better == 2);
  CHECK(differences[0].low == 1);
}

TEST_CASE("A report holds every figure, and its page loads nothing and breaks at no text") {
  Report report;
  report.description = R"({"profile": "<script>"})";
  report.asked = 2;
  report.left_out = {{0, "q<1>", GoldGap::kNoParagraph, "\"A & B\""}};
  report.figures = {{"play/menu/a<b/F1", 0.5, 0.25, 0.75, 2},
                    {"reach/paragraphs/seen", 1, 1, 1, 2},
                    {"retrieval/bm25/R@5", 0.5, 0, 1, 2},
                    {"retrieval/bm25/R@20", 1, 1, 1, 2}};
  report.misses = {{"paragraphs", {{"no_path", 3}}}};
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["figures"].size() == 4);
  CHECK(json["gold_not_in_corpus"][0]["reason"] == "paragraph not in the corpus");
  CHECK(json["definitions"].contains("retrieval/R@5"));
  const std::string page = report_page(report);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("http") == std::string::npos);
  CHECK(page.find("a&lt;b") != std::string::npos);
  CHECK(page.find("<svg") != std::string::npos);
  const std::string table = report_table(report);
  CHECK(table.find("R@5") < table.find("R@20"));
  CHECK(table.find("0.500 ±0.250") != std::string::npos);
  for (const SectionTable& section : section_tables(report.figures, report.subjects))
    for (const std::string& column : section.columns) CHECK_FALSE(meaning_of(section.section, column).empty());
}

TEST_CASE("Checkpoints of one training are plotted in their order") {
  Report report;
  report.description = "{}";
  report.figures = {{"collapse/menu/100/query forms", 0.3, 0.3, 0.3, 2},
                    {"collapse/menu/20/query forms", 0.9, 0.9, 0.9, 2}};
  report.subjects = report.series = {"menu/20", "menu/100"};
  const std::string page = report_page(report);
  REQUIRE(page.find("<polyline") != std::string::npos);
  CHECK(page.find("menu/20", page.find("<polyline") - 2000) <
        page.find("menu/100", page.find("Along the checkpoints")));
}

TEST_CASE("Whose file it is can be told from its records") {
  const auto folder = fresh_folder("formats");
  const auto kind = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    const auto found = detect_dataset(folder / name);
    REQUIRE_MESSAGE(found.has_value(), found.error().message);
    return *found;
  };
  CHECK(kind("a", R"([{"_id": "1", "supporting_facts": []}])") == DatasetKind::kHotpot);
  CHECK(kind("b", "{\"_id\": \"1\", \"supporting_titles\": []}\n{\"_id\": \"2\", \"evidences\": []}\n") ==
        DatasetKind::kTwoWiki);
  CHECK(kind("c", R"({"id": "1", "question_decomposition": []})") == DatasetKind::kMusique);
  CHECK(kind("d", R"({"dataset": "nq_open", "question": "q"})") == DatasetKind::kNq);
  CHECK(kind("e", R"({"question": "q"})") == DatasetKind::kJsonLines);
  CHECK(kind("f.tsv", "question\tpossible_answers\n") == DatasetKind::kPopqa);
}

TEST_CASE("The reader names what the evidence speaks of and the question does not") {
  const auto index = chain_index();
  const std::vector<SentenceId> seen{SentenceId{kBravo}};
  CHECK(read_answer(*index, "Whom wed Bravo?", {}, seen) == "Charlie");
  CHECK(read_answer(*index, "Was Bravo wed?", {}, seen) == "yes");
  CHECK(read_answer(*index, "Whom wed Bravo?", {}, {}).empty());
}

}  // namespace harnessg::bench
