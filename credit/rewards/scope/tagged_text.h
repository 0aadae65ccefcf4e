// Blocks between tags in what a model wrote, read as plain text: no nesting, no XML.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg::scope {

// A tag's two marks: {"<task>", "</task>"}.
struct TagMarks {
  std::string_view open;
  std::string_view close;
};

inline constexpr TagMarks kAnswerTag{"<answer>", "</answer>"};
inline constexpr TagMarks kSearchTag{"<search>", "</search>"};
inline constexpr TagMarks kTaskTag{"<task>", "</task>"};
inline constexpr TagMarks kThoughtTag{"<think>", "</think>"};
inline constexpr TagMarks kToolCallTag{"<tool_call>", "</tool_call>"};

// What stands between each opening mark and the next closing one, from left to right, without overlap. White space is
// kept. Views into `text`.
std::vector<std::string_view> closed_blocks(std::string_view text, const TagMarks& tag);
std::optional<std::string_view> first_closed_block(std::string_view text, const TagMarks& tag);
// What follows an opening mark after the last closed block and is never closed.
std::optional<std::string_view> open_block(std::string_view text, const TagMarks& tag);

// `text` without its closed thoughts. A thought that is never closed stays.
std::string without_thoughts(std::string_view text);
// The closed thought that `text` begins with, white space apart.
std::optional<std::string_view> leading_thought(std::string_view text);

// Every block, trimmed, that is not blank.
std::vector<std::string> filled_blocks(std::string_view text, const TagMarks& tag);

}  // namespace harnessg::scope
