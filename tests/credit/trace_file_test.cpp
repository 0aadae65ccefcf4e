#include "credit/trace_file.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

#include "credit/known_questions.h"
#include "tests/credit/hand_made.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

std::string line(const std::string& id) {
  Trace trace = HandMade().first_view({1}).trace();
  trace.question_id = id;
  return to_json(trace);
}

std::vector<TraceLine> read_all(const std::string& content, std::size_t limit = 1u << 20) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "traces.jsonl";
  std::ofstream(path, std::ios::binary) << content;
  auto file = TraceFile::open(path, limit).value();
  std::vector<TraceLine> lines;
  while (true) {
    auto next = file.next();
    REQUIRE_MESSAGE(next.has_value(), next.error().message);
    if (!*next) return lines;
    lines.push_back(std::move(**next));
  }
}

QuestionRecord question(std::string id, std::string text, std::vector<std::string> answers) {
  QuestionRecord record;
  record.id = std::move(id);
  record.question = std::move(text);
  record.answers = std::move(answers);
  return record;
}

Trace without_answers(std::string id, std::string text) {
  Trace trace = HandMade(std::move(text), {}).first_view({1}).trace();
  trace.question_id = std::move(id);
  return trace;
}

}  // namespace

TEST_CASE("traces come one a line, with their place, and blank lines are passed over") {
  const auto lines = read_all(line("a") + "\n\n  \n" + line("b"));
  REQUIRE(lines.size() == 2);
  REQUIRE_MESSAGE(lines[0].trace.has_value(), lines[0].trace.error().message);
  REQUIRE(lines[1].trace.has_value());
  CHECK(lines[0].trace->question_id == "a");
  CHECK(lines[1].trace->question_id == "b");
  CHECK(lines[0].place.ends_with("traces.jsonl:1"));
  CHECK(lines[1].place.ends_with("traces.jsonl:4"));
}

TEST_CASE("a broken line is named and the next one is read") {
  const std::string good = line("a");
  for (const std::string& bad : {std::string("nonsense"), std::string("{}"), std::string("[1]"), good.substr(0, 90),
                                 std::string("\xff\xfe"), std::string(4000, '[')}) {
    const auto lines = read_all(fmt::format("{}\n{}\n{}\n", good, bad, good));
    REQUIRE(lines.size() == 3);
    REQUIRE_FALSE(lines[1].trace.has_value());
    CHECK(lines[1].trace.error().message.starts_with(lines[1].place + ": "));
    CHECK(lines[2].trace.has_value());
  }
}

TEST_CASE("a last line that is cut short is called that") {
  const auto lines = read_all(line("a") + "\n" + line("b").substr(0, 90));
  REQUIRE(lines.size() == 2);
  REQUIRE_FALSE(lines[1].trace.has_value());
  CHECK(lines[1].trace.error().message.find(":2: the last line is cut short") != std::string::npos);
}

TEST_CASE("a line that is too long is not read into memory") {
  const auto lines = read_all(std::string(5000, ' ') + "\n" + line("a") + "\n", 4000);
  REQUIRE(lines.size() == 2);
  REQUIRE_FALSE(lines[0].trace.has_value());
  CHECK(lines[0].trace.error().message.find("longer than 4000 bytes") != std::string::npos);
}

TEST_CASE("a trace without answers gets those of the question with its text, of several the one with its id") {
  const KnownQuestions known({question("1", "Which river?", {"the Thames"}),
                              question("2", "Which river?", {"the Elbe"}), question("3", "Which  town? ", {"Jena"})});
  const auto joined = [&](Trace trace) {
    const Status status = known.join(trace);
    REQUIRE_MESSAGE(status.has_value(), status.error().message);
    return trace.answers;
  };
  CHECK(joined(without_answers("2", "Which river?")) == std::vector<std::string>{"the Elbe"});
  CHECK(joined(without_answers("", "Which town?")) == std::vector<std::string>{"Jena"});
  CHECK(joined(without_answers("other", "Which town?")) == std::vector<std::string>{"Jena"});
  CHECK(joined(HandMade("Which town?", {"Weimar"}).trace()) == std::vector<std::string>{"Weimar"});
}

TEST_CASE("no trace gets the answers of another question") {
  const KnownQuestions known(
      {question("1", "Which river?", {"the Thames"}), question("2", "Which river?", {"the Elbe"})});
  Trace ambiguous = without_answers("9", "Which river?");
  CHECK(known.join(ambiguous).error().code == ErrorCode::kBadInput);
  Trace unknown = without_answers("", "Which lake?");
  CHECK(known.join(unknown).error().code == ErrorCode::kNotFound);
  Trace other_text = without_answers("1", "Which lake?");
  CHECK(known.join(other_text).error().message.find("reads \"Which river?\"") != std::string::npos);
  CHECK(other_text.answers.empty());
}
