#include "credit/rewards/scope/turns.h"

#include <algorithm>
#include <array>
#include <optional>

namespace harnessg::scope {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"user", "assistant", "system"};
constexpr std::string_view kTurnMark = "<|im_start|>";
constexpr std::string_view kEndMark = "<|im_end|>";

std::string without(std::string text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) text.erase(at, mark.size());
  return text;
}

}  // namespace

std::vector<std::string_view> own_turns(const std::vector<Turn>& turns) {
  std::vector<std::string_view> own;
  for (const Turn& turn : turns) {
    if (turn.own) own.push_back(turn.text);
  }
  return own;
}

Result<std::vector<Turn>> turns_from_json(const Json& list, const std::string& place) {
  std::vector<Turn> turns;
  for (const Json& element : list.is_array() ? list : Json::array({nullptr})) {
    const Json* role = element.is_object() ? find_value(element, "role") : nullptr;
    const Json* content = element.is_object() ? find_value(element, "content") : nullptr;
    if (!role || !role->is_string() || !content || !content->is_string()) {
      return fail(ErrorCode::kBadInput, "{}: turns are a list of {{\"role\", \"content\"}}, both strings", place);
    }
    turns.push_back({*role == "assistant", content->get<std::string>()});
  }
  return turns;
}

std::vector<Turn> turns_of_flat_text(std::string_view text) {
  const std::string plain = without(without(std::string(text), kTurnMark), kEndMark);
  std::vector<Turn> turns{{true, ""}};
  for (std::size_t begin = 0; begin <= plain.size();) {
    const std::size_t end = std::min(plain.find('\n', begin), plain.size());
    const std::string_view line = std::string_view(plain).substr(begin, end - begin);
    if (std::find(kRoles.begin(), kRoles.end(), line) != kRoles.end()) {
      turns.push_back({line == "assistant", ""});
    } else {
      turns.back().text += line;
      if (end < plain.size()) turns.back().text += '\n';
    }
    begin = end + 1;
  }
  if (turns.size() > 1 && turns.front().text.empty()) turns.erase(turns.begin());
  return turns;
}

}  // namespace harnessg::scope
