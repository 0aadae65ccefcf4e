#include "credit/rewards/scope/tagged_text.h"

#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

struct Found {
  std::string_view text;
  std::size_t end = 0;  // one past the closing mark
};

std::optional<Found> next_block(std::string_view text, const TagMarks& tag, std::size_t from) {
  const std::size_t open = text.find(tag.open, from);
  if (open == kNone) return std::nullopt;
  const std::size_t begin = open + tag.open.size();
  const std::size_t close = text.find(tag.close, begin);
  if (close == kNone) return std::nullopt;
  return Found{text.substr(begin, close - begin), close + tag.close.size()};
}

}  // namespace

std::vector<std::string_view> closed_blocks(std::string_view text, const TagMarks& tag) {
  std::vector<std::string_view> blocks;
  std::size_t from = 0;
  while (const auto block = next_block(text, tag, from)) {
    blocks.push_back(block->text);
    from = block->end;
  }
  return blocks;
}

std::optional<std::string_view> first_closed_block(std::string_view text, const TagMarks& tag) {
  const auto block = next_block(text, tag, 0);
  return block ? std::optional(block->text) : std::nullopt;
}

std::optional<std::string_view> open_block(std::string_view text, const TagMarks& tag) {
  std::size_t from = 0;
  while (const auto block = next_block(text, tag, from)) from = block->end;
  const std::size_t open = text.find(tag.open, from);
  return open == kNone ? std::nullopt : std::optional(text.substr(open + tag.open.size()));
}

std::string without_thoughts(std::string_view text) {
  std::string rest;
  std::size_t from = 0;
  while (const auto block = next_block(text, kThoughtTag, from)) {
    const auto begin = static_cast<std::size_t>(block->text.data() - text.data()) - kThoughtTag.open.size();
    rest += text.substr(from, begin - from);
    from = block->end;
  }
  rest += text.substr(from);
  return rest;
}

std::optional<std::string_view> leading_thought(std::string_view text) {
  const std::string_view trimmed = trim_space(text);
  if (!trimmed.starts_with(kThoughtTag.open)) return std::nullopt;
  return first_closed_block(trimmed, kThoughtTag);
}

std::vector<std::string> filled_blocks(std::string_view text, const TagMarks& tag) {
  std::vector<std::string> filled;
  for (const std::string_view block : closed_blocks(text, tag)) {
    const std::string_view trimmed = trim_space(block);
    if (!trimmed.empty()) filled.emplace_back(trimmed);
  }
  return filled;
}

}  // namespace harnessg::scope
