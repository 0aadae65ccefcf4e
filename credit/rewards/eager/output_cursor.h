// Where the reading of an output stands: white space, names, literals, the code fence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "credit/rewards/eager/output_parser.h"
#include "credit/rewards/eager/python_string.h"

namespace harnessg::eager {

// Over valid UTF-8. Every byte is looked at a bounded number of times, so that reading is linear.
class OutputCursor {
 public:
  explicit OutputCursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  std::size_t size() const { return text_.size(); }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return text_[at_]; }  // not at the end

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // White space, Unicode's too, a byte order mark, and comments to the end of their lines.
  void skip_space();

  // To the content of the first code fence that begins a line; nowhere when the output itself begins as a list.
  void enter_fence();
  // Whether nothing but white space, or the end of the fence entered, comes next.
  bool leave_fence();

  // `name =` (not `name ==`) before the list, and the white space around it.
  void skip_assignment();
  // Identifiers joined by dots; "" when none begins here.
  std::string_view take_name();
  // `name =` of an argument, with white space around; "" and nothing taken when there is none.
  std::string_view take_keyword();

  template <class Predicate>
  std::string_view take_while(Predicate predicate) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && predicate(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool begins_string() const { return eager::begins_string(text_, at_); }
  StringLiteral take_string();

  // `reason` with line and column added.
  ParseFailure failure(FailureKind kind, std::size_t offset, const std::string& reason) const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool fenced_ = false;
};

}  // namespace harnessg::eager
