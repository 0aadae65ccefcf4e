#include "builder/mention_program.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "builder/build.h"
#include "data/index.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

// Finds "Ada" in the first sentence of every paragraph.
constexpr char kFindsAda[] =
    "echo '{\"recogniser\": \"ada 1\"}'; "
    "sed -E "
    "'s/^\\{\"paragraph\":(\"[^\"]*\").*/{\"paragraph\":\\1,\"sentence\":0,\"text\":\"Ada\",\"label\":\"PERSON\"}/'";

struct Corpus {
  TemporaryFolder folder;
  std::filesystem::path file = folder / "corpus.jsonl";

  explicit Corpus(int paragraphs) {
    std::string lines;
    for (int i = 0; i < paragraphs; ++i) {
      lines += R"({"id": ")" + std::to_string(i) + R"(", "title": "T)" + std::to_string(i) +
               R"(", "text": "Here is Ada, number )" + std::to_string(i) + ". She left.\"}\n";
    }
    write_bytes(file, lines);
  }

  MentionProgram program(std::string script) const {
    return {"the test's program", {"/bin/sh", "-c", std::move(script)}, {file}, {}, {}};
  }

  Error start_error(std::string script) const {
    const auto process = MentionProcess::start(program(std::move(script)));
    REQUIRE(!process);
    return process.error();
  }

  // Reads all rows; the error that ends them, if one does.
  Error read_error(std::string script, std::size_t& rows) const {
    const auto process = MentionProcess::start(program(std::move(script)));
    REQUIRE_MESSAGE(process, process.error().message);
    for (rows = 0;; ++rows) {
      const auto row = (*process)->next();
      if (!row) return row.error();
      if (!*row) return {ErrorCode::kInternal, "no error"};
    }
  }
};

}  // namespace

TEST_CASE("A program gets every paragraph in sentences and its mentions are those of the build") {
  const Corpus corpus(2000);
  const auto process = MentionProcess::start(corpus.program(kFindsAda));
  REQUIRE_MESSAGE(process, process.error().message);
  CHECK((*process)->name() == "ada 1");
  BuildSettings settings;
  settings.corpus = {corpus.file};
  settings.output = corpus.folder / "index";
  settings.mentions = process->get();
  settings.recogniser = (*process)->name();
  const auto report = build_index(settings, nullptr);
  REQUIRE_MESSAGE(report, report.error().message);
  CHECK(report->counts.at("entities") == 2001);
  CHECK(report->counts.at("mentions") == 4000);
  const auto index = Index::open(settings.output);
  REQUIRE_MESSAGE(index, index.error().message);
  CHECK((*index)->graph().sentences(EntityId{0}).size() == 2000);
  CHECK((*index)->manifest().recogniser == "ada 1");
  CHECK((*index)->manifest().settings.at("entities") == "ada 1");
  CHECK((*index)->manifest().input_hashes.size() == 1);
}

TEST_CASE("A program is told sentences as the index holds them, and chunks by their own ids") {
  const TemporaryFolder folder;
  write_bytes(folder / "c.jsonl", "{\"id\": 7, \"text\": \"One  two. Three \\\"four\\\".\"}\n");
  const MentionProgram program = {
      "a copy",
      {"/bin/sh", "-c", "echo '{\"recogniser\": \"tee\"}'; cat > " + (folder / "told").string()},
      {folder / "c.jsonl"},
      {},
      {3, 0}};
  const auto process = MentionProcess::start(program);
  REQUIRE_MESSAGE(process, process.error().message);
  const auto row = (*process)->next();
  REQUIRE_MESSAGE(row, row.error().message);
  CHECK(!*row);
  CHECK(read_bytes(folder / "told") ==
        "{\"paragraph\":\"7#0\",\"sentences\":[\"One two.\",\"Three\"]}\n"
        "{\"paragraph\":\"7#1\",\"sentences\":[\"\\\"four\\\".\"]}\n");
}

TEST_CASE("What goes wrong with a program is one sentence") {
  const Corpus corpus(3);
  CHECK(corpus.start_error("echo '{\"error\": \"no model; install one\"}'").message == "no model; install one");
  CHECK(corpus.start_error("echo hello").message.find("the test's program does not say") == 0);
  CHECK(corpus.start_error("exit 3").message.find("the test's program ended with status 3") == 0);
  CHECK(corpus.start_error("kill -9 $$").message.find("the test's program was ended by signal 9") == 0);
  auto missing = corpus.program("");
  missing.command = {"/no/such/program"};
  CHECK(MentionProcess::start(missing).error().code == ErrorCode::kNotFound);
  auto piped = corpus.program(kFindsAda);
  piped.corpus = {"-"};
  CHECK(MentionProcess::start(piped).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("A program that stops half-way, or writes nonsense, is an error and no shorter index") {
  const Corpus corpus(3);
  const std::string one = R"(echo '{"recogniser": "x"}'; echo '{"paragraph": "0", "sentence": 0, "text": "Ada", )"
                          R"("label": "PERSON"}'; )";
  std::size_t rows = 0;
  CHECK(corpus.read_error(one + "exit 1", rows).code == ErrorCode::kUnavailable);
  CHECK(rows == 1);
  CHECK(corpus.read_error(one + R"(echo '{"error": "the model broke"}')", rows).message == "the model broke");
  CHECK(corpus.read_error(one + "echo nonsense; cat > /dev/null", rows).message.find("the test's program:2: ") == 0);
  CHECK(corpus.read_error(one + "cat > /dev/null", rows).message == "no error");
}

TEST_CASE("A corpus that breaks in the middle is an error of the program's reading too") {
  const TemporaryFolder folder;
  write_bytes(folder / "c.jsonl", "{\"id\": 1, \"text\": \"Good.\"}\nbad\n");
  const auto process = MentionProcess::start(
      {"a copy", {"/bin/sh", "-c", "echo '{\"recogniser\": \"x\"}'; cat > /dev/null"}, {folder / "c.jsonl"}, {}, {}});
  REQUIRE_MESSAGE(process, process.error().message);
  const auto row = (*process)->next();
  REQUIRE(!row);
  CHECK_MESSAGE(row.error().message.find(":2") != std::string::npos, row.error().message);
}

TEST_CASE("A program that nobody waits for is ended") {
  const Corpus corpus(20000);
  {
    const auto process = MentionProcess::start(corpus.program("echo '{\"recogniser\": \"x\"}'; exec sleep 600"));
    REQUIRE_MESSAGE(process, process.error().message);
  }
  std::size_t rows = 0;
  const Error error = corpus.read_error("echo '{\"recogniser\": \"x\"}'", rows);
  CHECK(error.message.find("the test's program ended before it had read the whole corpus") == 0);
}
