#include "engine/text_protocol.h"

#include <fmt/ranges.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "data/text.h"

namespace harnessg {
namespace {

constexpr std::string_view kExpected = "expected INIT or an available action id such as A0";

std::string_view without_outer_quotes(std::string_view text) {
  text = trim_space(text);
  while (text.starts_with('"')) text.remove_prefix(1);
  while (text.ends_with('"')) text.remove_suffix(1);
  return trim_space(text);
}

// "A" and decimal digits of any script, as far as they go; "" when the text does not begin so.
std::string_view leading_id(std::string_view text) {
  if (text.empty() || text[0] != 'A') return {};
  std::int32_t at = 1;
  const auto size = static_cast<std::int32_t>(text.size());
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  while (at < size) {
    const std::int32_t start = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    if (c < 0 || u_charType(c) != U_DECIMAL_DIGIT_NUMBER)
      return start == 1 ? std::string_view{} : text.substr(0, static_cast<std::size_t>(start));
  }
  return at == 1 ? std::string_view{} : text;
}

std::optional<std::uint32_t> position_of(std::string_view id, std::size_t menu_size) {
  const std::string_view digits = id.substr(1);
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  std::uint32_t position = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), position);
  if (error != std::errc() || end != digits.data() + digits.size() || position >= menu_size) return std::nullopt;
  return position;
}

ParsedAction invalid(std::string reason) { return {false, std::nullopt, std::move(reason)}; }

bool equals_ignoring_ascii_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  });
}

constexpr std::array<std::string_view, 10> kMarkers = {"[HARNESS_G_OBS]", "[/HARNESS_G_OBS]", "<query>",  "</query>",
                                                       "<knowledge>",     "</knowledge>",     "<answer>", "</answer>",
                                                       "<think>",         "</think>"};

// Length in bytes of a line break at the start of the text; 0 when there is none.
std::size_t line_break_length(std::string_view text) {
  if (text[0] >= '\n' && text[0] <= '\r') return 1;
  if (text.starts_with("\xC2\x85")) return 2;                                          // U+0085
  if (text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9")) return 3;  // U+2028, U+2029
  return 0;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool starts_with_ignoring_case(std::string_view text, std::string_view start) {
  // A character outside ASCII may combine with the one before it.
  const std::string_view head = text.substr(0, start.size() + 1);
  if (is_ascii(start) && is_ascii(head))
    return head.size() >= start.size() && equals_ignoring_ascii_case(head.substr(0, start.size()), start);
  return fold_case(text).starts_with(fold_case(start));
}

}  // namespace

ParsedAction parse_action(std::string_view text, bool initialized, std::size_t menu_size) {
  text = trim_space(text);
  if (equals_ignoring_ascii_case(text, "INIT")) {
    if (initialized) return invalid("INIT is only valid before the episode is initialized");
    return {true, std::nullopt, {}};
  }
  const std::string_view id = leading_id(text);
  if (id.empty()) return invalid(std::string(kExpected));
  const std::string_view rest = trim_space(text.substr(id.size()));
  const bool has_query = rest.starts_with("||") && text.find('\n') == std::string_view::npos;
  if (!rest.empty() && !has_query) return invalid(std::string(kExpected));
  const auto position = position_of(id, menu_size);
  if (!position) return invalid(fmt::format("unknown or unavailable action id: {}", id));
  if (has_query) return invalid("actions do not accept a short query; use a plain action id such as A0");
  return {false, position, {}};
}

std::optional<std::string> parse_tool_query(std::string_view turn) {
  constexpr std::string_view kOpen = "<query>";
  constexpr std::string_view kClose = "</query>";
  const std::size_t open = turn.find(kOpen);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t begin = open + kOpen.size();
  const std::size_t close = turn.find(kClose, begin);
  if (close == std::string_view::npos) return std::nullopt;
  const auto call = nlohmann::json::parse(turn.substr(begin, close - begin), nullptr, /*allow_exceptions=*/false);
  if (!call.is_object()) return std::nullopt;
  const auto query = call.find("query");
  if (query == call.end()) return std::nullopt;
  if (query->is_string()) return query->get<std::string>();
  if (query->is_null()) return "None";  // what trainers that print the value in Python send on
  return query->dump();
}

void append_one_line(std::string& out, std::string_view text) {
  constexpr std::string_view kSpecial = "\n\v\f\r\xC2\xE2[<";  // what a line break or a marker begins with
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find_first_of(kSpecial, at), text.size());
    out.append(text, at, next - at);
    at = next;
    if (at == text.size()) break;
    const std::string_view rest = text.substr(at);
    if (const std::size_t length = line_break_length(rest)) {
      out += ' ';
      at += length;
      continue;
    }
    const auto marker = std::find_if(kMarkers.begin(), kMarkers.end(), [&](std::string_view m) {
      return rest.size() >= m.size() && equals_ignoring_ascii_case(rest.substr(0, m.size()), m);
    });
    if (marker != kMarkers.end()) {
      out.append("(").append(rest.substr(1, marker->size() - 2)).append(")");
      at += marker->size();
    } else {
      out += rest[0];
      ++at;
    }
  }
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  append_one_line(line, text);
  return line;
}

SentenceParts sentence_parts(std::string_view title, std::string_view text) {
  title = trim_space(title);
  text = without_outer_quotes(text);
  if (title.empty() || starts_with_ignoring_case(text, title)) return {{}, text};
  return {title, text};
}

std::string sentence_text(std::string_view title, std::string_view text) {
  const SentenceParts parts = sentence_parts(title, text);
  return parts.title.empty() ? std::string(parts.text) : fmt::format("{}: {}", parts.title, parts.text);
}

std::string evidence_preview(std::string_view text) {
  constexpr std::size_t kWords = 18;
  text = without_outer_quotes(text);
  const auto words = split_words(text, kWords + 1);
  if (words.size() <= kWords) return std::string(text);
  return fmt::format("{} ...", fmt::join(words.begin(), words.begin() + kWords, " "));
}

std::string answer_prompt(std::string_view question, std::span<const std::string_view> evidence) {
  std::string prompt = fmt::format("Question: {}\n\nEvidence observed so far:\n", question);
  if (evidence.empty()) prompt += "(no evidence observed)\n";
  for (std::size_t i = 0; i < evidence.size(); ++i) prompt += fmt::format("[{}] {}\n", i + 1, evidence[i]);
  prompt += "\nProvide the final answer in <answer>...</answer> using only the observed evidence.";
  return prompt;
}

}  // namespace harnessg
