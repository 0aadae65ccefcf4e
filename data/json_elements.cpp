#include "data/json_elements.h"

#include <algorithm>

namespace harnessg {
namespace {

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Follows brackets and strings; says after which byte the value is complete.
class ValueScanner {
 public:
  // Number of bytes of `chunk` that belong to the value; done() tells whether it ends there.
  std::size_t scan(std::string_view chunk) {
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const char c = chunk[i];
      if (in_string_) {
        if (escaped_) escaped_ = false;
        else if (c == '\\') escaped_ = true;
        else if (c == '"') in_string_ = false;
        continue;
      }
      if (c == '"') in_string_ = true;
      if (c == '{' || c == '[') ++depth_;
      if ((c == '}' || c == ']') && --depth_ == 0) {
        done_ = true;
        return i + 1;
      }
    }
    return chunk.size();
  }
  bool done() const { return done_; }

 private:
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool done_ = false;
};

}  // namespace

Result<JsonElements> JsonElements::open(const std::filesystem::path& file, std::size_t max_bytes) {
  HARNESSG_ASSIGN(auto lines, LineReader::open(file, max_bytes));
  JsonElements elements(std::move(lines), max_bytes);
  HARNESSG_ASSIGN(const std::string_view begin, elements.lines_.peek());
  const auto first = std::find_if_not(begin.begin(), begin.end(), is_json_space);
  elements.is_list_ = first != begin.end() && *first == '[';
  if (elements.is_list_) {
    elements.line_ += static_cast<std::uint64_t>(std::count(begin.begin(), first, '\n'));
    elements.lines_.skip(static_cast<std::size_t>(first - begin.begin()) + 1);
  }
  return elements;
}

Result<std::optional<JsonElement>> JsonElements::next() { return is_list_ ? next_of_list() : next_line(); }

Result<std::optional<JsonElement>> JsonElements::next_line() {
  while (true) {
    HARNESSG_ASSIGN(auto line, lines_.next());
    if (!line) return std::optional<JsonElement>{};
    if (std::all_of(line->text.begin(), line->text.end(), is_json_space)) continue;
    return std::optional<JsonElement>{{std::move(line->text), line->number, !line->complete}};
  }
}

// Passes over white space and commas between elements; the character that follows, 0 at the end of the file.
Result<char> JsonElements::skip_between() {
  while (true) {
    HARNESSG_ASSIGN(const std::string_view chunk, lines_.peek());
    if (chunk.empty()) return '\0';
    const auto at = std::find_if_not(chunk.begin(), chunk.end(), [](char c) { return is_json_space(c) || c == ','; });
    line_ += static_cast<std::uint64_t>(std::count(chunk.begin(), at, '\n'));
    lines_.skip(static_cast<std::size_t>(at - chunk.begin()));
    if (at != chunk.end()) return *at;
  }
}

Result<std::optional<JsonElement>> JsonElements::next_of_list() {
  HARNESSG_ASSIGN(const char first, skip_between());
  if (first == ']') return std::optional<JsonElement>{};
  if (first == '\0') return fail(ErrorCode::kBadInput, "{}:{}: the JSON list ends without \"]\"; the file is cut short", name(), line_);
  if (first != '{') return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" stands where an object of the list should begin", name(), line_, first);
  JsonElement element{{}, line_, false};
  ValueScanner scanner;
  while (!scanner.done()) {
    HARNESSG_ASSIGN(const std::string_view chunk, lines_.peek());
    if (chunk.empty()) return fail(ErrorCode::kBadInput, "{}:{}: the file ends inside this object; it is cut short", name(), element.line);
    const std::size_t taken = scanner.scan(chunk);
    if (element.text.size() + taken > max_bytes_) {
      return fail(ErrorCode::kBadInput, "{}:{}: the object is longer than {} bytes; split it or raise the limit", name(), element.line, max_bytes_);
    }
    element.text.append(chunk.substr(0, taken));
    line_ += static_cast<std::uint64_t>(std::count(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(taken), '\n'));
    lines_.skip(taken);
  }
  return std::optional<JsonElement>{std::move(element)};
}

}  // namespace harnessg
