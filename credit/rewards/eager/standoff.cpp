#include "credit/rewards/eager/standoff.h"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "credit/rewards/eager/data_set_fields.h"

namespace harnessg::eager {
namespace {

using Parts = std::vector<std::string_view>;

Parts split(std::string_view text, char mark) {
  Parts parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Two names with a colon between them.
std::optional<std::pair<std::string, std::string>> pair_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  return std::pair(std::string(text.substr(0, colon)), std::string(text.substr(colon + 1)));
}

class StandoffReader {
 public:
  StandoffReader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  Result<std::vector<GoldEvent>> read(std::string_view annotations) {
    std::size_t number = 0;
    std::vector<std::pair<std::string_view, std::size_t>> events;  // which may name what comes after them
    for (std::string_view line : split(annotations, '\n')) {
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.starts_with('T')) HARNESSG_RETURN_IF_ERROR(add_mention(line, number));
      if (line.starts_with('*')) HARNESSG_RETURN_IF_ERROR(add_equivalence(line, number));
      if (line.starts_with('E')) events.emplace_back(line, number);
    }
    std::vector<GoldEvent> gold;
    for (const auto& [line, at] : events) {
      HARNESSG_ASSIGN(GoldEvent event, event_of(line, at));
      gold.push_back(std::move(event));
    }
    return gold;
  }

 private:
  // T1 <tab> Type 0 5;9 12 <tab> text
  Status add_mention(std::string_view line, std::size_t number) {
    const Parts fields = split(line, '\t');
    const std::size_t type = fields.size() < 3 ? std::string_view::npos : fields[1].find(' ');
    if (type == std::string_view::npos)
      return wrong(number, "a text-bound annotation is an id, a type with places, and a text");
    const Parts pieces = split(fields[1].substr(type + 1), ';');
    std::vector<Span> spans;
    for (const std::string_view piece : pieces) {
      const Parts ends = split(piece, ' ');
      const auto begin = number_of(ends.front());
      const auto end = number_of(ends.back());
      if (ends.size() != 2 || !begin || !end) return wrong(number, "a place is two whole numbers");
      spans.push_back({*begin, *end});
    }
    std::string text(fields[2]);
    mentions_[std::string(fields[0])] =
        spans.size() == 1 ? located_mention(text_, std::move(text), spans[0]) : Mention{std::move(text), std::nullopt};
    return {};
  }

  // * <tab> Equiv T1 T2
  Status add_equivalence(std::string_view line, std::size_t number) {
    const Parts fields = split(line, '\t');
    if (fields.size() < 2) return wrong(number, "an equivalence is a mark and the ids it joins");
    const Parts ids = split(fields[1], ' ');
    for (std::size_t i = 1; i < ids.size(); ++i) {
      for (std::size_t j = 1; j < ids.size(); ++j) {
        if (i != j) equivalents_[std::string(ids[i])].emplace(ids[j]);
      }
    }
    return {};
  }

  // E1 <tab> Type:T1 Role:T2 Role:E3
  Result<GoldEvent> event_of(std::string_view line, std::size_t number) const {
    const Parts fields = split(line, '\t');
    GoldEvent event;
    for (const std::string_view part : split(fields.size() < 2 ? std::string_view() : fields[1], ' ')) {
      if (part.empty() && !event.type.empty()) continue;  // a blank at the line's end
      const auto named = pair_of(part);
      if (!named)
        return tl::unexpected(wrong(number, "an event is a type and roles, each with an id behind a colon").error());
      const auto& [name, id] = *named;
      if (event.type.empty()) {
        event.type = name;
        HARNESSG_ASSIGN(event.trigger, mention(id, number));
      } else if (!id.starts_with('E')) {
        HARNESSG_RETURN_IF_ERROR(add_argument(name, id, number, event));
      }
    }
    return event;
  }

  Status add_argument(const std::string& role, const std::string& id, std::size_t number, GoldEvent& event) const {
    HARNESSG_ASSIGN(Mention own, mention(id, number));
    event.arguments.push_back({role, std::move(own)});
    const auto same = equivalents_.find(id);
    if (same == equivalents_.end()) return {};
    for (const std::string& other : same->second) {
      HARNESSG_ASSIGN(Mention equivalent, mention(other, number));
      event.arguments.push_back({role, std::move(equivalent)});
    }
    return {};
  }

  Result<Mention> mention(const std::string& id, std::size_t number) const {
    const auto found = mentions_.find(id);
    if (found != mentions_.end()) return found->second;
    return fail(ErrorCode::kBadInput, "{}:{}: there is no text-bound annotation \"{}\"", name_, number, id);
  }

  Status wrong(std::size_t number, std::string_view what) const {
    return fail(ErrorCode::kBadInput, "{}:{}: {}", name_, number, what);
  }

  const std::string& text_;
  const std::string& name_;
  std::map<std::string, Mention> mentions_;
  std::map<std::string, std::set<std::string>> equivalents_;
};

}  // namespace

Result<EventRecord> standoff_record(std::string id, std::string text, std::string_view annotations,
                                    const std::string& name) {
  EventRecord record;
  record.id = std::move(id);
  record.text = std::move(text);
  HARNESSG_ASSIGN(record.events, StandoffReader(record.text, name).read(annotations));
  return record;
}

}  // namespace harnessg::eager
