#include "credit/rewards/scope/calls.h"

#include <algorithm>
#include <cctype>

#include "credit/rewards/scope/tagged_text.h"
#include "data/json_records.h"
#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr TagMarks kFunctionCallsTag{"<function_calls>", "</function_calls>"};

// The "arguments" of a tool call of that name; null for anything else.
Json call_arguments(std::string_view block, std::string_view name) {
  const Json call = Json::parse(trim_space(block), nullptr, /*allow_exceptions=*/false);
  if (!call.is_object() || !call.contains("name") || call.at("name") != std::string(name)) return nullptr;
  const Json* arguments = find_value(call, "arguments");
  return arguments && arguments->is_object() ? *arguments : Json();
}

// Reads `name(key="text", key='text')` and what is left of it.
class CallReader {
 public:
  explicit CallReader(std::string_view text) : text_(text) {}

  std::optional<std::map<std::string, std::string>> read(std::string_view name) {
    if (!take(name) || !take("(")) return std::nullopt;
    std::map<std::string, std::string> arguments;
    do {
      const std::string_view key = word();
      if (key.empty() || !take("=")) return std::nullopt;
      const auto value = quoted();
      if (!value) return std::nullopt;
      arguments[std::string(key)] = *value;
    } while (take(","));
    if (!take(")")) return std::nullopt;
    return arguments;
  }

 private:
  void skip_space() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) text_.remove_prefix(1);
  }

  bool take(std::string_view mark) {
    skip_space();
    if (!text_.starts_with(mark)) return false;
    text_.remove_prefix(mark.size());
    return true;
  }

  std::string_view word() {
    skip_space();
    std::size_t size = 0;
    while (size < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[size])) || text_[size] == '_')) ++size;
    const std::string_view found = text_.substr(0, size);
    text_.remove_prefix(size);
    return found;
  }

  std::optional<std::string> quoted() {
    skip_space();
    if (text_.empty() || (text_.front() != '"' && text_.front() != '\'')) return std::nullopt;
    const char quote = text_.front();
    for (std::size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        std::string value(text_.substr(1, i - 1));
        text_.remove_prefix(i + 1);
        return value;
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
};

bool holds_queries(const Json& arguments) {
  const Json* list = arguments.is_object() ? find_value(arguments, "query_list") : nullptr;
  return list && list->is_array() && std::any_of(list->begin(), list->end(), [](const Json& query) {
           return query.is_string() && !trim_space(query.get_ref<const std::string&>()).empty();
         });
}

}  // namespace

std::optional<std::string> tool_argument(std::string_view text, std::string_view call, std::string_view argument) {
  std::optional<std::string> found;
  for (const std::string_view block : closed_blocks(text, kToolCallTag)) {
    const Json arguments = call_arguments(block, call);
    const Json* value = arguments.is_object() ? find_value(arguments, argument) : nullptr;
    if (value && value->is_string()) found = value->get<std::string>();
  }
  return found;
}

std::optional<std::map<std::string, std::string>> function_arguments(std::string_view text, std::string_view name) {
  for (const std::string_view block : closed_blocks(text, kFunctionCallsTag)) {
    if (auto arguments = CallReader(block).read(name)) return arguments;
  }
  return std::nullopt;
}

SearchCalls count_searches(std::string_view turn, CallFormat format) {
  SearchCalls calls;
  if (format == CallFormat::kSearchTag) {
    calls.valid = filled_blocks(turn, kSearchTag).size();
    calls.attempted = turn.find(kSearchTag.open) != std::string_view::npos;
  } else if (format == CallFormat::kToolCall) {
    for (const std::string_view block : closed_blocks(turn, kToolCallTag)) {
      calls.valid += holds_queries(call_arguments(block, "search")) ? 1 : 0;
    }
    calls.attempted = turn.find(kToolCallTag.open) != std::string_view::npos;
  } else {
    const auto arguments = function_arguments(turn, "search");
    calls.valid = arguments && arguments->contains("query") && !trim_space(arguments->at("query")).empty() ? 1 : 0;
    calls.attempted = turn.find(kFunctionCallsTag.open) != std::string_view::npos;
  }
  return calls;
}

}  // namespace harnessg::scope
