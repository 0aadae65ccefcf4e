// The TextEE scorer: event extraction and event argument extraction over a whole data set, by token offsets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credit/rewards/eager/metric_counts.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

// [start, end) of tokens; compared, never checked.
struct TokenSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;

  friend auto operator<=>(const TokenSpan&, const TokenSpan&) = default;
};

struct TexteeArgument {
  TokenSpan span;
  std::optional<std::string> role;  // none is a role like any other

  friend bool operator==(const TexteeArgument&, const TexteeArgument&) = default;
};

struct TexteeEvent {
  TokenSpan trigger;
  std::string type;
  std::vector<TexteeArgument> arguments;

  friend bool operator==(const TexteeEvent&, const TexteeEvent&) = default;
};

// A window of a document with its events.
struct TexteeWindow {
  std::string doc_id;
  std::string wnd_id;
  std::vector<TexteeEvent> events;
};

// Micro counts of all six measures, each a comparison of sets of tuples over all windows; texts are never compared.
// Windows are paired by position. kInvalidArgument when there are not as many predicted as gold windows, or a pair has
// different ids; also when a window is given twice with different events: a set would let the better copy win.
Result<MeasureCounts> score_events(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted);

// Event argument extraction: the triggers are given. Only the four argument measures count; TI and TC stay 0.
// kInvalidArgument as above, and when a predicted window's triggers and types are not gold's, in order.
Result<MeasureCounts> score_arguments(std::span<const TexteeWindow> gold, std::span<const TexteeWindow> predicted);

// Offsets as predictions have them in JSON. Whole numbers are themselves, however they are written (331.0); anything
// else gets a negative number of its own, so that it equals nothing but itself. Use one for all files that are
// compared.
class TokenOffsets {
 public:
  std::int64_t of(const Json& value);

 private:
  std::map<std::string, std::int64_t> odd_;
};

// A window in TextEE's form: doc_id, wnd_id, event_mentions of {event_type, trigger {start, end}, arguments of {role,
// start, end}}. kBadInput with the place and the key.
Result<TexteeWindow> textee_window(const Json& object, TokenOffsets& offsets, const Place& place);

}  // namespace harnessg::eager
