// A text with its gold events, prepared once and compared with many outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "credit/rewards/eager/events.h"
#include "credit/rewards/eager/match_text.h"
#include "data/result.h"

namespace harnessg::eager {

using NameId = std::uint32_t;    // of a type or role
using StringId = std::uint32_t;  // of a mention's form

// Where a mention is: a range of the text's form, or, for one without a span, its string.
class Spot {
 public:
  static Spot at(std::size_t begin, std::size_t end) { return Spot((std::uint64_t{begin} << 32) | std::uint64_t{end}); }
  static Spot string(StringId id) { return Spot((kNoRange << 32) | id); }
  Spot() = default;

  bool in_text() const { return value_ >> 32 != kNoRange; }
  std::uint64_t value() const { return value_; }
  friend bool operator==(const Spot&, const Spot&) = default;

 private:
  static constexpr std::uint64_t kNoRange = 0xFFFFFFFFu;
  explicit Spot(std::uint64_t value) : value_(value) {}

  std::uint64_t value_ = kNoRange << 32;
};

// Ids of texts, in order of first sight.
class Interner {
 public:
  std::uint32_t id(std::string_view text);
  // size() when it has none.
  std::uint32_t find(std::string_view text) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
};

struct PreparedArgument {
  NameId role = 0;
  StringId string = 0;
  Spot spot;
};

struct PreparedEvent {
  NameId type = 0;
  StringId trigger = 0;
  Spot spot;
  std::vector<PreparedArgument> arguments;  // in order
  std::vector<std::pair<NameId, StringId>> sorted_arguments;
};

// What prevents gold from scoring 1, in mentions.
struct GoldFaults {
  std::size_t mentions = 0;
  std::size_t without_span = 0;  // in several pieces, or a set without offsets
  std::size_t not_verbatim = 0;  // the text does not hold the mention's string
  std::size_t other_text = 0;    // the text at the span is not the mention's string
};

// Immutable; reading is thread-safe.
class Instance {
 public:
  // kBadInput when a text is not valid UTF-8, has 4 GiB or more, or a span lies outside of it. The record is copied.
  static Result<Instance> make(EventRecord record, const MatchOptions& options = {});

  const EventRecord& record() const { return record_; }
  const MatchOptions& options() const { return options_; }
  const MatchText& text() const { return text_; }
  std::span<const PreparedEvent> events() const { return events_; }
  std::size_t arguments() const { return arguments_; }
  // False when gold has mentions, and none of them a span: they are compared by their strings, with multiplicity.
  bool by_offsets() const { return faults_.mentions == 0 || faults_.without_span < faults_.mentions; }
  const GoldFaults& faults() const { return faults_; }

  const Interner& names() const { return names_; }
  const Interner& strings() const { return strings_; }
  // The words of a string, as ids of words().
  std::span<const std::uint32_t> words_of(StringId string) const { return words_of_[string]; }
  const Interner& words() const { return words_; }

  // Whether the text holds `mention` as it stands; with match options, its form. A blank mention is nowhere.
  bool is_grounded(std::string_view mention) const;

 private:
  Status prepare();
  Result<std::pair<StringId, Spot>> prepare(const Mention& mention);

  EventRecord record_;
  MatchOptions options_;
  MatchText text_;
  std::vector<PreparedEvent> events_;
  std::size_t arguments_ = 0;
  GoldFaults faults_;
  Interner names_;
  Interner strings_;
  Interner words_;
  std::vector<std::vector<std::uint32_t>> words_of_;
};

}  // namespace harnessg::eager
