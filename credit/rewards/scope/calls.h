// How a model calls the search tool and hands in its work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg::scope {

enum class CallFormat : std::uint8_t {
  kSearchTag,      // <search>query</search>
  kToolCall,       // <tool_call>{"name": "search", "arguments": {"query_list": ["query"]}}</tool_call>
  kFunctionCalls,  // <function_calls>search(query="query")</function_calls>
};

// The text argument of the last call of that name in <tool_call> blocks; nullopt when there is none, or it is no text.
std::optional<std::string> tool_argument(std::string_view text, std::string_view call, std::string_view argument);

// Keyword arguments of the first call `name(key="text", ...)` in a <function_calls> block, quotes of either kind,
// backslashes kept; nullopt when no such call can be read.
std::optional<std::map<std::string, std::string>> function_arguments(std::string_view text, std::string_view name);

// Search calls of one turn without its thoughts.
struct SearchCalls {
  std::size_t valid = 0;
  bool attempted = false;  // a call was begun, valid or not
};
SearchCalls count_searches(std::string_view turn, CallFormat format);

}  // namespace harnessg::scope
