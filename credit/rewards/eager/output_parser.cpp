#include "credit/rewards/eager/output_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "credit/rewards/eager/output_cursor.h"
#include "credit/rewards/eager/python_string.h"
#include "data/text.h"

namespace harnessg::eager {
namespace {

constexpr std::string_view kMention = "mention";
constexpr std::size_t kLongestName = 128;
constexpr std::size_t kFewArguments = 16;

bool is_number_part(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '+' || c == '-' || (c | 0x20) == 'e' ||
         (c | 0x20) == 'x';
}

class OutputParser {
 public:
  OutputParser(std::string_view output, const ParserOptions& options) : cursor_(output), options_(options) {}

  tl::expected<Extraction, ParseFailure> parse() {
    if (open_list() && elements() && nothing_more()) return std::move(events_);
    return tl::unexpected<ParseFailure>(std::move(failure_));
  }

 private:
  template <class... Args>
  bool failed(FailureKind kind, std::size_t offset, fmt::format_string<Args...> format, Args&&... args) {
    failure_ = cursor_.failure(kind, offset, fmt::format(format, std::forward<Args>(args)...));
    return false;
  }

  bool cut_off(std::string_view where) {
    return failed(FailureKind::kCutOff, cursor_.size(), "the output ends inside {}", where);
  }

  bool open_list() {
    cursor_.enter_fence();
    if (cursor_.leave_fence()) return failed(FailureKind::kEmpty, cursor_.at(), "there is no output");
    cursor_.skip_assignment();
    const std::size_t at = cursor_.at();
    if (cursor_.at_end()) return cut_off("an assignment");
    if (cursor_.take('[')) return true;
    const char c = cursor_.peek();
    if (c == '{') return failed(FailureKind::kDictionary, at, "a dictionary stands where a list of instances should");
    if (c == ']' || c == ')' || c == '}') return failed(FailureKind::kUnbalanced, at, "\"{}\" closes nothing", c);
    if (!cursor_.take_name().empty() && cursor_.take('(')) {
      return failed(FailureKind::kNotAList, at, "an instance stands alone; put [ ] around the list");
    }
    return failed(FailureKind::kProse, at, "the output is text, not a list of instances");
  }

  // Behind "[": instances up to the "]" that closes the outermost list.
  bool elements() {
    std::size_t depth = 1;
    bool may_begin = true;  // a comma or "[" came before
    while (depth > 0) {
      cursor_.skip_space();
      if (cursor_.at_end()) return cut_off("the list");
      if (cursor_.take(']')) {
        --depth;
        may_begin = false;
      } else if (!may_begin) {
        if (!comma("the list")) return false;
        may_begin = true;
      } else if (cursor_.take('[')) {
        ++depth;
      } else if (!instance()) {
        return false;
      } else {
        may_begin = false;
      }
    }
    return true;
  }

  bool comma(std::string_view where) {
    if (cursor_.take(',')) return true;
    const char c = cursor_.peek();
    if (c == ')' || c == ']' || c == '}') {
      return failed(FailureKind::kUnbalanced, cursor_.at(), "\"{}\" does not close {}", c, where);
    }
    return failed(FailureKind::kUnexpected, cursor_.at(), "a comma or the end of {} is missing", where);
  }

  bool nothing_more() {
    if (cursor_.leave_fence()) return true;
    const char c = cursor_.peek();
    if (c == ']' || c == ')' || c == '}')
      return failed(FailureKind::kUnbalanced, cursor_.at(), "\"{}\" closes nothing", c);
    return failed(FailureKind::kProse, cursor_.at(), "text follows the list");
  }

  bool instance() {
    const std::size_t at = cursor_.at();
    const char c = cursor_.peek();
    if (c == '{') return failed(FailureKind::kDictionary, at, "a dictionary stands where an instance should");
    if (c == ')' || c == '}') return failed(FailureKind::kUnbalanced, at, "\"{}\" does not close the list", c);
    if (c == ',') return failed(FailureKind::kUnexpected, at, "there is no instance before the comma");
    if (cursor_.begins_string())
      return failed(FailureKind::kNotAnInstance, at, "a string stands where an instance should");
    const std::string_view name = cursor_.take_name();
    if (name.empty()) return failed(FailureKind::kNotAnInstance, at, "no class name stands where an instance should");
    cursor_.skip_space();
    if (cursor_.at_end()) return cut_off("an instance");
    if (!cursor_.take('(')) return failed(FailureKind::kNotAnInstance, at, "\"{}\" is a name without ( )", name);
    schema_ = options_.schemas ? options_.schemas->find(name) : nullptr;
    if (options_.schemas && !schema_ && !options_.keep_unknown) {
      return failed(FailureKind::kUnknownClass, at, "there is no class \"{}\"", name);
    }
    ExtractedEvent& event = events_.emplace_back();
    event.type = schema_ ? schema_->type : std::string(name);
    event.in_schema = schema_ || !options_.schemas;
    return arguments(event);
  }

  bool arguments(ExtractedEvent& event) {
    given_.clear();
    many_given_.clear();
    bool named = false;
    for (std::size_t position = 0;; ++position) {
      cursor_.skip_space();
      if (cursor_.at_end()) return cut_off("an instance");
      if (cursor_.take(')')) return true;
      const char c = cursor_.peek();
      if (c == ']' || c == '}')
        return failed(FailureKind::kUnbalanced, cursor_.at(), "\"{}\" does not close an instance", c);
      const std::size_t at = cursor_.at();
      std::string_view field = cursor_.take_keyword();
      if (!field.empty()) {
        named = true;
      } else if (named || !place(position, field)) {
        return failed(FailureKind::kPositional, at, "an argument without a name {}",
                      named ? "follows one with a name" : "has no field to go to");
      }
      if (!argument(event, field, at)) return false;
      cursor_.skip_space();
      if (cursor_.at_end()) return cut_off("an instance");
      if (cursor_.peek() != ')' && !comma("an instance")) return false;
    }
  }

  // The field of an argument without a name.
  bool place(std::size_t position, std::string_view& field) const {
    if (position == 0) return field = kMention, true;
    if (!schema_ || position > schema_->roles.size()) return false;
    field = schema_->roles[position - 1].field;
    return true;
  }

  bool argument(ExtractedEvent& event, std::string_view field, std::size_t at) {
    if (field == kMention) {
      if (!note(kMention, at)) return false;
      std::size_t values = 0;
      if (!value([&](std::string&& text) {
            event.mention = std::move(text);
            ++values;
          })) {
        return false;
      }
      return values <= 1 || failed(FailureKind::kBadValue, at, "mention has {} values, not one", values);
    }
    std::string_view role = field;
    if (schema_) {
      const RoleSchema* known = schema_->find_role(field);
      if (!known && !options_.keep_unknown) {
        return failed(FailureKind::kUnknownArgument, at, "class \"{}\" has no argument \"{}\"", schema_->class_name,
                      field);
      }
      if (known) role = known->role;
    }
    if (!note(role, at)) return false;
    return value([&](std::string&& text) { event.arguments.push_back({std::string(role), std::move(text)}); });
  }

  // Copies of a long name would let memory grow faster than the output.
  bool note(std::string_view role, std::size_t at) {
    if (!schema_ && role.size() > kLongestName) {
      return failed(FailureKind::kUnexpected, at, "the name of an argument has {} bytes", role.size());
    }
    if (given_.size() == kFewArguments && many_given_.empty()) many_given_.insert(given_.begin(), given_.end());
    const bool is_new = many_given_.empty() ? std::find(given_.begin(), given_.end(), role) == given_.end()
                                            : many_given_.insert(role).second;
    if (!is_new) return failed(FailureKind::kRepeated, at, "the argument \"{}\" is given twice", role);
    if (many_given_.empty()) given_.push_back(role);
    return true;
  }

  // A text, or texts in lists and tuples of any depth, given to `take` one by one.
  template <class Take>
  bool value(const Take& take) {
    brackets_.clear();
    bool may_begin = true;
    do {
      cursor_.skip_space();
      if (cursor_.at_end()) return cut_off("an argument");
      const char c = cursor_.peek();
      if (!brackets_.empty() && c == brackets_.back()) {
        cursor_.take(c);
        brackets_.pop_back();
        may_begin = false;
      } else if (!may_begin) {
        if (!comma("a list of values")) return false;
        may_begin = true;
      } else if (c == '[' || c == '(') {
        cursor_.take(c);
        brackets_.push_back(c == '[' ? ']' : ')');
      } else if (!scalar(take)) {
        return false;
      } else {
        may_begin = false;
      }
    } while (!brackets_.empty());
    return true;
  }

  template <class Take>
  bool scalar(const Take& take) {
    const std::size_t at = cursor_.at();
    if (cursor_.begins_string()) return text(take);
    const char c = cursor_.peek();
    if (c == '{') return failed(FailureKind::kDictionary, at, "a dictionary or set stands where a text should");
    if (c == ')' || c == ']' || c == '}')
      return failed(FailureKind::kUnbalanced, at, "\"{}\" does not close a value", c);
    if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
      take(std::string(cursor_.take_while(is_number_part)));
      return true;
    }
    const std::string_view name = cursor_.take_name();
    if (name == "None") return true;
    if (name == "True" || name == "False") return take(std::string(name)), true;
    if (name.empty())
      return failed(FailureKind::kUnexpected, at, "a value is missing or begins with a mark that none has");
    return failed(FailureKind::kBadValue, at, "\"{}\" is no text; put it in quotes", name);
  }

  // Adjacent literals are one text.
  template <class Take>
  bool text(const Take& take) {
    std::string whole;
    for (bool first = true; cursor_.begins_string(); first = false) {
      StringLiteral literal = cursor_.take_string();
      switch (literal.fault) {
        case StringFault::kNone:
          break;
        case StringFault::kUnterminated:
          return cut_off("a string");
        case StringFault::kLineBreak:
          return failed(FailureKind::kBadString, literal.end, "a string is not closed on its line");
        case StringFault::kEscape:
          return failed(FailureKind::kBadString, literal.end, "an escape sequence is broken");
      }
      if (first) {
        whole = std::move(literal.value);
      } else {
        whole += literal.value;
      }
      cursor_.skip_space();
    }
    take(std::move(whole));
    return true;
  }

  OutputCursor cursor_;
  const ParserOptions& options_;
  Extraction events_;
  ParseFailure failure_;
  const EventSchema* schema_ = nullptr;              // of the instance being read
  std::vector<std::string_view> given_;              // its arguments so far, while they are few
  std::unordered_set<std::string_view> many_given_;  // the same, once they are many
  std::string brackets_;                             // closers due inside the value being read
};

}  // namespace

std::string_view failure_name(FailureKind kind) {
  static constexpr std::array<std::string_view, kFailureKinds> kNames = {
      "empty",      "prose",      "not_a_list",    "dictionary",       "not_an_instance",
      "cut_off",    "unbalanced", "unknown_class", "unknown_argument", "repeated",
      "positional", "bad_string", "bad_value",     "unexpected",       "invalid_utf8"};
  return kNames[static_cast<std::size_t>(kind)];
}

tl::expected<Extraction, ParseFailure> parse_output(std::string_view output, const ParserOptions& options) {
  if (const auto invalid = find_invalid_utf8(output)) {
    return tl::unexpected<ParseFailure>(
        OutputCursor(output).failure(FailureKind::kInvalidUtf8, *invalid, "the output is not valid UTF-8"));
  }
  return OutputParser(output, options).parse();
}

}  // namespace harnessg::eager
