// Events as EAGER compares them: gold events of a text, and what an output claims (docs/eager.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg::eager {

// [begin, end) in Unicode code points of the text, as the data sets count.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// A mention in the text. Without a span it is compared by its string: sets without offsets, and mentions in several
// pieces, whose text is the pieces joined by one space.
struct Mention {
  std::string text;
  std::optional<Span> span;

  friend bool operator==(const Mention&, const Mention&) = default;
};

struct GoldArgument {
  std::string role;
  Mention mention;

  friend bool operator==(const GoldArgument&, const GoldArgument&) = default;
};

struct GoldEvent {
  std::string type;
  Mention trigger;
  std::vector<GoldArgument> arguments;

  friend bool operator==(const GoldEvent&, const GoldEvent&) = default;
};

// One text with its gold events: an instance.
struct EventRecord {
  std::string id;
  std::string text;
  std::vector<GoldEvent> events;

  friend bool operator==(const EventRecord&, const EventRecord&) = default;
};

struct ExtractedArgument {
  std::string role;
  std::string text;

  friend bool operator==(const ExtractedArgument&, const ExtractedArgument&) = default;
};

// One instance of the output's list.
struct ExtractedEvent {
  std::string type;
  std::string mention;    // "" when the output gives none
  bool in_schema = true;  // its type is one of the schemas'; true where there are none to ask
  std::vector<ExtractedArgument> arguments;

  // Such as `Arrest()`: small models copy the list of schemas like that.
  bool empty() const { return mention.empty() && arguments.empty(); }

  friend bool operator==(const ExtractedEvent&, const ExtractedEvent&) = default;
};

using Extraction = std::vector<ExtractedEvent>;

// The piece of `text` between two code points; nullopt when the span is reversed or passes the end. `text` is UTF-8.
std::optional<std::string_view> slice(std::string_view text, const Span& span);

// Gold as the extraction that claims exactly it, in its order.
Extraction extraction_of(const std::vector<GoldEvent>& events);

}  // namespace harnessg::eager
