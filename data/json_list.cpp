#include "data/json_list.h"

#include <algorithm>

namespace harnessg {
namespace {

constexpr bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Finds where an element ends; fed with its bytes in pieces.
class ElementScanner {
 public:
  // True once `c` is the separator after the element (not part of it).
  bool ends_before(char c) {
    if (in_string_) {
      if (escaped_)
        escaped_ = false;
      else if (c == '\\')
        escaped_ = true;
      else if (c == '"')
        in_string_ = false;
      return false;
    }
    if (depth_ == 0 && (c == ',' || c == ']')) return true;
    if (c == '"') in_string_ = true;
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    return false;
  }

 private:
  std::uint64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace

tl::unexpected<Error> JsonListReader::broken(std::string_view reason) {
  state_ = State::kAfterList;
  return fail(ErrorCode::kBadInput, "{}:{}: the JSON list is broken: {}; mend the file or fetch it again", name(),
              number_ + 1, reason);
}

Result<std::optional<char>> JsonListReader::next_mark() {
  while (true) {
    const std::string_view held = source_.view();
    const auto mark = std::find_if_not(held.begin(), held.end(), is_json_space);
    source_.take(static_cast<std::size_t>(mark - held.begin()));
    if (!source_.view().empty()) return source_.view().front();
    HARNESSG_ASSIGN(const bool more, source_.fill());
    if (!more) return std::nullopt;
  }
}

Result<bool> JsonListReader::seek_element() {
  HARNESSG_ASSIGN(std::optional<char> mark, next_mark());
  if (state_ == State::kBeforeList) {
    if (mark != '[') return broken("no \"[\" at its beginning");
    source_.take(1);
    state_ = State::kBeforeFirst;
    HARNESSG_ASSIGN(mark, next_mark());
  } else if (mark == ',') {  // what ended the element before: this or the list's end
    source_.take(1);
    HARNESSG_ASSIGN(mark, next_mark());
    if (mark == ']') return broken("\",\" after its last record");
  }
  if (!mark) return broken("no \"]\" at its end");
  if (mark != ']') return true;
  source_.take(1);
  state_ = State::kAfterList;
  HARNESSG_ASSIGN(mark, next_mark());
  if (mark) return broken("text follows its \"]\"");
  return false;
}

Result<ListElement> JsonListReader::take_element() {
  ListElement element{{}, ++number_, false, false};
  ElementScanner scanner;
  std::size_t length = 0;
  while (!element.ended) {
    while (length < source_.view().size() && !element.ended) {
      element.ended = scanner.ends_before(source_.view()[length]);
      if (!element.ended) ++length;
    }
    if (length > limit_) {
      element.too_long = true;
      source_.take(length);
      length = 0;
    }
    if (element.ended) break;
    HARNESSG_ASSIGN(const bool more, source_.fill());
    if (!more) break;
  }
  if (!element.too_long) element.text = source_.view().substr(0, length);
  given_ = length;
  return element;
}

Result<std::optional<ListElement>> JsonListReader::next() {
  source_.take(given_);
  given_ = 0;
  if (state_ == State::kAfterList) return std::nullopt;
  HARNESSG_ASSIGN(const bool found, seek_element());
  if (!found) return std::nullopt;
  HARNESSG_ASSIGN(ListElement element, take_element());
  state_ = element.ended ? State::kAfterElement : State::kAfterList;
  return element;
}

}  // namespace harnessg
