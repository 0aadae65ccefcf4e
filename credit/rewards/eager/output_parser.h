// A model's output as events: a Python list of dataclass instances, read by a grammar of our own (docs/eager.md).
//
//   const auto parsed = parse_output("[Attack(mention=\"fired\", attacker=[\"the militia\"])]");
//   if (!parsed) fmt::print("{}\n", parsed.error().message);
//
// Nothing is evaluated. Cost: one pass over the output, memory in proportion to it, no recursion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "credit/rewards/eager/events.h"
#include "credit/rewards/eager/schemas.h"

namespace harnessg::eager {

// Why an output is no such list: the first thing that is wrong with it.
enum class FailureKind : std::uint8_t {
  kEmpty,            // nothing but white space
  kProse,            // text that is no list, before it or behind it
  kNotAList,         // an instance without a list around it
  kDictionary,       // {...} where an instance or a value should be
  kNotAnInstance,    // a string, number or bare name where an instance should be
  kCutOff,           // the output ends inside the list
  kUnbalanced,       // a bracket that does not fit the one it closes, or closes nothing
  kUnknownClass,     // no schema of that name
  kUnknownArgument,  // the schema has no such field
  kRepeated,         // one argument given twice
  kPositional,       // an argument without a name that cannot be placed
  kBadString,        // a string with a line break or a broken escape
  kBadValue,         // a value that is neither text nor a list of texts
  kUnexpected,       // any other character: a missing comma, a stray mark
  kInvalidUtf8,
};
inline constexpr std::size_t kFailureKinds = 15;

std::string_view failure_name(FailureKind kind);  // "empty", "prose", "not_a_list", "dictionary", ... "invalid_utf8"

struct ParseFailure {
  FailureKind kind = FailureKind::kEmpty;
  std::size_t offset = 0;  // in bytes
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // from 1, in code points (bytes for kInvalidUtf8)
  std::string message;     // one sentence: what is wrong, with line and column

  friend bool operator==(const ParseFailure&, const ParseFailure&) = default;
};

struct ParserOptions {
  const SchemaSet* schemas = nullptr;  // what classes and fields there are; null: any. Kept alive by the caller
  // With schemas: an instance of a class, or an argument, that they do not have is kept under its own name (its event
  // has in_schema false) instead of being a failure.
  bool keep_unknown = false;
};

// Accepted: a code fence around the list with prose outside it; `name =` before the list; trailing commas; comments;
// lists in lists; tuples; single, double and triple quotes, raw strings, adjacent strings; None as no value; numbers
// and booleans as their text; one text where a list is due; mention as the first argument without a name, and with
// schemas the others in the order of the fields; class names with dots, equal to a schema's type; Unicode white space.
// Types and roles of the result are the schemas' names where there are schemas. Thread-safe.
tl::expected<Extraction, ParseFailure> parse_output(std::string_view output, const ParserOptions& options = {});

}  // namespace harnessg::eager
