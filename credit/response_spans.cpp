#include "credit/response_spans.h"

#include <algorithm>
#include <array>

namespace harnessg {
namespace {

struct Block {
  std::string_view open;
  std::string_view close;
  std::vector<ActionSpan> ResponseSpans::*list;
};

constexpr std::array<Block, 3> kBlocks{{{"<query>", "</query>", &ResponseSpans::actions},
                                        {"<knowledge>", "</knowledge>", &ResponseSpans::observations},
                                        {"<answer>", "</answer>", &ResponseSpans::answers}}};

// Code points before a byte offset; offsets are asked for in ascending order.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : text_(text) {}

  std::size_t before(std::size_t offset) {
    for (; at_ < offset; ++at_) count_ += (static_cast<unsigned char>(text_[at_]) & 0xC0u) != 0x80u ? 1 : 0;
    return count_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

// Where the block that opens at `open` ends; npos when it is not closed.
std::size_t end_of(std::string_view text, const Block& block, std::size_t open) {
  const std::size_t close = text.find(block.close, open + block.open.size());
  if (close != std::string_view::npos) return close + block.close.size();
  return block.list == &ResponseSpans::observations ? text.size() : close;
}

}  // namespace

ResponseSpans response_spans(std::string_view text) {
  ResponseSpans spans;
  CodePoints points(text);
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const auto block = std::find_if(kBlocks.begin(), kBlocks.end(),
                                    [&](const Block& one) { return text.substr(at).starts_with(one.open); });
    const std::size_t end = block == kBlocks.end() ? std::string_view::npos : end_of(text, *block, at);
    if (end == std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t begin = points.before(at);
    (spans.*(block->list)).push_back({begin, points.before(end)});
    at = end;
  }
  return spans;
}

}  // namespace harnessg
