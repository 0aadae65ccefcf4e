#include "credit/rewards/scope/rubric.h"

#include <algorithm>
#include <optional>

#include "credit/rewards/scope/tagged_text.h"
#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kItemOpen = "<rubric";
constexpr std::string_view kItemClose = "</rubric>";

std::string without_comments(std::string_view text) {
  std::string rest;
  std::size_t from = 0;
  for (;;) {
    const std::size_t begin = text.find("<!--", from);
    const std::size_t end = begin == kNone ? kNone : text.find("-->", begin);
    if (end == kNone) break;
    rest += text.substr(from, begin - from);
    from = end + 3;
  }
  rest += text.substr(from);
  return rest;
}

// One past the ">" that ends a tag, quotes respected; kNone when there is none.
std::size_t tag_end(std::string_view text, std::size_t from) {
  char quote = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i + 1;
    }
  }
  return kNone;
}

// The value of priority=... among a tag's attributes, up to the first space or quote.
std::string priority_of(std::string_view attributes) {
  constexpr std::string_view kName = "priority";
  for (std::size_t at = attributes.find(kName); at != kNone; at = attributes.find(kName, at + 1)) {
    if (at == 0 || std::string_view(" \t\r\n").find(attributes[at - 1]) == kNone) continue;
    std::string_view rest = trim_space(attributes.substr(at + kName.size()));
    if (!rest.starts_with('=')) continue;
    rest = trim_space(rest.substr(1));
    if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
    return std::string(rest.substr(0, rest.find_first_of(" \t\r\n\"'>/")));
  }
  return "";
}

void check_count(ReadRubric& read, const RubricRules& rules) {
  if (!read.fault.empty()) return;
  if (read.items.size() < rules.least)
    read.fault = fmt::format("{} items, fewer than {}", read.items.size(), rules.least);
  if (read.items.size() > rules.most) read.fault = fmt::format("{} items, more than {}", read.items.size(), rules.most);
}

void add_item(ReadRubric& read, std::string_view text, std::string priority) {
  const std::string_view trimmed = trim_space(text);
  if (!trimmed.empty()) {
    read.items.push_back({std::string(trimmed), std::move(priority)});
  } else if (read.fault.empty()) {
    read.fault = "an empty item";
  }
}

// The first {...} of a text, braces in strings respected.
std::optional<std::string_view> first_object(std::string_view text) {
  const std::size_t begin = text.find('{');
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; begin != kNone && i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_string = false;
      continue;
    }
    if (text[i] == '"') in_string = true;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(begin, i + 1 - begin);
  }
  return std::nullopt;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// "" where there is none.
std::string member(const Json& object, const char* key) {
  const Json* value = find_value(object, key);
  return value ? std::string(trim_space(text_of(*value))) : std::string();
}

}  // namespace

ReadRubric read_rubric(std::string_view text, const RubricRules& rules) {
  const std::string bare = without_comments(rules.thoughts_count ? std::string(text) : without_thoughts(text));
  ReadRubric read;
  const auto list = first_closed_block(bare, {"<rubrics>", "</rubrics>"});
  if (!list) {
    read.fault = "no closed <rubrics> list";
    return read;
  }
  for (std::size_t at = list->find(kItemOpen); at != kNone; at = list->find(kItemOpen, at)) {
    const std::size_t name_end = at + kItemOpen.size();
    const bool is_item = name_end < list->size() && std::string_view(" \t\r\n>/").find((*list)[name_end]) != kNone;
    const std::size_t begin = is_item ? tag_end(*list, name_end) : kNone;
    if (begin == kNone) {
      at = name_end;
      continue;
    }
    const std::string_view attributes = list->substr(name_end, begin - 1 - name_end);
    const bool self_closing = attributes.ends_with('/');
    const std::size_t end = self_closing ? begin : list->find(kItemClose, begin);
    if (end == kNone) break;
    add_item(read, list->substr(begin, end - begin), priority_of(attributes));
    at = self_closing ? begin : end + kItemClose.size();
  }
  check_count(read, rules);
  return read;
}

ReadRubric read_json_rubric(std::string_view text, const RubricRules& rules) {
  ReadRubric read;
  const std::string bare = rules.thoughts_count ? std::string(text) : without_thoughts(text);
  const auto object = first_object(bare);
  const Json parsed = object ? Json::parse(*object, nullptr, /*allow_exceptions=*/false) : Json();
  const Json* list = parsed.is_object() ? find_value(parsed, "rubrics") : nullptr;
  if (!list || !list->is_array()) {
    read.fault = "no object with a list \"rubrics\"";
    return read;
  }
  for (const Json& element : *list) {
    if (element.is_string()) {
      add_item(read, element.get<std::string>(), "");
    } else if (element.is_object()) {
      add_item(read, member(element, "text"), member(element, "priority"));
    } else if (read.fault.empty()) {
      read.fault = "an item that is no text";
    }
  }
  check_count(read, rules);
  return read;
}

Result<Rubric> rubric_from_json(const Json& list, const std::string& place) {
  Rubric rubric;
  for (const Json& element : list.is_array() ? list : Json::array({nullptr})) {
    const Json* text = element.is_object() ? find_value(element, "text") : &element;
    if (!text || !text->is_string()) {
      return fail(ErrorCode::kBadInput, "{}: a rubric is a list of texts or of {{\"text\", \"priority\"}}", place);
    }
    rubric.push_back({text->get<std::string>(), element.is_object() ? member(element, "priority") : std::string()});
  }
  return rubric;
}

double item_weight(const RubricItem& item, ItemWeights weights) {
  if (weights == ItemWeights::kEqual) return 1;
  if (item.priority == "critical") return 3;
  return item.priority == "bonus" ? 1 : 2;
}

RewardValue rubric_score(const Rubric& rubric, std::span<const RewardValue> verdicts, const CoverageRules& rules) {
  if (rubric.empty()) return std::nullopt;
  double judged = 0;
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < rubric.size(); ++i) {
    const RewardValue verdict = i < verdicts.size() ? verdicts[i] : std::nullopt;
    const double weight = item_weight(rubric[i], rules.weights);
    judged += verdict ? 1 : 0;
    sum += weight * verdict.value_or(rules.missing);
    weights += weight;
  }
  if (judged == 0 || judged < rules.least * static_cast<double>(rubric.size())) return std::nullopt;
  return sum / weights;
}

}  // namespace harnessg::scope
