#include "credit/rewards/eager/events.h"

#include "credit/rewards/eager/code_points.h"

namespace harnessg::eager {

std::optional<std::string_view> slice(std::string_view text, const Span& span) {
  if (span.begin > span.end) return std::nullopt;
  const std::size_t begin = byte_offset(text, 0, span.begin);
  const std::size_t end = begin == std::string_view::npos ? begin : byte_offset(text, begin, span.end - span.begin);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin, end - begin);
}

Extraction extraction_of(const std::vector<GoldEvent>& events) {
  Extraction result;
  result.reserve(events.size());
  for (const GoldEvent& event : events) {
    ExtractedEvent& extracted = result.emplace_back();
    extracted.type = event.type;
    extracted.mention = event.trigger.text;
    for (const GoldArgument& argument : event.arguments) {
      extracted.arguments.push_back({argument.role, argument.mention.text});
    }
  }
  return result;
}

}  // namespace harnessg::eager
