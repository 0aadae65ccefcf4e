#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "credit/rewards/eager/output_format.h"
#include "credit/rewards/eager/output_parser.h"
#include "tests/credit/output_fuzz.h"

using namespace harnessg;
using namespace harnessg::eager;

namespace {

SchemaSet schemas() {
  std::vector<EventSchema> all;
  all.push_back({"Conflict.Attack", "Attack", "", {{"Attacker", "attacker", ""}, {"Target", "target", ""}}});
  all.push_back({"Arrest", "Arrest", "", {{"Person", "person", ""}}});
  return SchemaSet::make(std::move(all)).value();
}

// "Type/mention/role=value;role=value", events apart by "|"; "!kind@offset" for a failure.
std::string read(const std::string& output, const ParserOptions& options = {}) {
  const auto parsed = parse_output(output, options);
  if (!parsed) return fmt::format("!{}@{}", failure_name(parsed.error().kind), parsed.error().offset);
  std::string text;
  for (const ExtractedEvent& event : *parsed) {
    if (!text.empty()) text += '|';
    text += event.type + '/' + event.mention + '/';
    for (const ExtractedArgument& argument : event.arguments) text += argument.role + '=' + argument.text + ';';
  }
  return text;
}

std::string read_strictly(const std::string& output) {
  const SchemaSet set = schemas();
  return read(output, {.schemas = &set});
}

}  // namespace

TEST_CASE("a list of dataclass instances is read") {
  CHECK(read("[]") == "");
  CHECK(read("[Attack(mention=\"fired\", attacker=[\"the militia\", 'rebels'])]") ==
        "Attack/fired/attacker=the militia;attacker=rebels;");
  CHECK(read(" [A(mention='x'), B.C(mention='y')] ") == "A/x/|B.C/y/");
}

TEST_CASE("what models really write is read too") {
  CHECK(read("Sure:\n```python\n[A(mention='x')]\n```\nThat is all [of it].") == "A/x/");
  CHECK(read("The [first] list:\n  ```\n[A(mention='x')]") == "A/x/");
  CHECK(read("result = [A('x', b=['y',],),]") == "A/x/b=y;");
  CHECK(read("[A(b=[['y'], ('z', 'w'), []], mention='x')]") == "A/x/b=y;b=z;b=w;");
  CHECK(read("[[A('x')], [B('y')]]") == "A/x/|B/y/");
  CHECK(read("[A(mention='''it's\n\"so\"''', b=\"\"\"c\"\"\")]") == "A/it's\n\"so\"/b=c;");
  CHECK(read("[A(mention='a' \"b\"\n'c', b=None, c=54, d=-1.5e3, e=True)]") == "A/abc/c=54;d=-1.5e3;e=True;");
  CHECK(read("# events\n[ # the first\nA('x') # done\n]") == "A/x/");
  CHECK(read("\xEF\xBB\xBF[\xC2\xA0"
             "A('x')\xE3\x80\x80]") == "A/x/");
  CHECK(read("[공격(mention='쐈다', 공격자=['민병대'])]") == "공격/쐈다/공격자=민병대;");
}

TEST_CASE("escapes are Python's, beyond the basic plane as well") {
  CHECK(read(R"([A('\x41\u00e9\U0001F600\101\t\'\q')])") ==
        "A/A\xC3\xA9\xF0\x9F\x98\x80"
        "A\t'\\q/");
  CHECK(read(R"([A('\ud83d\ude00')])") == "A/\xF0\x9F\x98\x80/");
  CHECK(read(R"([A(r'\x41\'')])") == R"(A/\x41\'/)");
  CHECK(read("[A('a\\\nb')]") == "A/ab/");
  for (const std::string broken : {R"([A('\x4')])", R"([A('\u12')])", R"([A('\ud83d')])", R"([A('\udc00')])",
                                   R"([A('\U00110000')])", R"([A('\N{BULLET}')])"}) {
    CHECK(read(broken) == "!bad_string@4");
  }
}

TEST_CASE("every failure has its kind and place") {
  CHECK(read("") == "!empty@0");
  CHECK(read(" \n") == "!empty@2");
  CHECK(read("```python\n```") == "!empty@10");
  CHECK(read("There are no events.") == "!prose@0");
  CHECK(read("Here: [A('x')]") == "!prose@0");
  CHECK(read("[A('x')] as asked") == "!prose@9");
  CHECK(read("A(mention='x')") == "!not_a_list@0");
  CHECK(read("{\"type\": \"A\"}") == "!dictionary@0");
  CHECK(read("[{\"type\": \"A\"}]") == "!dictionary@1");
  CHECK(read("[A(b={'c': 'd'})]") == "!dictionary@5");
  CHECK(read("[A]") == "!not_an_instance@1");
  CHECK(read("['x']") == "!not_an_instance@1");
  CHECK(read("[3]") == "!not_an_instance@1");
  CHECK(read("[A('x'), B(mention='y") == "!cut_off@21");
  for (const std::string whole = "[A(b=['y', 'z'])]"; const std::size_t length : {1u, 2u, 3u, 5u, 6u, 9u, 10u, 16u}) {
    CHECK(read(whole.substr(0, length)) == fmt::format("!cut_off@{}", length));
  }
  CHECK(read("[A(b=['y')]") == "!unbalanced@9");
  CHECK(read("[A('x'])") == "!unbalanced@6");
  CHECK(read("[A('x'))") == "!unbalanced@7");
  CHECK(read("[A('x')]]") == "!unbalanced@8");
  CHECK(read("]") == "!unbalanced@0");
  CHECK(read("[A(b='y', b='z')]") == "!repeated@10");
  CHECK(read("[A(b='y', 'z')]") == "!positional@10");
  CHECK(read("[A('x', 'y')]") == "!positional@8");
  CHECK(read("[A('x\ny')]") == "!bad_string@5");
  CHECK(read("[A(b=Person('y'))]") == "!bad_value@5");
  CHECK(read("[A(mention=['x', 'y'])]") == "!bad_value@3");
  CHECK(read("[A(b=“y”)]") == "!bad_value@5");
  CHECK(read("[A('x') B('y')]") == "!unexpected@8");
  CHECK(read("[, A('x')]") == "!unexpected@1");
  CHECK(read("[A('the 'big' one')]") == "!unexpected@9");
  CHECK(read("[A('\xff')]") == "!invalid_utf8@4");
}

TEST_CASE("a failure's message names line and column, in code points") {
  const auto parsed = parse_output("[A('x'),\n B('😀', ?)]");
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().line == 2);
  CHECK(parsed.error().column == 9);
  CHECK(parsed.error().message.starts_with("line 2, column 9: "));
}

TEST_CASE("with schemas names are checked and become the data set's") {
  CHECK(read_strictly("[Attack('fired', ['m'], target=['t'])]") == "Conflict.Attack/fired/Attacker=m;Target=t;");
  CHECK(read_strictly("[Conflict.Attack(mention='fired', Target='t')]") == "Conflict.Attack/fired/Target=t;");
  CHECK(read_strictly("[Arrest(), Bombing('x')]") == "!unknown_class@11");
  CHECK(read_strictly("[Arrest('x', attacker='y')]") == "!unknown_argument@13");
  CHECK(read_strictly("[Arrest('x', 'y', 'z')]") == "!positional@18");
  CHECK(read_strictly("[Attack('x', target='a', Target='b')]") == "!repeated@25");
  const SchemaSet set = schemas();
  const auto kept = parse_output("[Bombing('x'), Arrest('y', place='z')]", {.schemas = &set, .keep_unknown = true});
  REQUIRE(kept);
  CHECK_FALSE(kept->at(0).in_schema);
  CHECK(kept->at(1).in_schema);
  CHECK(kept->at(1).arguments.at(0) == ExtractedArgument{"place", "z"});
}

TEST_CASE("an instance without anything is empty") {
  const auto parsed = parse_output("[Arrest(), Arrest(person=[]), Arrest(person=['x'])]");
  REQUIRE(parsed);
  CHECK(parsed->at(0).empty());
  CHECK(parsed->at(1).empty());
  CHECK_FALSE(parsed->at(2).empty());
}

TEST_CASE("a written output reads back as it was") {
  const SchemaSet set = schemas();
  const Extraction events = {{"Conflict.Attack", "he \"fired\"\n\\ 😀", true, {{"Target", "a"}, {"Target", "조 원"}}},
                             {"Arrest", "", true, {{"Person", "\x01'"}}}};
  const std::string output = format_output(events, set);
  const auto parsed = parse_output(output, {.schemas = &set});
  REQUIRE(parsed);
  CHECK(*parsed == events);
}

TEST_CASE("deep nesting and long outputs are read in linear time") {
  const auto seconds = [](const std::string& output, bool reads) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(parse_output(output).has_value() == reads);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto repeated = [](std::string_view piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += piece;
    return text;
  };
  constexpr std::size_t kMany = 1'000'000;
  CHECK(seconds("[A('x', b=" + repeated("[", kMany) + "'y'" + repeated("]", kMany) + ")]", true) < 5);
  CHECK(seconds(repeated("[", kMany) + repeated("]", kMany), true) < 5);
  CHECK(seconds(repeated("[", kMany), false) < 5);
  CHECK(seconds("[" + repeated("A('x'),", kMany) + "]", true) < 5);
  CHECK(seconds("[A(b=[" + repeated("'',", kMany) + "])]", true) < 5);
  CHECK(seconds("[A('" + repeated("\\", kMany) + "')]", true) < 5);
  CHECK(seconds(repeated("```", kMany), false) < 5);
  CHECK(seconds(repeated(" ", kMany) + repeated("#\n", kMany), false) < 5);
  std::string arguments = "[A(";
  for (std::size_t i = 0; i < kMany / 10; ++i) arguments += fmt::format("a{}='x',", i);
  CHECK(seconds(arguments + ")]", true) < 5);
  CHECK(read("[A(" + std::string(200, 'b') + "='x')]") == "!unexpected@3");
}

TEST_CASE("whatever the parser is fed, it returns, and what it reads it can read again") {
  const SchemaSet set = schemas();
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    const std::string input = fuzzed_output(seed);
    const auto parsed = parse_output(input, {.schemas = seed % 2 == 0 ? &set : nullptr, .keep_unknown = seed % 4 == 0});
    if (!parsed) {
      CHECK(parsed.error().offset <= input.size());
      continue;
    }
    ++accepted;
    const auto again = parse_output(format_output(*parsed, set), {.schemas = &set, .keep_unknown = true});
    CHECK_MESSAGE(again.has_value(), input);
    if (again) CHECK(again->size() == parsed->size());
  }
  CHECK(accepted > 10'000);
}
