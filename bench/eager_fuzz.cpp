// Feeds damaged outputs to EAGER's output parser: eager_fuzz COUNT. Compiled twice, as eager_fuzz and, with the
// parser's sources under the address and undefined-behaviour sanitizers, as eager_fuzz_sanitized; bench/eager.py runs
// both.
//
// Prints one JSON object: how many inputs came back from the parser, how many of these as lists and as failures, and
// how many are wrong: a failure without a sentence or with a place outside of the input, or a list that cannot be
// written and read again.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "credit/rewards/eager/output_format.h"
#include "credit/rewards/eager/output_parser.h"
#include "tests/credit/output_fuzz.h"

namespace harnessg::eager {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr const char* kSanitizers = "address,undefined";
#else
constexpr const char* kSanitizers = "";
#endif

struct Tally {
  std::uint64_t lists = 0;
  std::uint64_t failures = 0;
  std::uint64_t wrong = 0;
};

// The classes that damaged outputs are made of.
Result<SchemaSet> fuzzed_schemas() {
  return SchemaSet::make({{"Conflict.Attack", "Attack", "", {{"Attacker", "attacker", ""}, {"Target", "target", ""}}},
                          {"Arrest", "Arrest", "", {{"Person", "person", ""}}}});
}

void feed(const std::string& input, const SchemaSet& schemas, std::uint64_t seed, Tally& tally) {
  const bool strict = seed % 2 == 0;
  const auto parsed = parse_output(input, {.schemas = strict ? &schemas : nullptr, .keep_unknown = seed % 4 == 0});
  if (!parsed) {
    const ParseFailure& failure = parsed.error();
    tally.failures += 1;
    tally.wrong += failure.message.empty() || failure.offset > input.size() ? 1 : 0;
    return;
  }
  tally.lists += 1;
  const auto again = parse_output(format_output(*parsed, schemas), {.schemas = &schemas, .keep_unknown = true});
  tally.wrong += again && again->size() == parsed->size() ? 0 : 1;
}

int run(std::uint64_t count) {
  const Result<SchemaSet> schemas = fuzzed_schemas();
  if (!schemas) {
    fmt::print(stderr, "eager_fuzz: {}\n", schemas.error().message);
    return 1;
  }
  Tally tally;
  for (std::uint64_t seed = 0; seed < count; ++seed) feed(fuzzed_output(seed), *schemas, seed, tally);
  fmt::print("{{\"inputs\": {}, \"lists\": {}, \"failures\": {}, \"wrong\": {}, \"sanitizers\": \"{}\"}}\n",
             tally.lists + tally.failures, tally.lists, tally.failures, tally.wrong, kSanitizers);
  return 0;
}

}  // namespace
}  // namespace harnessg::eager

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: eager_fuzz COUNT\n");
    return 2;
  }
  return harnessg::eager::run(std::strtoull(arguments[1], nullptr, 10));
}
