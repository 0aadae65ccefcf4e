#include "credit/rewards/eager/instance.h"

#include <algorithm>
#include <limits>

#include "data/text.h"

namespace harnessg::eager {
namespace {

Status check_utf8(std::string_view text, const std::string& record, std::string_view what) {
  const auto invalid = find_invalid_utf8(text);
  if (!invalid) return {};
  return fail(ErrorCode::kBadInput, "record \"{}\": {} is not valid UTF-8 at byte {}; write it as UTF-8", record, what,
              *invalid);
}

}  // namespace

std::uint32_t Interner::id(std::string_view text) {
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  return ids_.emplace(text, size()).first->second;
}

std::uint32_t Interner::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? size() : found->second;
}

Result<Instance> Instance::make(EventRecord record, const MatchOptions& options) {
  HARNESSG_RETURN_IF_ERROR(check_utf8(record.text, record.id, "its text"));
  if (record.text.size() >= std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::kBadInput, "record \"{}\": its text has {} bytes; cut it into windows", record.id,
                record.text.size());
  }
  Instance instance;
  instance.record_ = std::move(record);
  instance.options_ = options;
  instance.text_ = MatchText(instance.record_.text, options);
  HARNESSG_RETURN_IF_ERROR(instance.prepare());
  return instance;
}

Status Instance::prepare() {
  for (const GoldEvent& gold : record_.events) {
    PreparedEvent& event = events_.emplace_back();
    HARNESSG_RETURN_IF_ERROR(check_utf8(gold.type, record_.id, "an event type"));
    event.type = names_.id(gold.type);
    HARNESSG_ASSIGN(const auto trigger, prepare(gold.trigger));
    event.trigger = trigger.first;
    event.spot = trigger.second;
    for (const GoldArgument& argument : gold.arguments) {
      HARNESSG_RETURN_IF_ERROR(check_utf8(argument.role, record_.id, "a role"));
      HARNESSG_ASSIGN(const auto mention, prepare(argument.mention));
      event.arguments.push_back({names_.id(argument.role), mention.first, mention.second});
      event.sorted_arguments.emplace_back(event.arguments.back().role, mention.first);
    }
    std::sort(event.sorted_arguments.begin(), event.sorted_arguments.end());
    arguments_ += event.arguments.size();
  }
  return {};
}

Result<std::pair<StringId, Spot>> Instance::prepare(const Mention& mention) {
  HARNESSG_RETURN_IF_ERROR(check_utf8(mention.text, record_.id, "a mention"));
  const std::string form = match_form(mention.text, options_);
  const StringId string = strings_.id(form);
  if (string == words_of_.size()) {
    std::vector<std::uint32_t>& words = words_of_.emplace_back();
    for (const std::string_view word : split_words(form)) words.push_back(words_.id(word));
  }
  faults_.mentions += 1;
  faults_.not_verbatim += is_grounded(mention.text) ? 0 : 1;
  if (!mention.span) {
    faults_.without_span += 1;
    return std::pair(string, Spot::string(string));
  }
  const auto piece = slice(record_.text, *mention.span);
  if (!piece) {
    return fail(ErrorCode::kBadInput, "record \"{}\": the span {}..{} of \"{}\" lies outside the text", record_.id,
                mention.span->begin, mention.span->end, mention.text);
  }
  faults_.other_text += *piece == mention.text ? 0 : 1;
  const std::size_t begin = static_cast<std::size_t>(piece->data() - record_.text.data());
  const auto [from, to] = text_.range(begin, begin + piece->size());
  return std::pair(string, Spot::at(from, to));
}

bool Instance::is_grounded(std::string_view mention) const {
  if (options_ == MatchOptions{}) return find_text(record_.text, mention) != std::string_view::npos;
  return find_text(text_.form(), match_form(mention, options_)) != std::string_view::npos;
}

}  // namespace harnessg::eager
