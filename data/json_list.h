// The elements of one JSON list, one at a time: a list of many gigabytes is never in memory whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/look_ahead.h"
#include "data/result.h"

namespace harnessg {

struct ListElement {
  std::string_view text;     // its JSON text, unchecked; valid until the next call
  std::uint64_t number = 0;  // 1-based
  bool ended = true;         // false: the file ends in the middle of it
  bool too_long = false;     // over the limit: `text` is empty, the element is passed over
};

// One thread at a time.
class JsonListReader {
 public:
  // `source` stands before the list's "[", white space aside.
  JsonListReader(LookAhead source, std::size_t max_element_bytes)
      : source_(std::move(source)), limit_(max_element_bytes) {}

  // nullopt at the end of the list. kBadInput when the list does not begin or end, ends in a comma, or is followed by
  // more than white space; errors of StoredStream::read. After an error or an element that is not ended: nullopt.
  Result<std::optional<ListElement>> next();

  std::uint64_t stored_bytes_read() const { return source_.stored_bytes_read(); }
  const std::string& name() const { return source_.name(); }

 private:
  enum class State : std::uint8_t { kBeforeList, kBeforeFirst, kAfterElement, kAfterList };

  Result<std::optional<char>> next_mark();  // takes white space, not the mark
  Result<bool> seek_element();              // false at the end of the list
  Result<ListElement> take_element();
  tl::unexpected<Error> broken(std::string_view reason);

  LookAhead source_;
  std::size_t limit_;
  std::size_t given_ = 0;
  std::uint64_t number_ = 0;
  State state_ = State::kBeforeList;
};

}  // namespace harnessg
